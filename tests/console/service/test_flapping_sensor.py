"""A flapping sensor of a seat: bounded on record, counted, a fault of that seat, nothing lost."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from console.rules.codes import Fault
from devices.change_flow import REST_S
from devices.roles import Lamp, RailSeen
from devices.sensor_steadiness import BURST, REFILL_S, SensorSteadiness
from devices.sim.rail import SimulatedRail
from jackpot.ledger.ledger import verify
from tests.console.table import OPEN, Table, table_in

AT = 5
"""The seat whose sensor flaps; nobody has put a token there."""


class FlappingSensor:
    """A seat's sensor that sees something, and then nothing, `every_ms`."""

    def __init__(self, table: Table, every_ms: int, seat: int = AT) -> None:
        rail = table.machine.cabinet.rail
        assert isinstance(rail, SimulatedRail)
        self._rail, self._loop = rail, table.machine.loop
        self._every_s, self._seat = every_ms / 1000, seat
        self._covered, self._going_on = False, True
        self.changes = 0
        self._again()

    def _again(self) -> None:
        if not self._going_on:
            return
        self._change()
        self._loop.call_later(self._every_s, self._again)

    def _change(self) -> None:
        self._covered = not self._covered
        self.changes += 1
        (self._rail.cover if self._covered else self._rail.uncover)(self._seat)

    def end(self) -> None:
        """It rests, and sees nothing."""
        self._going_on = False
        if self._covered:
            self._change()


def count_records(table: Table) -> int:
    return table.simulated_table.service.table_ledger.newest


def faults(table: Table) -> tuple[Fault, ...]:
    return table.state.faults


@pytest.mark.parametrize("every_ms", [25, 100])
def test_the_journal_is_bounded_while_it_flaps(every_ms: int, tmp_path: Path) -> None:
    """It was one record for each change: 2,400 a minute at 25 ms."""
    with table_in(tmp_path) as table:
        table.play(*OPEN)
        before = count_records(table)
        sensor = FlappingSensor(table, every_ms)
        table.play("wait 10s")
        assert BURST < count_records(table) - before <= BURST + 6
        bounded = count_records(table)
        table.play("wait 10s")
        assert count_records(table) == bounded, "as long as it flaps, nothing more"
        sensor.end()


def test_it_is_a_fault_of_that_seat_until_it_has_rested_and_its_changes_are_counted(
    tmp_path: Path,
) -> None:
    with table_in(tmp_path) as table:
        table.play(*OPEN)
        sensor = FlappingSensor(table, 20)
        table.play("wait 3s", "expect fault SENSOR_UNSTEADY")
        assert table.machine.cabinet.slot_lamps()[AT] is Lamp.ALERT
        (raised,) = (record for record in table.records if "sensor-unsteady" in str(record.body))
        decisions = [
            {"decision": "sensor-unsteady", "seat": AT},
            {"decision": "fault-raised", "fault": "SENSOR_UNSTEADY"},
        ]
        found = raised.body["decisions"]
        assert isinstance(found, list)
        assert found[-2:] == decisions
        sensor.end()
        table.play(f"wait {REST_S:.0f}s", "wait 100ms", "expect fault none")
        (steady,) = (record for record in table.records if record.kind == "sensor-steady")
        assert steady.body["act"] == {"seat": AT, "left_out": sensor.changes - BURST}


def test_what_it_sees_is_no_token_and_the_others_play(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*OPEN)
        sensor = FlappingSensor(table, 25)
        table.play("wait 3s", "token 1 3", "wait 200ms", "press COIN_IN", "wait 2500ms")
        table.play("expect phase PLAYING", "expect seats 1 3", "expect jackpot 10002.80")
        assert table.machine.cabinet.tray_count == 2
        sensor.end()
        table.play("wait 11s", "expect fault none", "expect seats 1 3")
        assert verify(table.machine.disk.folder).problems == ()


def test_a_token_that_drops_there_is_counted(tmp_path: Path) -> None:
    """Its gate was opened while the sensor was still steady: the drop counter proves it."""
    with table_in(tmp_path) as table:
        table.play(*OPEN, f"token {AT}", f"jam {AT}", "press COIN_IN", "wait 1s")
        sensor = FlappingSensor(table, 5)
        rail = table.machine.cabinet.rail
        table.play("wait 600ms")
        rail.jam(AT, False)
        table.play("wait 3s", f"expect seats {AT}", "expect jackpot 10001.40")
        sensor.end()


def test_the_fault_outlives_power_until_the_sensor_is_seen_steady(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*OPEN)
        sensor = FlappingSensor(table, 20)
        table.play("wait 3s", "expect fault SENSOR_UNSTEADY")
        sensor.end()
        table.play("power off", "power on", "wait 1s", "expect fault none")


Change = tuple[int, float]
"""A seat, and after how many seconds its sensor changes."""


@given(
    some.lists(some.tuples(some.integers(1, 7), some.floats(0.005, 4.0)), min_size=1, max_size=250)
)
def test_changes_are_bounded_counted_and_in_the_end_believed(changes: list[Change]) -> None:
    """However the sensors flap: as many reports as the bucket has, and then what is true."""
    steadiness, now, occupied = SensorSteadiness(), 0.0, frozenset[int]()
    steadiness.take(occupied, now)
    passed, counted = dict.fromkeys(range(1, 8), 0), 0
    for seat, after in changes:
        now += after
        counted += sum(one.left_out for one in steadiness.settle(now))
        before = steadiness.believed
        occupied ^= {seat}
        steadiness.take(occupied, now)
        assert steadiness.believed == occupied - steadiness.unsteady
        if steadiness.believed != before and seat not in steadiness.unsteady:
            passed[seat] += 1
    for seat, times in passed.items():
        assert times <= BURST + now / REFILL_S, seat
    counted += sum(one.left_out for one in steadiness.settle(now + REST_S))
    assert steadiness.unsteady == frozenset()
    assert steadiness.believed == occupied
    assert sum(passed.values()) + counted == len(changes)
    assert steadiness.deadline is None


def test_a_mended_sensor_is_believed_however_long_it_had_flapped() -> None:
    steadiness, now = SensorSteadiness(), 0.0
    for change in range(9000):
        now += 0.025
        steadiness.take(frozenset({AT} if change % 2 else ()), now)
    now += REST_S
    assert [one.left_out for one in steadiness.settle(now)] == [8999 - BURST]
    for change in range(3):
        steadiness.take(frozenset({AT} if change % 2 else ()), now + change)
        assert steadiness.unsteady == frozenset()


def test_a_steady_rail_reports_as_before() -> None:
    """Nothing is added to its records."""
    assert b"unsteady" not in msgspec.json.encode(RailSeen(1, frozenset({3})))
