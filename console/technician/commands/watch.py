"""`watch`: shows every button, contact and sensor live."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress

from console.line.requests import AskInputs, Inputs, Status
from console.technician.command import Command, TechnicianSession
from console.technician.equipment import (
    GREEN,
    PANEL,
    RAIL,
    choose_inputs,
    drop_of,
    equipment_of,
    input_name,
    is_counter,
    is_on_rail,
)
from console.technician.table_requests import ask_table
from console.technician.talk import Interrupted
from console.texts.language import Language
from console.texts.layout import format_duration, wrap
from console.texts.technician import command_texts, device_texts
from console.texts.technician.device_texts import CLOSED, COUNTS, OPEN
from console.texts.technician.device_texts import WATCH_COVERED as COVERED
from console.texts.technician.device_texts import WATCH_FREE as FREE
from console.texts.technician.device_texts import WATCH_TITLES as TITLES
from devices.figures import InputFigures
from devices.roles import SEATS, KeyPosition
from jackpot.failures import Refused

MOVED = "*"

OTHERS_MOVED = 3
"""A seat without an edge is reported if at least this many other seats have one."""


EVERY_S = 0.22
"""The pause between two readings. A pulse in between shows in the edges."""

ENDS = ("q", "Q")


class InputWatch:
    """The watched inputs, their state, and what they have done meanwhile."""

    def __init__(self, inputs: Iterable[InputFigures]) -> None:
        self._now = {one.name: one for one in inputs}
        self._new = dict.fromkeys(self._now, 0)
        self._moved: set[str] = set()
        self._durations = {name: format_duration(one.since_ms) for name, one in self._now.items()}

    def update(self, inputs: Iterable[InputFigures], at_ms: int) -> None:
        """Take the inputs as they are `at_ms` after the beginning; ignore inputs not watched."""
        for one in inputs:
            old = self._now.get(one.name)
            if old is None:
                continue
            # Fewer edges than before: the service or the board has restarted its counters.
            new = one.edges - old.edges if one.edges >= old.edges else one.edges
            self._now[one.name] = one
            if new or one.closed != old.closed:
                self._new[one.name] += new
                self._moved.add(one.name)
                self._durations[one.name] = f"+{max(0, at_ms - one.since_ms) / 1000:.1f} s"

    def reset_durations(self) -> None:
        """Show for each input how long it has had its state by now."""
        self._durations = {name: format_duration(one.since_ms) for name, one in self._now.items()}

    def render(self, language: Language) -> list[str]:
        """Render a title and a row for each input; a seat's drops are in its sensor's row."""
        rows = [name for name in self._now if not self._is_in_other_row(name)]
        return [TITLES.in_(language), *(self._render_row(name, language) for name in rows)]

    def list_unmoved(self) -> list[str]:
        """List the inputs that have not moved, without plug and counters but the green button."""
        left_out = {name for name in self._now if is_counter(name)} - {GREEN} | {"plug"}
        pressed = [name for name in self._now if name not in left_out]
        return [name for name in pressed or self._now if name not in self._moved]

    def list_silent_seats(self) -> list[str]:
        """List seat sensors without an edge since the service started, if enough others have some.

        An unused seat looks the same, so this is only a hint.
        """
        sensors = [name for name in self._now if name.startswith("seat ") and not is_counter(name)]
        silent = [name for name in sensors if self._now[name].edges == 0]
        return silent if len(sensors) - len(silent) >= OTHERS_MOVED else []

    def _is_in_other_row(self, name: str) -> bool:
        return name.endswith(" drop") and name.removesuffix(" drop") in self._now

    def _render_row(self, name: str, language: Language) -> str:
        one, drop = self._now[name], self._now.get(drop_of(name))
        moved = name in self._moved or drop_of(name) in self._moved
        pulse = "-" if one.pulse_ms is None else f"{one.pulse_ms:.0f}"
        new = f"+{self._new[name]}" if self._new[name] else "-"
        state = _render_state(one, language)
        return (
            f"{MOVED if moved else ' '}{input_name(name, language):15} {state:7} "
            f"{self._durations[name]:>9} {one.edges:>7} {new:>5} {one.chatter:>5} {pulse:>8}"
            f"{'' if drop is None else f' {drop.edges:>6}'}"
        )


def _render_state(one: InputFigures, language: Language) -> str:
    if is_counter(one.name):
        return COUNTS.in_(language)
    on, off = (COVERED, FREE) if is_on_rail(one.name) else (CLOSED, OPEN)
    return (on if one.closed else off).in_(language)


def list_inputs(names: Sequence[str], language: Language) -> str:
    """Render the names of inputs, separated by blanks."""
    return " ".join(input_name(name, language).replace(" ", "-") for name in names)


async def _watch(session: TechnicianSession, words: Sequence[str]) -> None:
    answer = await ask_table(session, AskInputs(), Inputs)
    chosen = choose_inputs(words, answer.inputs)
    if not chosen:
        known = " ".join(input_name(one.name, session.language) for one in answer.inputs)
        raise Refused(session.words(device_texts.INPUTS_ARE.fill(known)))
    await session.talk.say(
        session.words(
            device_texts.Q_OR_CTRL_C,
        ),
        session.words(
            device_texts.NEW_EDGES_SINCE_WATCH,
        ),
    )
    watch = InputWatch(chosen)
    with suppress(Interrupted):  # the usual end; then what has not moved is listed
        await _follow(session, watch)
    await session.talk.say(*_describe_unmoved(session, watch))


async def _follow(session: TechnicianSession, watch: InputWatch) -> None:
    """Show the inputs until q. Raises Interrupted, Hung, Unreachable."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    while True:
        await session.talk.show(watch.render(session.language))
        key = await session.talk.key(EVERY_S)
        if key in ENDS:
            return
        if key == " ":
            watch.reset_durations()
        answer = await ask_table(session, AskInputs(), Inputs)
        watch.update(answer.inputs, round((loop.time() - began) * 1000))


def _describe_unmoved(session: TechnicianSession, watch: InputWatch) -> list[str]:
    still = watch.list_unmoved()
    if not still:
        return [session.words(device_texts.ALL_MOVED_WHILE_WATCHED)]
    title = session.words(device_texts.NOT_MOVED_WHILE_WATCHED)
    lines = wrap(list_inputs(still, session.language), first=title, after="  ")
    silent = watch.list_silent_seats()
    if silent:
        title = session.words(device_texts.NO_EDGE_SINCE_START)
        why = session.words(
            device_texts.UNUSED_SEAT_OR_DEAD,
        )
        lines += wrap(list_inputs(silent, session.language) + why, first=title, after="  ")
    return lines


def _complete_input(words: Sequence[str], status: Status | None) -> Sequence[str]:
    if words:
        first = words[0].lower()
        if first in ("seat", "posto"):
            return tuple(str(seat) for seat in SEATS)
        if first in ("key", "chiave"):
            return tuple(position.value for position in KeyPosition)
        return ()
    buttons: Sequence[str] = ()
    parts = ["inspector", "key", "plug"]
    groups = list(PANEL)
    if status is not None:
        table = equipment_of(status)
        buttons = table.buttons
        parts += ["seat"] if table.rail is not None else []
        parts += ["tray"] if table.has_gates else []
        groups += RAIL if table.rail is not None else ()
    return (*groups, *parts, *(input_name(part, Language.IT) for part in parts), *buttons)


COMMANDS = (
    Command(
        names=("watch", "osserva"),
        texts=command_texts.WATCH,
        example="watch GAME_OVER",
        run=_watch,
        complete=_complete_input,
    ),
)
