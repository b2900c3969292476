"""What the acts of a round cost, in counts that do not depend on the machine.

A change that costs more needs a reason; one that costs less lowers the numbers here.
"""

import asyncio
import os
import sqlite3
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from time import monotonic
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

from console.configuration.table_plan import TablePlan
from console.rules.round import draft
from console.rules.state import TableState
from console.service.disk_thread import DiskThread
from console.service.table_ledger import TableLedger
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from console.simulation.scenario.simulated_table import SimulatedTable
from devices.device import Device
from devices.roles import Button
from jackpot.ledger import open_files
from tests.bench.bench_rounds import MOST_CALLS, ROUNDS_COUNTED, count_calls, machine_in, play
from tests.bench.hand import Hand
from tests.bench.rig import Rig
from tests.console.table import Table
from tests.deadlines import DEADLINE_S
from tests.house.sources import PACKAGES

PAGE_OF_LOG = 4096 + 24
HEAD_OF_LOG = 32


class Costs(NamedTuple):
    """`pages`: written to the write-ahead log; `statements` of SQL, with BEGIN and COMMIT, not
    those that a statement sets off; `frames`: sent to the rail's board, with the repeated ones;
    `states` that the rules made.
    """

    records: int
    statements: int
    pages: int
    frames: int
    states: int


ROUND = {
    "press GAME_OVER": Costs(1, 1, 5, 1, 1),  # a page of the journal is full
    "token 1 3": Costs(2, 2, 4, 2, 2),
    "press COIN_IN": Costs(4, 4, 12, 3, 4),
    "wait 1s": Costs(0, 0, 0, 3, 0),
    "press FLUSH": Costs(1, 1, 2, 0, 1),
    "press JPOT": Costs(1, 1, 2, 0, 1),
}
"""The acts of hands; what follows in their 50 ms (tokens drop and reach the tray) is counted in."""


class CountedTable:
    """A table whose records, statements, pages, frames and states are counted."""

    def __init__(self, table: Table, statements: list[str], states: list[TableState]) -> None:
        self._table = table
        self._statements = statements
        self._states = states

    def count(self) -> Costs:
        service = self._table.simulated_table.service
        log = self._table.machine.disk.folder / "ledger.db-wal"
        (rail,) = (one for one in service.drivers.figures() if one.device is Device.RAIL)
        assert rail.counts is not None
        return Costs(
            service.table_ledger.newest,
            # What a statement sets off is traced under the same text.
            sum(1 for _ in groupby(self._statements)),
            (log.stat().st_size - HEAD_OF_LOG) // PAGE_OF_LOG,
            rail.counts.sent,
            len(self._states),
        )

    def play(self, line: str) -> Costs:
        before = self.count()
        self._table.play(line)
        return Costs(*(now - was for now, was in zip(self.count(), before, strict=True)))


def test_a_round_costs_no_more_than_this(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, statements, states = TablePlan(), list[str](), list[TableState]()

    def make_and_note(*fields: Any) -> TableState:
        states.append(TableState(*fields))
        return states[-1]

    monkeypatch.setattr(draft, "TableState", make_and_note)
    with machine_in_virtual_time(plan, tmp_path) as machine:
        connect = machine.disk.connect

        def connect_and_trace(path: Path | str, **options: Any) -> sqlite3.Connection:
            connection = connect(path, **options)
            connection.set_trace_callback(statements.append)
            return connection

        monkeypatch.setattr(machine.disk, "connect", connect_and_trace)
        table = CountedTable(Table(plan, machine), statements, states)
        assert {line: table.play(line) for line in ROUND} == ROUND


PRESSES = 20


def test_a_press_and_its_release_wake_the_loop_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for the edge, once for each commit. The settling time's end is a timer."""
    wakeups: list[int] = []
    read = os.eventfd_read

    def read_and_count(eventfd: int) -> int:
        wakeups.append(eventfd)
        return read(eventfd)

    async def life() -> None:
        loop = asyncio.get_running_loop()
        table_ledger = TableLedger(tmp_path, durable=False, begins=True)
        rig = Rig(loop, table_ledger, DiskThread(loop))
        await rig.start()
        buttons = (Button.GAME_OVER, Button.COIN_IN)
        hand = Hand(
            lambda number: rig.contact(buttons[number % 2], True),
            lambda number: rig.contact(buttons[number % 2], False),
        )
        rig.board.lamps_changed = hand.on_effect
        async with asyncio.timeout(DEADLINE_S):
            while not rig.service.at_rest:  # what was found at the start is on record
                await asyncio.sleep(0.001)
        commits = table_ledger.commit_times.count
        monkeypatch.setattr(os, "eventfd_read", read_and_count)
        await hand.answer({"presses": PRESSES, "pause_ms": 6})
        monkeypatch.undo()
        commits = table_ledger.commit_times.count - commits
        rig.close()
        assert commits >= PRESSES  # more if a machine under load lets the board be lost
        assert len(wakeups) == PRESSES + commits

    asyncio.run(life())


MOST_PIECES = 180
"""A press is cold code at a table, where seconds pass between two: each piece is fetched from
memory anew. The peer of the benchmarks runs 60."""

TESTS = str(Path(__file__).parents[2])

ANSWER_S = 20.0


CLOCKS = frozenset({"monotonic", "monotonic_ns", "perf_counter", "time", "time_ns", "now"})

TIME_IS_READ = {
    "ContactLine._edge": 1,  # when the contact moved, in gpiozero's thread
    "TableService.report": 1,  # the record's time
    "wall_clock": 1,  # the record's label
    "DiskThread.do": 1,  # until when the disk must answer
    "TableLedger.commit": 2,  # how long the commit took
    "BoardSession.want": 1,  # when WANT is due again, and what went out when
    "BoardSession.line_received": 1,  # when the board was heard, and what came in when
}
"""How often a press reads a clock, and where; the event loop reads its own besides."""


class PiecesOfCode:
    """The different functions that run while `seen` is a set, in all threads begun in `watch`.

    Not those of the tests, nor what the tests' board calls at its end of the line, nor what a
    thread waits with. `clocks`: our functions that have read a clock, each time.
    """

    def __init__(self) -> None:
        self.seen: set[CodeType] | None = None
        self.clocks: list[str] = []

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Look at all calls of this thread and of those that begin meanwhile."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, arg: object) -> None:
        seen = self.seen
        if seen is None:
            return
        if event == "call" and not is_of_tests(frame):
            seen.add(frame.f_code)
        elif event == "c_call" and getattr(arg, "__name__", "") in CLOCKS:
            self._note_clock(frame)

    def _note_clock(self, frame: FrameType) -> None:
        reader: FrameType | None = frame
        while reader is not None and reader.f_code.co_qualname in ("BaseEventLoop.time", MEASURED):
            reader = reader.f_back
        if reader is not None and is_of_us(reader) and not is_of_tests(reader):
            self.clocks.append(reader.f_code.co_qualname)


MEASURED = "Rig.__init__.<locals>.<lambda>"
"""The clock that the bench's table gives to its service."""


def is_of_us(frame: FrameType) -> bool:
    """Whether it is a function of our packages."""
    return frame.f_globals.get("__name__", "").partition(".")[0] in PACKAGES


def is_of_tests(frame: FrameType) -> bool:
    """Whether it is a function of the tests, or one that the tests' board has called."""
    code, above = frame.f_code, frame.f_back
    while above is not None and not above.f_code.co_qualname.startswith("Board."):
        above = above.f_back
    return above is not None or code.co_filename.startswith((TESTS, threading.__file__))


def press(rig: Rig, button: Button, pieces: PiecesOfCode) -> set[CodeType]:
    """What runs from the edge until the board's answer, that its lamps are changed, is read."""
    answered, pause = rig.round_trips, threading.Event()
    until = monotonic() + ANSWER_S
    seen = pieces.seen = set()
    rig.contact(button, True)
    while rig.round_trips == answered and monotonic() < until:
        pause.wait(0.001)
    pieces.seen = None
    assert rig.round_trips > answered, "the board does not answer"
    rig.contact(button, False)
    pause.wait(0.02)
    return seen


def test_a_press_runs_few_pieces_of_code_and_seldom_reads_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The least of some presses: regular messages and a machine's load fall into others.

    The ledger's folder has rested, as at a table.
    """
    monkeypatch.setattr(open_files, "SURE_AFTER_NS", 0)
    pieces = PiecesOfCode()
    clocks: list[Counter[str]] = []

    async def life() -> dict[Button, set[CodeType]]:
        rig = Rig(
            loop := asyncio.get_running_loop(),
            TableLedger(tmp_path, durable=False, begins=True),
            DiskThread(loop),
        )
        await rig.start()
        buttons = (Button.GAME_OVER, Button.COIN_IN)
        runs = []
        for _ in range(PRESSES):
            runs.append([await asyncio.to_thread(press, rig, button, pieces) for button in buttons])
            clocks.append(Counter(pieces.clocks))
            pieces.clocks.clear()
        rig.close()
        return {
            button: min(seen, key=len)
            for button, seen in zip(buttons, zip(*runs, strict=True), strict=True)
        }

    with pieces.watch():
        least = asyncio.run(life())
    counts = {button.value: len(seen) for button, seen in least.items()}
    assert max(counts.values()) <= MOST_PIECES, counts
    fewest = {place: min(turn[place] for turn in clocks) for place in set().union(*clocks)}
    always = {place: times for place, times in fewest.items() if times}
    assert always == {place: 2 * times for place, times in TIME_IS_READ.items()}


def test_a_simulated_round_makes_few_calls(tmp_path: Path) -> None:
    with machine_in(tmp_path, durable=False) as machine:
        simulated_table = SimulatedTable(machine)
        simulated_table.wait_for_devices()
        play(simulated_table, ROUNDS_COUNTED)  # what is compiled and kept at the first use
        assert count_calls(simulated_table) <= MOST_CALLS
