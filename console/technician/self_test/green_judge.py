"""Judges the green button of a deck shuffler, whose presses the machine counts itself. Pure."""

from collections.abc import Sequence

from console.technician.cabinet.input_names import GREEN
from console.technician.self_test.judges import SETTLED_MS, find_others_moved
from console.technician.self_test.steps import (
    CabinetLook,
    Inputs,
    PartVerdict,
    StepEnd,
    fail_part,
    pass_part,
    skip_part,
)
from devices.device import Device


def has_been_counted(before: Inputs, now: Inputs) -> bool:
    """Return whether a press has been counted, and no other one has followed."""
    if GREEN not in now or GREEN not in before:
        return False
    green = now[GREEN]
    return green.edges != before[GREEN].edges and green.since_ms >= SETTLED_MS


def judge_green(looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """One press is counted once, and no contact of the panel moves."""
    before = looks[0].inputs.get(GREEN)
    if before is None or not looks[-1].status.links.get(Device.SHUFFLER.value, False):
        return skip_part("AWAY")
    if len(looks) == 1 or looks[-1].step_end is StepEnd.SKIPPED:
        return None
    times = looks[-1].inputs[GREEN].edges - before.edges
    others = " ".join(sorted(find_others_moved(GREEN, looks[0].inputs, looks[-1].inputs)))
    if times == 1:
        return fail_part("ALSO_MOVED", other=others) if others else pass_part("COUNTED_ONCE")
    if times:
        return fail_part("MOVED_OFTEN", times=times)
    return fail_part("OTHER_MOVED", other=others) if others else fail_part("NOT_MOVED")
