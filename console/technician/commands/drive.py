"""`lamp`, `display`, `gate`, `walk`: the technician drives outputs, with the key at S."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from console.line.requests import NoCode, NotDone, Status
from console.rules.structs import replace
from console.technician.command import Command, TechnicianSession, check_no_arguments
from console.technician.driven_outputs import (
    HELD_S,
    ManualOutputs,
    begins_a_command,
    drive_by_hand,
    read_inputs,
    read_open_gates,
    wait_for_key,
)
from console.technician.equipment import (
    GATE_S,
    PATTERNS,
    Equipment,
    Output,
    combination_lamp,
    display_text,
    drop_of,
    equipment_of,
    every_lamp,
    gate,
    outputs_of,
    seat_led,
    slot_lamp,
)
from console.technician.gate_drops import Drops, count_drops, describe_drops
from console.technician.table_requests import ask_status
from console.texts.layout import wrap
from console.texts.technician import command_texts, device_texts
from devices.device import Device
from devices.figures import InputFigures
from devices.roles import DISPLAY_COLUMNS, SEATS, Lamp
from jackpot.failures import Refused

COUNT_EVERY_S = 0.2

MODES = {
    "on": Lamp.ON,
    "accesa": Lamp.ON,
    "alert": Lamp.ALERT,
    "allarme": Lamp.ALERT,
    "dark": Lamp.DARK,
    "spenta": Lamp.DARK,
}
MODE_WORDS = {
    Lamp.ON: device_texts.ON,
    Lamp.ALERT: device_texts.BLINKS_FAST,
    Lamp.DARK: device_texts.DARK,
}
EVERY = ("all", "tutte")
"""Every lamp at once: `lamp all`."""
LED = ("seat", "posto")
SEAT_WORDS = tuple(str(seat) for seat in SEATS)


# lamp


async def _light_lamp(session: TechnicianSession, words: Sequence[str]) -> None:
    table = equipment_of(await ask_status(session))
    lamp = Lamp.ON
    if words and words[-1].lower() in MODES:
        lamp, words = MODES[words[-1].lower()], words[:-1]
    output = _find_lamp(session, table, [word.lower() for word in words], lamp)
    async with drive_by_hand(session) as outputs:
        await outputs.drive(output.drive)
        name, mode = output.words.in_(session.language), MODE_WORDS[lamp].in_(session.language)
        await session.talk.say(f"{name}: {mode}. " + session.words(device_texts.ENTER_END))
        lit = frozenset(at + 1 for at, one in enumerate(output.drive.slots) if one is not Lamp.DARK)
        key = await wait_for_key(session, lit if output.on_rail else frozenset())
        if key is not None and begins_a_command(key):
            session.talk.give_back(key)
    await session.talk.say(_say_released(session))


def _find_lamp(
    session: TechnicianSession, table: Equipment, words: Sequence[str], lamp: Lamp
) -> Output:
    """Find the lamp by its words. Raises Refused, or NotDone if the table has none."""
    match words:
        case [one] if one in EVERY:
            return every_lamp(table, lamp)
        case [seat] if seat in SEAT_WORDS:
            if table.rail is None:
                raise NotDone(NoCode.CANNOT, _say_no_rail(session))
            return slot_lamp(int(seat), lamp)
        case [led, seat] if led in LED and seat in SEAT_WORDS:
            return seat_led(int(seat), lamp)
        case [name]:
            names = [one.lower() for one in table.combinations]
            if name in names:
                at = names.index(name)
                return combination_lamp(at, table.combinations[at], lamp)
    known = " ".join(("1-7", "seat 1-7", *table.combinations, "all"))
    raise Refused(session.words(device_texts.WHICH_LAMP.fill(known)))


def _say_released(session: TechnicianSession) -> str:
    return session.words(device_texts.OUTPUTS_RELEASED)


def _say_no_rail(session: TechnicianSession) -> str:
    return session.words(device_texts.TABLE_NO_COIN_RAIL)


# display


async def _display(session: TechnicianSession, words: Sequence[str]) -> None:
    texts = [_parse_display_text(session, " ".join(words))] if words else list(PATTERNS)
    status = await ask_status(session)
    if not status.devices_up.get(Device.DISPLAY.value, False):
        await session.talk.say(
            session.words(
                device_texts.DISPLAY_NOT_CONNECTED_CHECK,
            )
        )
    async with drive_by_hand(session) as outputs:
        for output in texts:
            await outputs.drive(output.drive)
            await session.talk.say(*_describe_display(session, output))
            if await wait_for_key(session) in (None, "q"):
                break
    await session.talk.say(_say_released(session))


def _parse_display_text(session: TechnicianSession, text: str) -> Output:
    """Divide a text into two lines: at `|`, or after 20 characters. Raises Refused."""
    first, bar, second = text.partition("|")
    if not bar:
        first, second = text[:DISPLAY_COLUMNS], text[DISPLAY_COLUMNS:]
    first, second = first.strip(), second.strip()
    if max(len(first), len(second)) > DISPLAY_COLUMNS or not text.isascii():
        raise Refused(
            session.words(
                device_texts.TWO_LINES_ASCII_CHARACTERS,
            )
        )
    return display_text("display text", device_texts.DISPLAY, first, second)


def _describe_display(session: TechnicianSession, output: Output) -> list[str]:
    lines = output.drive.display.lines if output.drive.display is not None else ()
    frame = [f"  [{line:{DISPLAY_COLUMNS}}]" for line in lines]
    title = output.words.in_(session.language)
    return [f"{title}. " + session.words(device_texts.KEY_GO), *frame]


# gate


async def _gate(session: TechnicianSession, words: Sequence[str]) -> None:
    if len(words) != 1 or words[0] not in SEAT_WORDS:
        raise Refused(session.words(device_texts.WHICH_SEAT))
    if not equipment_of(await ask_status(session)).has_gates:
        why = session.words(device_texts.TABLE_RAIL_NO_GATES)
        raise NotDone(NoCode.CANNOT, why)
    async with drive_by_hand(session) as outputs:
        await _try_gate(session, outputs, int(words[0]), session.talk.pause)


async def _try_gate(
    session: TechnicianSession,
    outputs: ManualOutputs,
    seat: int,
    wait: Callable[[float], Awaitable[object]],
) -> None:
    """Open a gate once; print what its sensors saw until all is counted, or for 3 s.

    `wait` waits for some seconds: `Talk.pause` keeps the keys typed meanwhile, `Talk.key` does not.
    """
    before = await read_inputs(session)
    await outputs.drive(gate(seat).drive)
    await session.talk.say(
        session.words(
            device_texts.SEAT_GATE_OPEN_AT.fill(seat),
        )
    )
    loop = asyncio.get_running_loop()
    deadline = loop.time() + GATE_S
    drops, opened = Drops(), False
    while loop.time() < deadline and not drops.is_complete(seat):
        await wait(COUNT_EVERY_S)
        opened = opened or seat in await read_open_gates(session)
        drops = count_drops(before, await read_inputs(session))
    drops = replace(drops, opened=opened)
    lines = describe_drops(seat, _sees_token(before, seat), drops, session.language)
    await session.talk.say(*lines)


def _sees_token(inputs: dict[str, InputFigures], seat: int) -> bool:
    sensor = inputs.get(f"seat {seat}")
    return sensor is not None and sensor.closed and drop_of(sensor.name) in inputs


# walk


async def _walk(session: TechnicianSession, words: Sequence[str]) -> None:
    check_no_arguments(session, words)
    table = equipment_of(await ask_status(session))
    missing: list[str] = []
    async with drive_by_hand(session) as outputs:
        await session.talk.say(
            session.words(
                device_texts.KEY_GO_N_NOT,
            )
        )
        every = outputs_of(table)
        for number, output in enumerate(every, 1):
            name = output.words.in_(session.language)
            key = await _walk_output(session, outputs, output, f"{number}/{len(every)} {name}")
            if key in (None, "q", "Q"):
                break
            if key in ("n", "N"):
                missing.append(name)
    await session.talk.say(*_list_missing(session, missing), _say_released(session))


async def _walk_output(
    session: TechnicianSession, outputs: ManualOutputs, output: Output, title: str
) -> str | None:
    """Drive one output of the walk and return the key pressed."""
    if output.drive.gates:
        await session.talk.say(f"{title}?")
        await session.talk.forget_typed()
        key = await session.talk.key(HELD_S)
        if key is not None and key not in "qQnN":
            await _try_gate(session, outputs, output.seat, session.talk.key)
        return key
    await outputs.drive(output.drive)
    await session.talk.say(title)
    await session.talk.forget_typed()
    return await wait_for_key(session, frozenset({output.seat}) if output.on_rail else frozenset())


def _list_missing(session: TechnicianSession, missing: Sequence[str]) -> list[str]:
    if not missing:
        return [session.words(device_texts.NOTHING_NOTED)]
    title = session.words(device_texts.NOT_LIT)
    return wrap(", ".join(missing), first=title, after="  ")


# Completion


def _complete_lamp(words: Sequence[str], status: Status | None) -> Sequence[str]:
    if not words:
        combinations = equipment_of(status).combinations if status is not None else ()
        return (*SEAT_WORDS, *LED, *combinations, *EVERY)
    if len(words) == 1 and words[0].lower() in LED:
        return SEAT_WORDS
    return tuple(MODES)


def _complete_seat(words: Sequence[str], _status: Status | None) -> Sequence[str]:
    return () if words else SEAT_WORDS


COMMANDS = (
    Command(
        names=("lamp", "lampada"),
        texts=command_texts.LAMP,
        example="lamp FLUSH",
        run=_light_lamp,
        complete=_complete_lamp,
    ),
    Command(
        names=("display", "display"),
        texts=command_texts.DISPLAY,
        example="display CIAO|1 2 3",
        run=_display,
    ),
    Command(
        names=("gate", "sportello"),
        texts=command_texts.GATE,
        example="gate 3",
        run=_gate,
        complete=_complete_seat,
    ),
    Command(
        names=("walk", "giro"),
        texts=command_texts.WALK,
        example="walk",
        run=_walk,
    ),
)
