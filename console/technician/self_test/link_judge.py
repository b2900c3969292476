"""Judges the link of a linked table."""

from collections.abc import Collection, Sequence

from console.technician.self_test.judges import find_fault
from console.technician.self_test.steps import CabinetLook, PartVerdict, fail_part, pass_part
from devices.device import Device


def judge_link(faults: Collection[str], looks: Sequence[CabinetLook]) -> PartVerdict:
    """The centre answers; else the fault says what is wrong: it is silent, or bars the table."""
    figures = [one for one in looks[-1].devices.values() if one.device is Device.LINK]
    fault = find_fault(looks[-1], faults)
    if fault is not None or not figures or not figures[0].up:
        return fault or fail_part("LOST")
    identity = figures[0].identity
    return pass_part("CENTRE", host=identity["host"], role=identity["role"])
