"""The parts of a cabinet to be tested, by the table's equipment, each with steps and judge. Pure.

Each `judge_` function becomes the judge of a `steps.Part` with its first arguments bound. It judges
by the readings before and after each step.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import partial

from console.rules.codes import LEDGER_FAULTS, LINK_FAULTS, Fault
from console.rules.games import RailKind
from console.technician.equipment import (
    GATE_S,
    GREEN,
    PATTERNS,
    Equipment,
    Output,
    gate,
    is_counter,
    is_on_rail,
    lamps_of,
)
from console.technician.gate_drops import count_drops
from console.technician.self_test.steps import (
    CabinetLook,
    GuidedStep,
    Inputs,
    Part,
    PartVerdict,
    StepEnd,
    fail_part,
    pass_part,
    skip_part,
)
from console.texts import self_test_texts
from console.texts.language import Language
from console.texts.self_test_texts import GROUPS, part_name
from devices.device import Device
from devices.figures import DeviceFigures, InputFigures, LineCounts
from devices.roles import SEATS, KeyPosition

FAULTS_OF = {
    Device.RAIL: (
        Fault.RAIL_LOST,
        Fault.TOKEN_STUCK,
        Fault.TRAY_COUNT,
        Fault.TOKENS_UNKNOWN,
        Fault.ACCEPTOR_CHANGED,
        Fault.SENSOR_UNSTEADY,
        Fault.DROP_SENSOR,
        Fault.BOARD_CHANGED,
    ),
    Device.SHUFFLER: (
        Fault.SHUFFLER_LOST,
        Fault.BOARD_CHANGED,
        Fault.CARD_COUNT,
        Fault.DECK_REPEATED,
    ),
    Device.SHOE: (Fault.SHOE_LOST, Fault.BOARD_CHANGED, Fault.DRAW_ERROR),
}

ANSWER_S = 120.0


def choose_parts(words: Sequence[str], parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return the parts named by group or by name, in either language; all without words."""
    typed = " ".join(words).lower()
    if not typed:
        return tuple(parts)
    groups = {typed, *(group for group, italian in GROUPS.items() if italian == typed)}
    by_group = tuple(part for part in parts if part.group in groups)
    return by_group or tuple(
        part
        for part in parts
        if typed in {part_name(part.name, language).lower() for language in Language}
    )


def list_parts(
    table: Equipment, inputs: Iterable[str], lines: Iterable[DeviceFigures]
) -> list[Part]:
    """List every part of this table. `inputs`: the names of its inputs."""
    connected = [device for device in FAULTS_OF if device in table.devices]
    parts = [
        Part("program", "program", judge_program),
        Part("ledger", "ledger", judge_ledger),
        Part("plug", "plug", judge_plug),
        *(_device(device) for device in connected),
        *((_link(),) if Device.LINK in table.devices else ()),
        _display(),
        *(_lamp(output) for output in lamps_of(table)),
        *(_button(name) for name in table.buttons),
        *((_green(),) if table.has_green else ()),
        *((_inspector(),) if "inspector" in set(inputs) else ()),
    ]
    if table.rail is not None:
        parts += [_seat(seat, table.rail) for seat in SEATS]
    if table.has_gates:
        parts.append(Part("tray", "tray", judge_tray, overall=True))
    parts.append(_key())
    named = sorted({one.line for one in lines if one.device is not Device.PANEL})
    return parts + [_line(name) for name in named]


def _device(device: Device) -> Part:
    faults = [fault.value for fault in FAULTS_OF[device]]
    return Part(device.value, device.value, partial(judge_device, device, faults))


def _link() -> Part:
    faults = [fault.value for fault in LINK_FAULTS]
    return Part("link", "link", partial(judge_link, faults))


def _line(name: str) -> Part:
    return Part(f"line {name}", "lines", partial(judge_line, name), overall=True)


def _display() -> Part:
    steps = tuple(
        GuidedStep(
            self_test_texts.ARE_BOTH_LINES_LEGIBLE.fill(output.words.it, output.words.en),
            None,
            ANSWER_S,
            output.drive,
        )
        for output in PATTERNS[:2]
    )
    return Part("display", "display", partial(judge_display, len(steps)), steps)


def _lamp(output: Output) -> Part:
    question = self_test_texts.LIT.fill(output.words.it, output.words.en)
    step = GuidedStep(question, None, ANSWER_S, output.drive)
    seat = output.seat if output.on_rail else 0
    return Part(output.name, "lamps", partial(judge_lamp, seat), (step,))


def _button(name: str) -> Part:
    say = self_test_texts.PRESS_ONCE.fill(name)
    step = GuidedStep(say, partial(has_been_pressed, name))
    return Part(f"button {name}", "buttons", partial(judge_button, name), (step,))


def _green() -> Part:
    say = self_test_texts.PRESS_GREEN_SHUFFLER_GREEN
    step = GuidedStep(say, has_been_counted)
    return Part(f"button {GREEN}", "buttons", judge_green, (step,))


def _inspector() -> Part:
    done = partial(has_changed, "inspector")
    steps = (
        GuidedStep(self_test_texts.WORK_INSPECTOR_CONTACT, done),
        GuidedStep(self_test_texts.PUT_BACK_AS, done),
    )
    return Part("inspector", "inspector", partial(judge_contact, "inspector"), steps)


def _key() -> Part:
    steps = tuple(
        GuidedStep(
            self_test_texts.TURN_KEY.fill(position.value),
            partial(is_key_at, position),
        )
        for position in KEY_ORDER
    )
    return Part("key", "key", judge_key, steps)


def _seat(seat: int, rail: RailKind) -> Part:
    token = rail is not RailKind.CCTALK  # its acceptors return tokens in SERVICE
    what = self_test_texts.TOKEN if token else self_test_texts.CARD
    where = self_test_texts.AT_SEAT.fill(seat)
    clear = GuidedStep(
        self_test_texts.CLEAR_SENSOR.fill(where.it, where.en),
        partial(is_free, seat),
    )
    put = GuidedStep(
        self_test_texts.PUT.fill(what.it, where.it, what.en, where.en),
        partial(is_covered, seat),
    )
    take = GuidedStep(
        self_test_texts.TAKE_AWAY.fill(what.it, where.it, what.en, where.en),
        partial(is_free, seat),
    )
    drop = GuidedStep(
        self_test_texts.GATE_OPENS.fill(where.it, where.en),
        partial(has_dropped, seat),
        GATE_S,
        gate(seat).drive,
    )
    gates = rail is RailKind.SLOT
    return Part(
        f"seat {seat}",
        "seats",
        partial(judge_seat, seat, gates),
        (clear, put, drop if gates else take),
        afterwards=self_test_texts.TAKE_AWAY_WHAT.fill(where.it, where.en),
    )


def judge_link(faults: Collection[str], looks: Sequence[CabinetLook]) -> PartVerdict:
    """The centre answers; else the fault says what is wrong: it is silent, or bars the table."""
    figures = [one for one in looks[-1].devices.values() if one.device is Device.LINK]
    fault = find_fault(looks[-1], faults)
    if fault is not None or not figures or not figures[0].up:
        return fault or fail_part("LOST")
    identity = figures[0].identity
    return pass_part("CENTRE", host=identity["host"], role=identity["role"])


def has_been_counted(before: Inputs, now: Inputs) -> bool:
    """Return whether a press has been counted, and no other one has followed."""
    if GREEN not in now or GREEN not in before:
        return False
    green = now[GREEN]
    return green.edges != before[GREEN].edges and green.since_ms >= SETTLED_MS


def judge_green(looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """One press is counted once, and no contact of the panel moves."""
    before = looks[0].inputs.get(GREEN)
    if before is None or not looks[-1].status.devices_up.get(Device.SHUFFLER.value, False):
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


SETTLED_MS = 300
"""A contact is settled if it has not moved for this long."""

KEY = "key "
KEY_ORDER = (KeyPosition.JPH, KeyPosition.R, KeyPosition.JPL, KeyPosition.S)
"""The order of the positions tested: from S and back to it."""

ENOUGH_FRAMES = 20
"""With fewer frames during the test, those since the start are judged."""

MOST_BAD, MOST_RETRIES = 0.01, 0.02
"""Highest shares of bad and of repeated frames."""

FEW = 3
"""Fewer bad frames or repetitions are ignored."""


# Without a person


def judge_program(looks: Sequence[CabinetLook]) -> PartVerdict:
    """The running service has the installed version."""
    running, installed = looks[-1].status.version, looks[-1].installed
    if running != installed:
        return fail_part("OLD_PROGRAM", running=running, installed=installed)
    return pass_part("VERSION", version=running)


def judge_ledger(looks: Sequence[CabinetLook]) -> PartVerdict:
    """There is no ledger fault."""
    return find_fault(looks[-1], {fault.value for fault in LEDGER_FAULTS}) or pass_part("IN_ORDER")


def judge_plug(looks: Sequence[CabinetLook]) -> PartVerdict:
    """The panel's presence contact is closed."""
    return pass_part("IN_ORDER") if _is_plugged_in(looks[-1]) else fail_part("OPEN")


def _is_plugged_in(look: CabinetLook) -> bool:
    contact = look.inputs.get("plug")
    return contact is not None and contact.closed


def judge_device(
    device: Device, faults: Collection[str], looks: Sequence[CabinetLook]
) -> PartVerdict:
    """The device is connected and has no faults."""
    figures = [one for one in looks[-1].devices.values() if one.device is device]
    if not figures or not all(one.up for one in figures):
        return fail_part("LOST")
    firmware = next((one.identity["firmware"] for one in figures if "firmware" in one.identity), "")
    return find_fault(looks[-1], faults) or (
        pass_part("IDENTITY", firmware=firmware) if firmware else pass_part("IN_ORDER")
    )


def find_fault(look: CabinetLook, faults: Collection[str]) -> PartVerdict | None:
    """The verdict if the table has one of these faults."""
    present = sorted(look.faults & frozenset(faults))
    return fail_part("FAULT", codes=" ".join(present)) if present else None


# Buttons, key, inspector


def has_been_pressed(name: str, before: Inputs, now: Inputs) -> bool:
    """Return whether a contact has closed and opened again, and has settled."""
    if name not in now or name not in before:
        return False
    contact = now[name]
    moved = contact.edges != before[name].edges
    return moved and not contact.closed and contact.since_ms >= SETTLED_MS


def judge_button(name: str, looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """One press gives two edges, and no other contact of the panel moves."""
    before = looks[0].inputs.get(name)
    if before is None or not _is_plugged_in(looks[-1]):
        return skip_part("AWAY")
    if before.closed:
        return fail_part("HELD", s=before.since_ms // 1000)
    if len(looks) == 1 or looks[-1].step_end is StepEnd.SKIPPED:
        return None
    after = looks[-1].inputs[name]
    others = find_others_moved(name, looks[0].inputs, looks[-1].inputs)
    if after.edges == before.edges:
        if others:
            return fail_part("OTHER_MOVED", other=" ".join(sorted(others)))
        return fail_part("NOT_MOVED")
    if after.closed:
        return fail_part("STAYS_CLOSED")
    return _judge_press(before, after, others)


def _judge_press(before: InputFigures, after: InputFigures, others: Collection[str]) -> PartVerdict:
    """Judge the edges of a press. A bounce gives two edges and counts one as chatter."""
    chatter = after.chatter - before.chatter
    times = (after.edges - before.edges - 2 * chatter) // 2
    if times != 1:
        return fail_part("MOVED_OFTEN", times=times)
    if others:
        return fail_part("ALSO_MOVED", other=" ".join(sorted(others)))
    pulse = "?" if after.pulse_ms is None else f"{after.pulse_ms:.0f}"
    if chatter:
        return pass_part("BOUNCED", pulse=pulse, chatter=chatter)
    return pass_part("PRESSED", pulse=pulse)


def find_others_moved(name: str, before: Inputs, after: Inputs) -> set[str]:
    """Find buttons and key contacts that moved, too. The inspector's contact may move."""
    return {
        other
        for other, one in after.items()
        if not is_on_rail(other) and other not in ("inspector", "plug", name)
        if other in before and one.edges != before[other].edges
    }


def is_key_at(position: KeyPosition, _before: Inputs, now: Inputs) -> bool:
    """Return whether the key's contact for a position is closed and has settled."""
    contact = now.get(KEY + position.value)
    return contact is not None and contact.closed and contact.since_ms >= SETTLED_MS


def judge_key(looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """Each position closes its own contact and no other."""
    if not _is_plugged_in(looks[-1]):
        return skip_part("AWAY")
    turned = looks[1:]
    if not turned:
        return None
    if turned[-1].step_end is StepEnd.SKIPPED:
        return find_fault(looks[0], {Fault.KEY_FAULT.value})
    if len(turned) < len(KEY_ORDER):
        return None
    if not any(
        turned[-1].inputs[name].edges != one.edges for name, one in _list_key_contacts(looks[0])
    ):
        return fail_part("NOT_MOVED")
    return _judge_positions([_find_closed(look) for look in turned])


def _judge_positions(closed: Sequence[frozenset[str]]) -> PartVerdict:
    """Judge the contacts closed at each position of `KEY_ORDER`."""
    crossed = next((there for there in closed if len(there) > 1), frozenset[str]())
    always = frozenset.intersection(*closed) & crossed
    wanted = [position.value for position in KEY_ORDER]
    dead = [one for one, there in zip(wanted, closed, strict=True) if one not in there]
    if always:
        return fail_part("WELDED", contacts=" ".join(sorted(always)))
    if dead:
        return fail_part("DEAD", contacts=" ".join(dead))
    if crossed:
        return fail_part("CROSSED", contacts=" ".join(sorted(crossed)))
    return pass_part("FOUR_POSITIONS")


def _list_key_contacts(look: CabinetLook) -> list[tuple[str, InputFigures]]:
    return [(name, one) for name, one in look.inputs.items() if name.startswith(KEY)]


def _find_closed(look: CabinetLook) -> frozenset[str]:
    return frozenset(name.removeprefix(KEY) for name, one in _list_key_contacts(look) if one.closed)


def has_changed(name: str, before: Inputs, now: Inputs) -> bool:
    """Return whether a contact has changed and has settled."""
    if name not in now or name not in before:
        return False
    return now[name].closed != before[name].closed and now[name].since_ms >= SETTLED_MS


CHANGED_BACK = 2
"""The reading after a contact was changed and changed back."""


def judge_contact(name: str, looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """A contact closes and opens."""
    if name not in looks[0].inputs or not _is_plugged_in(looks[-1]):
        return skip_part("AWAY")
    if len(looks) == 1 or looks[-1].step_end is StepEnd.SKIPPED:
        return None
    if looks[-1].step_end is StepEnd.LATE:
        return fail_part("STAYS_CLOSED" if looks[-1].inputs[name].closed else "NOT_MOVED")
    return pass_part("BOTH_WAYS") if len(looks) > CHANGED_BACK else None


# Seats


def is_covered(seat: int, _before: Inputs, now: Inputs) -> bool:
    """Return whether the seat's sensor is covered."""
    sensor = now.get(f"seat {seat}")
    return sensor is not None and sensor.closed


def is_free(seat: int, _before: Inputs, now: Inputs) -> bool:
    """Return whether the seat's sensor is free."""
    return not is_covered(seat, _before, now)


def has_dropped(seat: int, before: Inputs, now: Inputs) -> bool:
    """Return whether a token has dropped at the seat and reached the tray."""
    return count_drops(before, now).is_complete(seat)


CLEARED, PUT, OPENED = 1, 2, 3
"""Readings of a seat's test: after clearing the slot, putting a token in, opening the gate."""


def judge_seat(number: int, gates: bool, looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """The sensor sees a token. With a gate it drops and is counted, otherwise it is taken away."""
    if f"seat {number}" not in looks[0].inputs or not _is_rail_there(looks[-1]):
        return skip_part("AWAY")
    last = len(looks) - 1
    if looks[last].step_end is StepEnd.SKIPPED:
        return None
    late = looks[last].step_end is StepEnd.LATE
    if last == CLEARED and late:
        return fail_part("SENSOR_STAYS")
    if last == PUT and late:
        return fail_part("SENSOR_BLIND")
    if last < OPENED:
        return None
    if not gates:
        return fail_part("SENSOR_STAYS") if late else pass_part("SEEN_AND_GONE")
    return _judge_drop(number, looks[PUT].inputs, looks[OPENED].inputs)


def _judge_drop(number: int, before: Inputs, after: Inputs) -> PartVerdict:
    """Judge the gate and the drop sensor; the tray is a part of its own."""
    drops = count_drops(before, after)
    if number in drops.at:
        return fail_part("SENSOR_STAYS") if number in drops.covered else pass_part("DROPPED")
    if drops.at:
        return fail_part("WRONG_SEAT", seats=" ".join(str(other) for other in sorted(drops.at)))
    return fail_part("GATE_STICKS") if number in drops.covered else fail_part("DROP_BLIND")


def judge_tray(looks: Sequence[CabinetLook]) -> PartVerdict:
    """During the test the tray has counted as many tokens as the drop sensors."""
    if not any(is_counter(name) for name in looks[-1].inputs):
        return skip_part("AWAY")
    seen = count_drops(looks[0].inputs, looks[-1].inputs)
    drops = sum(seen.at.values())
    if seen.tray != drops:
        return fail_part("TRAY_DIFFERS", drops=drops, tray=seen.tray)
    return pass_part("TRAY_COUNTED", tray=drops) if drops else skip_part("NO_TOKEN")


# Lamps, display


def judge_lamp(rail_seat: int, looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """A person sees the lamp lit, and the board does not report a slot lamp as dead.

    `rail_seat`: 0 for a lamp that does not belong to the rail.
    """
    if not (_is_rail_there(looks[-1]) if rail_seat else _is_plugged_in(looks[-1])):
        return skip_part("AWAY")
    answer = looks[-1].step_end
    if len(looks) == 1 or answer is StepEnd.SKIPPED:
        return None
    if rail_seat and str(rail_seat) in _list_dead_lamps(looks[-1]):
        return fail_part("LIT_NO_CURRENT" if answer is StepEnd.YES else "DRAWS_NOTHING")
    return _judge_answer(answer, pass_part("LIT"), fail_part("NOT_LIT"))


def _is_rail_there(look: CabinetLook) -> bool:
    return look.status.devices_up.get("rail", False)


def _list_dead_lamps(look: CabinetLook) -> set[str]:
    lists = (one.state.get("dead lamps", "") for one in look.devices.values())
    return {seat for seats in lists for seat in seats.split()}


def judge_display(patterns: int, looks: Sequence[CabinetLook]) -> PartVerdict | None:
    """The display is connected and each pattern is legible."""
    if not looks[-1].status.devices_up.get("display", False):
        return fail_part("LOST")
    if len(looks) == 1 or looks[-1].step_end is StepEnd.SKIPPED:
        return None
    if looks[-1].step_end is not StepEnd.YES:
        return _judge_answer(looks[-1].step_end, pass_part("LEGIBLE"), fail_part("NOT_LEGIBLE"))
    return pass_part("LEGIBLE") if len(looks) == patterns + 1 else None


def _judge_answer(answer: StepEnd, good: PartVerdict, bad: PartVerdict) -> PartVerdict:
    if answer is StepEnd.LATE:
        return skip_part("NOT_ANSWERED")
    return good if answer is StepEnd.YES else bad


# Lines


def judge_line(name: str, looks: Sequence[CabinetLook]) -> PartVerdict:
    """The line's error rates are low: during the test, or since the start if that is too short."""
    if name not in looks[0].devices or name not in looks[-1].devices:
        return skip_part("AWAY")
    first, last = looks[0].devices[name], looks[-1].devices[name]
    if not (first.up and last.up):
        return skip_part("AWAY")
    since, now = first.counts, last.counts
    if now.boots > since.boots:
        return fail_part("RESTARTED", times=now.boots - since.boots)
    if now.connections > since.connections:
        return fail_part("CUT", times=now.connections - since.connections)
    return _judge_rates(_choose_figures(since, now))


def _choose_figures(since: LineCounts, now: LineCounts) -> LineCounts:
    received, sent = now.received - since.received, now.sent - since.sent
    if received + sent < ENOUGH_FRAMES:
        return now
    return LineCounts(received, now.bad - since.bad, sent, now.retries - since.retries)


def _judge_rates(counts: LineCounts) -> PartVerdict:
    if counts.bad >= FEW and counts.bad > MOST_BAD * counts.received:
        return fail_part("NOISY", bad=counts.bad, received=counts.received)
    if counts.retries >= FEW and counts.retries > MOST_RETRIES * counts.sent:
        return fail_part("REPEATS", retries=counts.retries, sent=counts.sent)
    if counts.received + counts.sent == 0:
        return skip_part("QUIET")
    return pass_part("FRAMES", received=counts.received, sent=counts.sent, bad=counts.bad)
