"""The tallies of nights: the sums are those of the bordereaux, and only what is new is read."""

from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from console.bordereau.figures import RecordRange
from console.bordereau.nights import bordereau_of, nights
from console.web.serving.supervisor.figures import Tallies, Tally
from console.web.serving.supervisor.reading_thread import Limit
from jackpot.ledger.ledger import read_records
from tests.console.bordereau.played_nights import (
    NIGHT,
    TRAY,
    RandomTable,
    ledger_of,
    play_night,
)
from tests.console.table import table_in


@pytest.mark.parametrize("seed", range(4))
def test_a_nights_sums_are_those_of_its_bordereau(tmp_path: Path, seed: int) -> None:
    RandomTable(tmp_path, Random(seed)).play(1_500)
    tallies = Tallies()
    found = list(nights(tmp_path))
    assert found
    for night in found:
        paper = bordereau_of(tmp_path, night.stretch)
        tally, whole = tallies.tally(tmp_path, night.stretch, Limit())
        assert whole
        assert tally.money == paper.money
        assert len(tally.rounds) == paper.rounds_opened
        assert [tally.rounds[0].number, tally.rounds[-1].number] == list(paper.rounds)
        assert sum(one.paid for one in tally.rounds) == paper.money.paid
        assert tally.jackpot[-1].units == paper.closing.jackpot


def test_a_bounded_reading_goes_on_where_it_was(tmp_path: Path) -> None:
    RandomTable(tmp_path, Random(7)).play(1_000)
    with closing(read_records(tmp_path, limit=-1)) as records:
        whole = Tally(0)
        whole.take(records)
    stretch = RecordRange(0, whole.seen, night=False, closed=False)
    tallies, times = Tallies(), 1
    tally, done = tallies.tally(tmp_path, stretch, Limit(50))
    while not done:
        tally, done = tallies.tally(tmp_path, stretch, Limit(50))
        times += 1
        assert times < 100
    assert times > 3
    assert tally.rounds == whole.rounds
    assert list(tally.jackpot) == list(whole.jackpot)


def test_of_an_open_night_only_what_is_new_is_read(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER", "token 1 2", "press COIN_IN")
        tallies, folder = Tallies(), ledger_of(table)
        first = Limit()
        tallies.tally(folder, tallies.night(folder, None, Limit()).stretch, first)
        table.play("press GAME_OVER")
        second = Limit()
        tally, whole = tallies.tally(folder, tallies.night(folder, None, Limit()).stretch, second)
    assert whole
    assert first.left < second.left == Limit().left - 1  # GAME OVER alone
    assert [one.tokens for one in tally.rounds] == [2, 0]


def test_a_night_that_is_closed_gives_way_to_the_next(tmp_path: Path) -> None:
    with play_night(tmp_path, *NIGHT, TRAY) as table:
        tallies, folder = Tallies(), ledger_of(table)
        assert tallies.night(folder, None, Limit()).stretch.closed
        table.play("press GAME_OVER", "token 5", "press COIN_IN")
        newest = tallies.night(folder, None, Limit())
        tally, _ = tallies.tally(folder, newest.stretch, Limit())
    assert newest.rounds == (5, 5)
    assert [one.tokens for one in tally.rounds] == [1]
