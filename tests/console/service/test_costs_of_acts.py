"""What the acts of a round cost, in counts that do not depend on the machine.

A change that costs more needs a reason; one that costs less lowers the numbers here.
"""

import asyncio
import os
import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from console.configuration.table_plan import TablePlan
from console.rules.round import draft
from console.rules.state import TableState
from console.service.disk_thread import DiskThread
from console.service.table_ledger import TableLedger
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from devices.device import Device
from devices.roles import Button
from tests.bench.hand import Hand
from tests.bench.rig import Rig
from tests.console.table import Table

PAGE_OF_LOG = 4096 + 24
HEAD_OF_LOG = 32


class Costs(NamedTuple):
    """`pages`: written to the write-ahead log; `statements` of SQL, with BEGIN and COMMIT;
    `frames`: sent to the rail's board, with the repeated ones; `states` that the rules made.
    """

    records: int
    statements: int
    pages: int
    frames: int
    states: int


ROUND = {
    "press GAME_OVER": Costs(1, 4, 5, 1, 1),  # a page of the journal is full
    "token 1 3": Costs(2, 8, 4, 2, 2),
    "press COIN_IN": Costs(4, 20, 12, 3, 4),
    "wait 1s": Costs(0, 0, 0, 3, 0),
    "press FLUSH": Costs(1, 4, 2, 0, 1),
    "press JPOT": Costs(1, 4, 2, 0, 1),
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
            len(self._statements),
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
        async with asyncio.timeout(60):
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
