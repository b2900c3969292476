"""Rounds, stakes, awards and hand times as the record has them, beside what was played."""

from pathlib import Path

import pytest

from console.web.serving.supervisor.figures import LONGEST_HAND_MS, RoundFigures, Tally
from jackpot.ledger.journal import Record
from tests.console.bordereau.played_nights import NIGHT, play_night
from tests.console.table import Table, table_in


def rounds_of(table: Table) -> tuple[RoundFigures, ...]:
    """All rounds of a table, taken record by record."""
    tally = Tally(0)
    tally.take(table.records)
    return tally.rounds


def test_a_round_has_its_tokens_awards_time_and_jackpot(tmp_path: Path) -> None:
    with play_night(tmp_path, *NIGHT) as table:
        first, second, third, last = rounds_of(table)
    assert (first.number, first.tokens, first.awards) == (1, 2, 2)  # one of three tokens returned
    assert (second.tokens, second.awards, second.paid) == (1, 0, 0)  # its award was cancelled
    assert (third.tokens, third.awards) == (1, 0)
    assert (last.number, last.tokens, last.hand_ms) == (4, 0, None)
    paid = [one.paid for one in (first, second, third, last)]
    assert sum(paid) == table.state.balances.paid
    assert last.jackpot == table.state.balances.jackpot


def test_the_jackpot_does_not_fall_while_an_award_of_all_of_it_is_checked(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER", "token 1", "press COIN_IN", "wait 1s")
        table.play("press ROYAL_FLUSH", "key JPH", "press JPOT")
        assert rounds_of(table)[-1].jackpot == table.state.balances.pending > 10_000 * 1_000_000
        table.play("key R")
        assert rounds_of(table)[-1].jackpot == table.state.balances.jackpot == 5_000 * 1_000_000


def test_a_hand_lasts_from_coin_in_to_game_over(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER", "token 1", "press COIN_IN", "wait 45s", "press GAME_OVER")
        table.play("wait 5s", "press COIN_IN", "wait 20s", "press GAME_OVER")
        played_hand, without_tokens, open_one = rounds_of(table)
    assert played_hand.hand_ms == pytest.approx(45_000, abs=1_000)
    assert without_tokens.hand_ms == pytest.approx(20_000, abs=1_000)
    assert (open_one.closed, open_one.hand_ms) == ("", None)


def test_a_token_tried_again_does_not_begin_the_hand_anew(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER", "jam 2", "token 1 2", "press COIN_IN", "wait 10s")
        table.play("unjam 2", "press COIN_IN", "wait 10s", "press GAME_OVER")
        hand = rounds_of(table)[0]
    assert hand.hand_ms == pytest.approx(20_000, abs=1_500)
    assert hand.tokens == 2


@pytest.mark.parametrize(("more", "hand_ms"), [(0, LONGEST_HAND_MS), (1, None)])
def test_a_long_pause_is_no_hand(more: int, hand_ms: int | None) -> None:
    tally = Tally(0)
    ended = 5_000 + LONGEST_HAND_MS + more
    tally.take(
        (
            record_of("GAME_OVER", 1, 1, 1_000),
            record_of("COIN_IN", 1, 2, 5_000),
            record_of("GAME_OVER", 2, 3, ended),
        )
    )
    assert tally.rounds[0].hand_ms == hand_ms


def test_a_hand_with_a_start_in_it_has_no_time(tmp_path: Path) -> None:
    """Each start has a clock of its own"""
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER", "token 1", "press COIN_IN", "wait 10s")
        table.play("power off", "wait 5s", "power on", "wait 5s", "press GAME_OVER")
        hand = rounds_of(table)[0]
    assert (hand.tokens, hand.hand_ms) == (1, None)


def test_refused_buttons_begin_and_end_nothing(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press COIN_IN", "press GAME_OVER", "press GAME_OVER", "token 1")
        table.play("press COIN_IN", "wait 3s", "press COIN_IN", "key JPL", "press GAME_OVER")
        rounds = rounds_of(table)
    assert [(one.number, one.tokens, one.hand_ms) for one in rounds] == [(1, 1, None)]


def test_a_table_without_a_jackpot_has_rounds_and_times(tmp_path: Path) -> None:
    with table_in(tmp_path, "game black-jack") as table:
        table.play("press GAME_OVER", "wait 5s", "press COIN_IN", "wait 30s", "press GAME_OVER")
        first, _ = rounds_of(table)
    assert (first.tokens, first.jackpot) == (0, None)
    assert first.hand_ms == pytest.approx(30_000, abs=1_000)


def test_of_too_many_rounds_the_newest_are_kept() -> None:
    tally = Tally(0, most_rounds=3)
    tally.take(record_of("GAME_OVER", number, number) for number in range(1, 6))
    assert [one.number for one in tally.rounds] == [3, 4, 5]
    assert tally.dropped == 2


def record_of(button: str, round: int, seq: int, at_ms: int = 0) -> Record:
    """A button, done."""
    return Record(
        kind="button",
        round=round,
        at_ms=at_ms,
        wall="",
        settings_version=1,
        body={"act": {"button": button}, "outcome": "done"},
        seq=seq,
        boot=1,
        previous="",
        hash="",
    )
