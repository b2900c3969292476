"""A machine's clock that is set is on record, and one that runs is not."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from console.configuration.table_plan import TablePlan
from console.line.watches import LOOK_EVERY_S, ClockWatch
from console.rules.replay import replay
from console.rules.structs import replace
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from tests.console.table import Table

LOOK = f"wait {LOOK_EVERY_S:.0f}s"


class ClockedTable(Table):
    """A table whose machine's clock is `ahead` of where it would be."""

    def __init__(self, folder: Path) -> None:
        self._machine = machine_in_virtual_time(TablePlan(), folder)
        machine = self._machine.__enter__()
        self.ahead = timedelta()
        time, runs = machine.time, machine.time.wall
        machine.time = replace(time, wall=lambda: self._label(runs()))
        self.watch = ClockWatch(machine.loop)
        machine.followers.append(self.watch.follow)
        super().__init__(TablePlan(), machine)

    def _label(self, runs: str) -> str:
        return (datetime.fromisoformat(runs) + self.ahead).isoformat()

    def sets(self) -> list[int]:
        """By how many ms the clock was set, on record."""
        found = []
        for record in self.records:
            act = record.body.get("act")
            if record.kind == "wall-clock-set" and isinstance(act, dict):
                found.append(act["by_ms"])
        return found

    def close(self) -> None:
        self.watch.follow(None)
        self._machine.__exit__(None, None, None)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ClockedTable]:
    table = ClockedTable(tmp_path)
    yield table
    table.close()


@pytest.mark.parametrize("seconds", [3, -3, 3600, -86_400 * 400])
def test_a_clock_that_is_set_is_on_record(seconds: int, table: ClockedTable) -> None:
    table.play("press GAME_OVER", LOOK)
    assert table.sets() == []
    table.ahead += timedelta(seconds=seconds)
    table.play(LOOK, "wait 1h")
    assert table.sets() == [seconds * 1000]
    assert [one.problem for one in replay(table.records) if one.problem] == []


def test_a_time_server_that_turns_it_slowly_is_none(table: ClockedTable) -> None:
    """A tenth of a second every 10 s for half an hour, as none does."""
    for _ in range(180):
        table.ahead += timedelta(milliseconds=100)
        table.play(LOOK)
    assert table.sets() == []


def test_a_clock_that_has_lost_its_time_is_on_record_at_the_start(table: ClockedTable) -> None:
    """As without a battery: it goes on from an older day. A later day is a table that was off."""
    table.play("press GAME_OVER", "power off", "wait 12h", "power on", "wait 2s")
    assert table.sets() == []
    table.play("power off")
    table.ahead -= timedelta(days=30)
    table.play("power on", "wait 2s")
    (by_ms,) = table.sets()
    assert -30 * 86_400_000 <= by_ms < -29 * 86_400_000


def test_it_is_on_record_while_the_table_is_locked(table: ClockedTable) -> None:
    table.play("disk full", "press GAME_OVER", "expect fault LEDGER_FAULT")
    table.ahead += timedelta(hours=1)
    table.play(LOOK, "disk ok", "key S", "clear LEDGER_FAULT", "expect fault none")
    assert table.sets() == [3_600_000]
