"""Pass or fail: what the figures before and after a step say of a part of the cabinet. Pure.

Each function is a judge of `steps.Part`, once its first arguments are given.
"""

from collections.abc import Collection, Sequence

from console.rules.codes import LEDGER_FAULTS, Fault
from console.technician.cabinet.drops import drops_between
from console.technician.cabinet.input_names import is_counter, of_the_rail
from console.technician.self_test.steps import (
    CabinetLook,
    Inputs,
    PartVerdict,
    StepEnd,
    failed,
    not_tested,
    passed,
)
from devices.device import Device
from devices.figures import InputFigures, LinkFigures
from devices.roles import KeyPosition

SETTLED_MS = 300
"""A contact that has been still for so long has done what it was to do."""

KEY = "key "
KEY_ORDER = (KeyPosition.JPH, KeyPosition.R, KeyPosition.JPL, KeyPosition.S)
"""From S, and back to it."""

ENOUGH_FRAMES = 20
MOST_BAD = 0.01
MOST_RETRIES = 0.02
FEW = 3
"""Fewer bad frames, or repetitions, say nothing of a line."""


# What needs nobody


def program(looks: Sequence[CabinetLook]) -> PartVerdict:
    """The service that runs is the one installed."""
    running, installed = looks[-1].status.version, looks[-1].installed
    if running != installed:
        return failed("OLD_PROGRAM", running=running, installed=installed)
    return passed("VERSION", version=running)


def ledger(looks: Sequence[CabinetLook]) -> PartVerdict:
    """The ledger can be written, and holds together."""
    return _no_fault(looks[-1], {fault.value for fault in LEDGER_FAULTS}) or passed("IN_ORDER")


def plug(looks: Sequence[CabinetLook]) -> PartVerdict:
    """The panel's presence contact is closed."""
    return passed("IN_ORDER") if _plugged_in(looks[-1]) else failed("OPEN")


def _plugged_in(look: CabinetLook) -> bool:
    contact = look.inputs.get("plug")
    return contact is not None and contact.closed


def machine(device: Device, faults: Collection[str], looks: Sequence[CabinetLook]) -> PartVerdict:
    """A device behind its lines is there, and none of its faults is present."""
    figures = [one for one in looks[-1].devices.values() if one.device is device]
    if not figures or not all(one.up for one in figures):
        return failed("LOST")
    firmware = next((one.identity["firmware"] for one in figures if "firmware" in one.identity), "")
    return _no_fault(looks[-1], faults) or (
        passed("IDENTITY", firmware=firmware) if firmware else passed("IN_ORDER")
    )


def _no_fault(look: CabinetLook, faults: Collection[str]) -> PartVerdict | None:
    present = sorted(look.faults & frozenset(faults))
    return failed("FAULT", codes=" ".join(present)) if present else None


# Buttons, key, inspector


def pressed(name: str, before: Inputs, now: Inputs) -> bool:
    """Whether a contact has closed, has opened again, and rests."""
    if name not in now or name not in before:
        return False
    contact = now[name]
    moved = contact.edges != before[name].edges
    return moved and not contact.closed and contact.since_ms >= SETTLED_MS


def button(name: str, looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """One press gives one clean pair of edges, and moves nothing else on the panel."""
    before = looks[0].inputs.get(name)
    if before is None or not _plugged_in(looks[-1]):
        return not_tested("AWAY")
    if before.closed:
        return failed("HELD", s=before.since_ms // 1000)
    if len(looks) == 1 or looks[-1].came is StepEnd.SKIPPED:
        return None
    after = looks[-1].inputs[name]
    others = _others_moved(name, looks[0].inputs, looks[-1].inputs)
    if after.edges == before.edges:
        if others:
            return failed("OTHER_MOVED", other=" ".join(sorted(others)))
        return failed("NOT_MOVED")
    if after.closed:
        return failed("STAYS_CLOSED")
    return _clean(before, after, others)


def _clean(before: InputFigures, after: InputFigures, others: Collection[str]) -> PartVerdict:
    """Each bounce is two edges, and one of them is counted as chatter."""
    chatter = after.chatter - before.chatter
    times = (after.edges - before.edges - 2 * chatter) // 2
    if times != 1:
        return failed("MOVED_OFTEN", times=times)
    if others:
        return failed("ALSO_MOVED", other=" ".join(sorted(others)))
    pulse = "?" if after.pulse_ms is None else f"{after.pulse_ms:.0f}"
    if chatter:
        return passed("BOUNCED", pulse=pulse, chatter=chatter)
    return passed("PRESSED", pulse=pulse)


def _others_moved(name: str, before: Inputs, after: Inputs) -> set[str]:
    """Buttons and key contacts that moved as well; an inspector may come and go."""
    return {
        other
        for other, one in after.items()
        if not of_the_rail(other) and other not in ("inspector", "plug", name)
        if other in before and one.edges != before[other].edges
    }


def stands_at(position: KeyPosition, _before: Inputs, now: Inputs) -> bool:
    """Whether the key's contact has closed, and rests."""
    contact = now.get(KEY + position.value)
    return contact is not None and contact.closed and contact.since_ms >= SETTLED_MS


def key(looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """Each position closes its own contact, and no other."""
    if not _plugged_in(looks[-1]):
        return not_tested("AWAY")
    asked = looks[1:]
    if not asked:
        return None
    if asked[-1].came is StepEnd.SKIPPED:
        return _no_fault(looks[0], {Fault.KEY_FAULT.value})
    if len(asked) < len(KEY_ORDER):
        return None
    if not any(asked[-1].inputs[name].edges != one.edges for name, one in _contacts(looks[0])):
        return failed("NOT_MOVED")
    return _four_positions([_closed(look) for look in asked])


def _four_positions(closed: Sequence[frozenset[str]]) -> PartVerdict:
    """Judge the contacts closed at each position of `KEY_ORDER`."""
    crossed = next((there for there in closed if len(there) > 1), frozenset[str]())
    always = frozenset.intersection(*closed) & crossed
    wanted = [position.value for position in KEY_ORDER]
    dead = [one for one, there in zip(wanted, closed, strict=True) if one not in there]
    if always:
        return failed("WELDED", contacts=" ".join(sorted(always)))
    if dead:
        return failed("DEAD", contacts=" ".join(dead))
    if crossed:
        return failed("CROSSED", contacts=" ".join(sorted(crossed)))
    return passed("FOUR_POSITIONS")


def _contacts(look: CabinetLook) -> list[tuple[str, InputFigures]]:
    return [(name, one) for name, one in look.inputs.items() if name.startswith(KEY)]


def _closed(look: CabinetLook) -> frozenset[str]:
    return frozenset(name.removeprefix(KEY) for name, one in _contacts(look) if one.closed)


def changed(name: str, before: Inputs, now: Inputs) -> bool:
    """Whether a contact stands otherwise than before, and rests."""
    if name not in now or name not in before:
        return False
    return now[name].closed != before[name].closed and now[name].since_ms >= SETTLED_MS


BACK_AGAIN = 2
"""The look after a contact was changed, and changed back."""


def both_ways(name: str, looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """A contact closes and opens."""
    if name not in looks[0].inputs or not _plugged_in(looks[-1]):
        return not_tested("AWAY")
    if len(looks) == 1 or looks[-1].came is StepEnd.SKIPPED:
        return None
    if looks[-1].came is StepEnd.LATE:
        return failed("STAYS_CLOSED" if looks[-1].inputs[name].closed else "NOT_MOVED")
    return passed("BOTH_WAYS") if len(looks) > BACK_AGAIN else None


# Seats


def covered(seat: int, _before: Inputs, now: Inputs) -> bool:
    """Whether the seat's sensor sees something."""
    sensor = now.get(f"seat {seat}")
    return sensor is not None and sensor.closed


def free(seat: int, _before: Inputs, now: Inputs) -> bool:
    """Whether it sees nothing."""
    return not covered(seat, _before, now)


def gone_through(seat: int, before: Inputs, now: Inputs) -> bool:
    """Whether a token has dropped there, and reached the tray."""
    return drops_between(before, now).whole(seat)


CLEARED, PUT, OPENED = 1, 2, 3
"""Looks of a seat's test: after the slot was cleared, a token put in, the gate opened."""


def seat(number: int, gates: bool, looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """The sensor sees a token come; with a gate it drops and is counted there, else it goes."""
    if f"seat {number}" not in looks[0].inputs or not _rail_is_there(looks[-1]):
        return not_tested("AWAY")
    last = len(looks) - 1
    if looks[last].came is StepEnd.SKIPPED:
        return None
    late = looks[last].came is StepEnd.LATE
    if last == CLEARED and late:
        return failed("SENSOR_STAYS")
    if last == PUT and late:
        return failed("SENSOR_BLIND")
    if last < OPENED:
        return None
    if not gates:
        return failed("SENSOR_STAYS") if late else passed("SEEN_AND_GONE")
    return _through_the_gate(number, looks[PUT].inputs, looks[OPENED].inputs)


def _through_the_gate(number: int, before: Inputs, after: Inputs) -> PartVerdict:
    """A tray that has not counted is a part of its own."""
    seen = drops_between(before, after)
    if number in seen.at:
        return failed("SENSOR_STAYS") if number in seen.covered else passed("DROPPED")
    if seen.at:
        return failed("WRONG_SEAT", seats=" ".join(str(other) for other in sorted(seen.at)))
    return failed("GATE_STICKS") if number in seen.covered else failed("DROP_BLIND")


def tray(looks: Sequence[CabinetLook]) -> PartVerdict:
    """Over the whole test the tray has counted what the seats' drop sensors have."""
    if not any(is_counter(name) for name in looks[-1].inputs):
        return not_tested("AWAY")
    seen = drops_between(looks[0].inputs, looks[-1].inputs)
    drops = sum(seen.at.values())
    if seen.tray != drops:
        return failed("TRAY_DIFFERS", drops=drops, tray=seen.tray)
    return passed("TRAY_COUNTED", tray=drops) if drops else not_tested("NO_TOKEN")


# Lamps, display


def lamp(rail_seat: int, looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """A person sees it lit; of a slot lamp the board must not say that it draws nothing.

    `rail_seat`: 0 for a lamp that is not the rail's.
    """
    if not (_rail_is_there(looks[-1]) if rail_seat else _plugged_in(looks[-1])):
        return not_tested("AWAY")
    answer = looks[-1].came
    if len(looks) == 1 or answer is StepEnd.SKIPPED:
        return None
    if rail_seat and str(rail_seat) in _dead_lamps(looks[-1]):
        return failed("LIT_NO_CURRENT" if answer is StepEnd.YES else "DRAWS_NOTHING")
    return _answered(answer, passed("LIT"), failed("NOT_LIT"))


def _rail_is_there(look: CabinetLook) -> bool:
    return look.status.links.get("rail", False)


def _dead_lamps(look: CabinetLook) -> set[str]:
    told = (one.state.get("dead lamps", "") for one in look.devices.values())
    return {seat for seats in told for seat in seats.split()}


def display(patterns: int, looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """It is there, and each pattern can be read."""
    if not looks[-1].status.links.get("display", False):
        return failed("LOST")
    if len(looks) == 1 or looks[-1].came is StepEnd.SKIPPED:
        return None
    if looks[-1].came is not StepEnd.YES:
        return _answered(looks[-1].came, passed("LEGIBLE"), failed("NOT_LEGIBLE"))
    return passed("LEGIBLE") if len(looks) == patterns + 1 else None


def _answered(answer: StepEnd, good: PartVerdict, bad: PartVerdict) -> PartVerdict:
    if answer is StepEnd.LATE:
        return not_tested("NOT_ANSWERED")
    return good if answer is StepEnd.YES else bad


# Lines


def line(name: str, looks: Sequence[CabinetLook]) -> PartVerdict:
    """Its error rates: those of the test where enough has passed, else those since the start."""
    if name not in looks[0].devices or name not in looks[-1].devices:
        return not_tested("AWAY")
    first, last = looks[0].devices[name], looks[-1].devices[name]
    if not (first.up and last.up):
        return not_tested("AWAY")
    since, now = first.link, last.link
    if now.boots > since.boots:
        return failed("RESTARTED", times=now.boots - since.boots)
    if now.connections > since.connections:
        return failed("CUT", times=now.connections - since.connections)
    return _rates(_judged(since, now))


def _judged(since: LinkFigures, now: LinkFigures) -> LinkFigures:
    received, sent = now.received - since.received, now.sent - since.sent
    if received + sent < ENOUGH_FRAMES:
        return now
    return LinkFigures(received, now.bad - since.bad, sent, now.retries - since.retries)


def _rates(link: LinkFigures) -> PartVerdict:
    if link.bad >= FEW and link.bad > MOST_BAD * link.received:
        return failed("NOISY", bad=link.bad, received=link.received)
    if link.retries >= FEW and link.retries > MOST_RETRIES * link.sent:
        return failed("REPEATS", retries=link.retries, sent=link.sent)
    if link.received + link.sent == 0:
        return not_tested("QUIET")
    return passed("FRAMES", received=link.received, sent=link.sent, bad=link.bad)
