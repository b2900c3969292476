"""docs/reference/bordereau.md: what a night is, and how it is asked for."""

from datetime import UTC, date, timedelta, timezone
from pathlib import Path

import pytest

from console.bordereau.figures import RecordRange
from console.bordereau.nights import bordereau_of, find_night, newest_night, nights, rounds_of
from console.rules.codes import Phase
from console.technician.ledger_reading import count_night
from console.technician.long_work import Meter
from jackpot.failures import Refused
from jackpot.ledger.ledger import Ledger
from jackpot.money.amounts import to_cents
from tests.console.bordereau.played_nights import NIGHT, TRAY, ledger_of, play_night

ROUND = ("press GAME_OVER", "token 1", "press COIN_IN")
PAUSE = ("take 1", "press GAME_OVER", "press COIN_IN")
"""After a round: the next one without a token."""

CLOSED = (*ROUND, *PAUSE, "declare tray 1")


def of(ledger: Path) -> list[tuple[tuple[int, int], bool]]:
    """The nights on record by their rounds, and which are closed."""
    return [(night.rounds, night.stretch.closed) for night in nights(ledger)]


def test_a_tray_count_ends_it_and_the_next_record_begins_another(tmp_path: Path) -> None:
    with play_night(tmp_path, *CLOSED, "wait 1m", *CLOSED, "wait 1m", *ROUND) as table:
        ledger = ledger_of(table)
        assert of(ledger) == [((5, 5), False), ((3, 4), True), ((1, 2), True)]
        first, second = (night.stretch for night in reversed(list(nights(ledger))[1:]))
        assert second.after == first.last
        assert newest_night(ledger) == RecordRange(second.last, table.records[-1].seq, closed=False)
        assert newest_night(ledger, closed=True) == second


def test_it_is_not_closed_before_the_tray_is_counted(tmp_path: Path) -> None:
    with play_night(tmp_path, *ROUND) as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
        assert not report.stretch.closed
        assert report.phase is Phase.PLAYING
        assert report.difference is None
        with pytest.raises(Refused, match="no night is closed yet"):
            newest_night(ledger_of(table), closed=True)


def test_a_pending_award_is_told_as_pending(tmp_path: Path) -> None:
    with play_night(tmp_path, *ROUND, "press FLUSH", "key JPL", "press JPOT") as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    (award,) = report.awards
    assert (award.ended, award.status.value) == (None, "pending")
    assert to_cents(report.closing.pending) == award.total


def test_a_count_that_is_refused_ends_nothing(tmp_path: Path) -> None:
    with play_night(tmp_path, *ROUND, "declare tray 1", "expect refused ALREADY_OPEN") as table:
        assert of(ledger_of(table)) == [((1, 1), False)]
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
        assert [one.refusal for one in report.declarations] == ["ALREADY_OPEN"]
        assert report.trays == ()


def test_counted_again_it_is_the_same_night(tmp_path: Path) -> None:
    with play_night(tmp_path, *CLOSED, "key S", "wait 1s", "key R", "declare tray 2") as table:
        assert of(ledger_of(table)) == [((1, 2), True)]
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
        assert [one.counted for one in report.trays] == [1, 2]
        assert report.difference == 1
        table.play(*ROUND)
        assert newest_night(ledger_of(table), closed=True) == report.stretch


def test_counting_before_the_first_round_ends_no_night(tmp_path: Path) -> None:
    with play_night(tmp_path, "declare tray 0", *CLOSED) as table:
        assert of(ledger_of(table)) == [((1, 2), True)]


def test_what_happens_after_the_closing_is_of_the_next_night(tmp_path: Path) -> None:
    with play_night(tmp_path, *CLOSED, "key S", "wait 1s", "key R") as table:
        closed = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
        assert closed.services == ()
        table.play(*ROUND)
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
        assert len(report.services) == 1
        assert report.opening == closed.closing


def test_a_night_over_midnight_is_named_by_the_day_it_began(tmp_path: Path) -> None:
    half_past_eleven = timezone(timedelta(hours=23, minutes=30))  # where virtual time begins late
    late = (*ROUND, "wait 1h", *PAUSE, "declare tray 1")
    with play_night(tmp_path, *late, *CLOSED) as table:
        ledger = ledger_of(table)
        first, second = reversed([night.stretch for night in nights(ledger)])
    assert find_night(ledger, date(2000, 1, 1), half_past_eleven) == first
    assert find_night(ledger, date(2000, 1, 2), half_past_eleven) == second
    with pytest.raises(Refused, match="no night began on 2000-01-03"):
        find_night(ledger, date(2000, 1, 3), half_past_eleven)


def test_two_nights_of_one_day_are_asked_for_by_their_rounds(tmp_path: Path) -> None:
    with play_night(tmp_path, *CLOSED, *CLOSED) as table:
        with pytest.raises(Refused, match="2 nights began on 2000-01-01: rounds 1-2, 3-4"):
            find_night(ledger_of(table), date(2000, 1, 1), UTC)
        report = bordereau_of(ledger_of(table), rounds_of(ledger_of(table), 3, 4))
        assert (report.money.tokens_taken, report.rounds) == (1, (3, 4))


def test_a_power_cut_within_it_costs_nothing(tmp_path: Path) -> None:
    """The cut comes while a token falls, and once more while an award is pending"""
    cut = ("power off", "wait 1s", "power on", "wait 3s")
    lines = ("press GAME_OVER", "token 1 2", "jam 2", "press COIN_IN", *cut, "unjam 2")
    award = ("press COIN_IN", "press FLUSH", "key JPL", "press JPOT", *cut, "key R", *PAUSE)
    with play_night(tmp_path, *lines, *award, "declare tray 2") as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    assert len(report.starts) == 3
    assert (report.money.tokens_taken, report.difference, report.differs) == (2, 0, ())
    assert [award.winners for award in report.awards] == [1]


@pytest.mark.parametrize(
    ("first", "last", "why"), [(9, 9, "round 9"), (1, 9, "round 9"), (0, 1, "round 0")]
)
def test_rounds_that_are_not_there(first: int, last: int, why: str, tmp_path: Path) -> None:
    with play_night(tmp_path, *CLOSED) as table, pytest.raises(Refused, match=why):
        rounds_of(ledger_of(table), first, last)


def test_nothing_was_played_yet(tmp_path: Path) -> None:
    Ledger.open(tmp_path, durable=False).close()
    with pytest.raises(Refused, match="no round has been opened yet"):
        newest_night(tmp_path)


@pytest.mark.parametrize(
    "lines",
    [
        (*NIGHT, TRAY, *NIGHT),
        (*NIGHT, TRAY, *NIGHT, *ROUND, "declare tray 9", "expect refused ALREADY_OPEN"),
        ("declare tray 0", *NIGHT),
    ],
)
def test_the_technicians_meters_count_the_same(lines: tuple[str, ...], tmp_path: Path) -> None:
    """`meters` reads what moved, the bordereau whole records: they never differ"""
    with play_night(tmp_path, *lines) as table:
        ledger = ledger_of(table)
        report = bordereau_of(ledger, newest_night(ledger))
        counted = count_night(ledger, Meter())
    assert counted is not None
    assert counted.money == report.money
    assert counted.rounds == report.rounds_opened
    assert counted.faults == {
        code: sum(one.code == code for one in report.faults) for code in counted.faults
    }
