"""Lists the parts to be tested, by the table's equipment, in the order of the test."""

from collections.abc import Iterable, Sequence
from functools import partial

from console.rules.codes import LINK_FAULTS, Fault
from console.rules.games import RailKind
from console.technician.cabinet.equipment import GATE_S, PATTERNS, Equipment, Output, gate, lamps_of
from console.technician.cabinet.input_names import GREEN
from console.technician.self_test import judges
from console.technician.self_test.judges import has_been_counted, judge_green, judge_link
from console.technician.self_test.steps import GuidedStep, Part
from console.texts import self_test_texts
from console.texts.language import Language
from console.texts.self_test_texts import GROUPS, part_name
from devices.device import Device
from devices.figures import DeviceFigures
from devices.roles import SEATS

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
        Part("program", "program", judges.judge_program),
        Part("ledger", "ledger", judges.judge_ledger),
        Part("plug", "plug", judges.judge_plug),
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
        parts.append(Part("tray", "tray", judges.judge_tray, overall=True))
    parts.append(_key())
    named = sorted({one.line for one in lines if one.device is not Device.PANEL})
    return parts + [_line(name) for name in named]


def _device(device: Device) -> Part:
    faults = [fault.value for fault in FAULTS_OF[device]]
    return Part(device.value, device.value, partial(judges.judge_device, device, faults))


def _link() -> Part:
    faults = [fault.value for fault in LINK_FAULTS]
    return Part("link", "link", partial(judge_link, faults))


def _line(name: str) -> Part:
    return Part(f"line {name}", "lines", partial(judges.judge_line, name), overall=True)


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
    return Part("display", "display", partial(judges.judge_display, len(steps)), steps)


def _lamp(output: Output) -> Part:
    question = self_test_texts.LIT.fill(output.words.it, output.words.en)
    step = GuidedStep(question, None, ANSWER_S, output.drive)
    seat = output.seat if output.on_rail else 0
    return Part(output.name, "lamps", partial(judges.judge_lamp, seat), (step,))


def _button(name: str) -> Part:
    say = self_test_texts.PRESS_ONCE.fill(name)
    step = GuidedStep(say, partial(judges.has_been_pressed, name))
    return Part(f"button {name}", "buttons", partial(judges.judge_button, name), (step,))


def _green() -> Part:
    say = self_test_texts.PRESS_GREEN_SHUFFLER_GREEN
    step = GuidedStep(say, has_been_counted)
    return Part(f"button {GREEN}", "buttons", judge_green, (step,))


def _inspector() -> Part:
    done = partial(judges.has_changed, "inspector")
    steps = (
        GuidedStep(self_test_texts.WORK_INSPECTOR_CONTACT, done),
        GuidedStep(self_test_texts.PUT_BACK_AS, done),
    )
    return Part("inspector", "inspector", partial(judges.judge_contact, "inspector"), steps)


def _key() -> Part:
    steps = tuple(
        GuidedStep(
            self_test_texts.TURN_KEY.fill(position.value),
            partial(judges.is_key_at, position),
        )
        for position in judges.KEY_ORDER
    )
    return Part("key", "key", judges.judge_key, steps)


def _seat(seat: int, rail: RailKind) -> Part:
    token = rail is not RailKind.CCTALK  # its acceptors return tokens in SERVICE
    what = self_test_texts.TOKEN if token else self_test_texts.CARD
    where = self_test_texts.AT_SEAT.fill(seat)
    clear = GuidedStep(
        self_test_texts.CLEAR_SENSOR.fill(where.it, where.en),
        partial(judges.is_free, seat),
    )
    put = GuidedStep(
        self_test_texts.PUT.fill(what.it, where.it, what.en, where.en),
        partial(judges.is_covered, seat),
    )
    take = GuidedStep(
        self_test_texts.TAKE_AWAY.fill(what.it, where.it, what.en, where.en),
        partial(judges.is_free, seat),
    )
    drop = GuidedStep(
        self_test_texts.GATE_OPENS.fill(where.it, where.en),
        partial(judges.has_dropped, seat),
        GATE_S,
        gate(seat).drive,
    )
    gates = rail is RailKind.SLOT
    return Part(
        f"seat {seat}",
        "seats",
        partial(judges.judge_seat, seat, gates),
        (clear, put, drop if gates else take),
        afterwards=self_test_texts.TAKE_AWAY_WHAT.fill(where.it, where.en),
    )
