"""A board that floods the host with states: the journal is bounded, and nothing is lost."""

from pathlib import Path

import pytest

from console.texts.catalogue.findings import find
from devices.device import Device
from devices.reporter import BURST, SPACING_S
from devices.sim.rail import SimulatedRail
from firmware_bridge.board.rail import Rail
from jackpot.ledger.ledger import verify
from tests.console.table import OPEN, Table, table_in

EVERY_S = 0.001
ALTERNATING = 0x40
"""The lamp of seat 7, that nobody plays at."""


class FloodingRail:
    """The table's rail, whose board sends a STATE each millisecond, and another one each time."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rail = table.machine.cabinet.rail
        self._states = 0
        self._going_on = True
        self._again()

    def _again(self) -> None:
        rail, loop = self._rail, self._table.machine.loop
        assert isinstance(rail, SimulatedRail)
        board = rail._board
        if self._going_on and isinstance(board, Rail):
            self._alternate(board)
            rail.cable.send(board._next_state(rail._clock.now_ms()))
            self._states += 1
            loop.call_later(EVERY_S, self._again)

    def _alternate(self, board: Rail) -> None:
        board.set_dead_lamps(board.dead_lamps ^ ALTERNATING)

    def end(self) -> int:
        """Send what is, and no more than that; how many states were sent."""
        self._going_on = False
        self._rail.mend()
        self._table.play("wait 1s")
        return self._states


class LyingRail(FloodingRail):
    """Its counters go up and down as well: whatever it counted is worth nothing."""

    def _alternate(self, board: Rail) -> None:
        super()._alternate(board)
        board.drops[6] ^= 3


def most_records(seconds: float) -> int:
    return BURST + round(seconds / SPACING_S) + 40


@pytest.mark.parametrize("flooding", [FloodingRail, LyingRail])
def test_the_journal_is_bounded_in_a_flood(flooding: type[FloodingRail], tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        before = len(table.records)
        flood = flooding(table)
        table.play("wait 5s")
        assert flood.end() > 4_000
        assert len(table.records) - before < most_records(6)
        table.play("wait 10s")
        assert verify(table.machine.disk.folder).problems == ()


def test_a_flood_is_on_record_and_is_noticed_as_long_as_it_goes_on(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        flood = FloodingRail(table)
        table.play("wait 3s")
        assert "REPORTS_FLOOD" in find_codes(table)
        sent = flood.end()
        table.play("wait 10s")
        assert "REPORTS_FLOOD" not in find_codes(table)
        (began,) = (record for record in table.records if record.kind == "flood")
        (over,) = (record for record in table.records if record.kind == "flood-over")
        assert began.body["act"] == {"device": Device.RAIL.value}
        answer = over.body["act"]
        assert isinstance(answer, dict)
        assert sent * 0.7 < answer["left_out"] < sent
        assert answer["device"] == Device.RAIL.value
        assert over.seq > began.seq


def find_codes(table: Table) -> list[str]:
    parts = table.simulated_table.service.drivers
    return [answer.code for answer in find((), parts.figures(), {}, {})]


def test_tokens_are_accepted_in_a_flood_and_the_counters_agree(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        flood = FloodingRail(table)
        table.play("wait 3s", *OPEN, "token 1 2 3", "wait 200ms", "press COIN_IN", "wait 2500ms")
        flood.end()
        table.play("wait 100ms", "press COIN_IN", "wait 1s")
        table.play("expect phase PLAYING", "expect seats 1 2 3", "expect fault none")
        table.play("expect jackpot 10004.20")
        assert table.machine.cabinet.tray_count == 3
        seen = table.state.rail.seen
        assert seen is not None
        assert sum(seen.drops) == seen.tray == 3


def test_a_tray_that_counts_at_its_latest_is_in_time_in_a_flood(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.machine.cabinet.rail.slow_chute(0.9)
        flood = FloodingRail(table)
        table.play("wait 3s", *OPEN, "token 1 2 3", "wait 200ms", "press COIN_IN", "wait 5s")
        assert "TRAY_COUNT" not in [fault.value for fault in table.state.faults]
        flood.end()
