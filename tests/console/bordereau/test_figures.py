"""TABLE 11: what the bordereau of one night says, figure by figure."""

from pathlib import Path

import pytest

from console.bordereau.figures import AwardStatus, RecordRange
from console.bordereau.money_totals import MoneyTotals
from console.bordereau.nights import bordereau_of, newest_night
from console.bordereau.tally import OpeningState, compute_bordereau
from console.rules.records import UnreadableRecord
from console.rules.state import TableState
from console.rules.structs import replace
from jackpot.ledger.journal import Record
from jackpot.money.accounts import Account, Reason
from jackpot.money.amounts import Units
from jackpot.money.movements import correction
from jackpot.money.prizes import Combination
from tests.console.bordereau.played_nights import (
    NIGHT,
    TRAY,
    ledger_of,
    play_closed_night,
    play_night,
)

CENT = 10_000


def test_tokens_and_where_their_value_went(tmp_path: Path) -> None:
    report = play_closed_night(tmp_path)
    assert (report.money.tokens_taken, report.money.tokens_returned) == (5, 1)
    assert report.money.contribution(Account.TRAY) == -800 * CENT
    assert report.money.contribution(Account.JACKPOT) == 560 * CENT
    # The reserve was empty when the token went back: the house gave its part.
    assert report.money.contribution(Account.RESERVE) == 100 * CENT
    assert report.money.contribution(Account.HOUSE) == 140 * CENT
    assert (report.rounds, report.rounds_opened, report.rounds_staked) == ((1, 4), 4, 3)


def test_awards_one_by_one(tmp_path: Path) -> None:
    report = play_closed_night(tmp_path)
    shown = [
        (one.begun.round, one.combination, one.winners, one.each, one.total, one.status)
        for one in report.awards
    ]
    assert shown == [
        (1, Combination.FLUSH, 2, 10_004, 20_008, AwardStatus.FINAL),
        (1, Combination.ROYAL_FLUSH, 1, 980_412, 980_412, AwardStatus.FINAL),
        (2, Combination.FULL_HOUSE, 1, 10_000, 10_000, AwardStatus.CANCELLED),
    ]
    assert [one.inspector for one in report.awards] == [False, True, True]
    assert report.money.of(Reason.RESEED).of(Account.JACKPOT) == 500_000 * CENT


def test_without_a_contact_nobody_says_whether_the_inspector_was_there(tmp_path: Path) -> None:
    with play_night(tmp_path, *NIGHT, TRAY, settings=()) as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    assert {one.inspector for one in report.awards} == {None}


def test_the_tray_is_held_against_the_tokens_on_record(tmp_path: Path) -> None:
    with play_night(tmp_path, *NIGHT, "declare tray 9", "declare tray 3") as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    assert [(one.counted, one.who) for one in report.trays] == [
        (9, "capotavolo"),
        (3, "capotavolo"),
    ]
    assert [(one.expected, one.difference) for one in report.trays] == [(4, 5), (0, 3)]
    assert report.difference == -1  # not that of the recount, which expected none


def test_faults_with_their_times_and_service(tmp_path: Path) -> None:
    report = play_closed_night(tmp_path)
    assert [one.code for one in report.faults] == ["TOKEN_STUCK", "SHUFFLER_LOST"]
    for fault in report.faults:
        assert fault.raised
        assert fault.cleared
        assert fault.raised.wall < fault.cleared.wall
    (service,) = report.services
    assert service.begun
    assert service.ended
    assert service.people == ()
    assert report.refused == {"INSPECTOR_ABSENT": 1, "ALREADY_OPEN": 1}
    assert report.noticed == {"token-stuck": 1}


def test_a_token_that_sticks_three_times_is_one_token(tmp_path: Path) -> None:
    tries = ("press COIN_IN", "wait 3s") * 3
    first = ("press GAME_OVER", "token 1 2", "jam 2", *tries, "unjam 2", "press COIN_IN", "wait 3s")
    second = ("press GAME_OVER", "token 2", "jam 2", *tries)
    with play_night(tmp_path, *first, *second) as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    assert report.noticed["token-stuck"] == 2


def test_a_fault_is_over_when_it_clears_and_who_cleared_it_is_named(tmp_path: Path) -> None:
    trouble = ("press GAME_OVER", "token 1 2", "jam 2", "press COIN_IN", "power off")
    cut = ("unjam 2", "take 2", "power on", "wait 3s", "press COIN_IN")
    end = ("press GAME_OVER", "press COIN_IN", "key S", "clear TRAY_COUNT", "key R")
    with play_night(tmp_path, *trouble, *cut, *end, "declare tray 1") as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    (fault,) = (one for one in report.faults if one.code == "TRAY_COUNT")
    assert fault.cleared
    assert fault.who
    assert report.services[-1].people == (fault.who,)
    assert len(report.starts) == 2


def test_a_fault_of_the_ledger_and_what_was_refused_meanwhile(tmp_path: Path) -> None:
    lines = ("press GAME_OVER", "disk full", "token 1", "press COIN_IN", "press COIN_IN")
    mended = ("disk ok", "key S", "clear LEDGER_FAULT", "key R", "take 1", "press COIN_IN")
    with play_night(tmp_path, *lines, *mended) as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    (fault,) = (one for one in report.faults if one.code == "LEDGER_FAULT")
    assert fault.raised
    assert fault.cleared
    assert fault.who
    assert report.refused["LOCKED"] >= 1
    assert report.differs == ()


def test_decks_and_cards(tmp_path: Path) -> None:
    deal = ("deck load red", "wait 4m", "press GAME_OVER", "press COIN_IN", "packet take 3")
    rest = ("deck unload", "wait 10s", "declare tray 0")
    with play_night(tmp_path, *deal, *rest) as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    assert (report.cards.decks, report.cards.dealt) == (1, 15)
    with play_night(tmp_path / "next", *deal, *deal[2:], *rest) as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    assert report.cards.dealt >= 15


@pytest.mark.parametrize(
    ("game", "draws", "coups"),
    [
        ("mini-punto-banco", ("draw 9H KD KC 3S", "draw 8H KD KC 3S"), {"PUNTO": 2}),
        ("black-jack", ("draw", "draw", "draw", "draw", "draw", "draw", "draw", "draw"), {}),
    ],
)
def test_shoe_and_coups(
    game: str, draws: tuple[str, ...], coups: dict[str, int], tmp_path: Path
) -> None:
    lines = ("shoe load", "shoe burn", "press GAME_OVER", "press COIN_IN", *draws)
    with play_night(tmp_path, *lines, "declare tray 0", settings=(f"game {game}",)) as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
        left = table.state.shoe.remaining
    assert (report.cards.shoes, report.cards.coups) == (1, coups)
    assert report.cards.drawn + left == 312
    assert report.money == MoneyTotals()


@pytest.mark.parametrize("game", ["mini-punto-banco", "black-jack"])
def test_another_shoe_is_counted_from_its_first_card(game: str, tmp_path: Path) -> None:
    reads = game == "mini-punto-banco"
    cards = "draw 9H KD KC 3S" if reads else "draw"
    shoe = ("shoe load", "shoe burn", "press GAME_OVER", "press COIN_IN", cards)
    with play_night(tmp_path, *shoe, *shoe, "declare tray 0", settings=(f"game {game}",)) as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    assert report.cards.shoes == 2
    assert report.cards.drawn == 2 * (5 + (4 if reads else 1))


def test_other_settings_are_named_with_their_time(tmp_path: Path) -> None:
    first = ("press GAME_OVER", "token 1", "press COIN_IN", "press GAME_OVER", "press COIN_IN")
    with play_night(tmp_path, *first):
        pass
    dearer = ("press GAME_OVER", "token 2", "press COIN_IN", "press GAME_OVER", "press COIN_IN")
    with play_night(tmp_path, *dearer, "declare tray 2", settings=("token 5.00",)) as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    assert [settings.money.token for _, settings in report.settings] == [200, 500]
    assert [settings.version for _, settings in report.settings] == [1, 2]
    assert report.money.contribution(Account.TRAY) == -700 * CENT
    assert report.difference == 0
    assert len(report.starts) == 2


def correction_record(seq: int, amount: int) -> Record:
    moved = correction("simulated/correction-1", Units(amount), Account.HOUSE, Account.RESERVE)
    state = TableState().balances.after(moved)
    act = {"who": "anna", "second": "bruno", "reason": "miscounted in July"}
    return Record(
        kind="corrected",
        round=0,
        at_ms=0,
        wall="2026-11-20T20:00:00+00:00",
        settings_version=1,
        body={"act": act, "outcome": "done", "changes": {"balances": state.to_dict()}},
        transactions=(moved,),
        seq=seq,
        boot=1,
        previous="",
        hash="00",
    )


def test_a_correction_has_two_names_and_a_reason() -> None:
    report = compute_bordereau(OpeningState({}), [correction_record(1, 500)], RecordRange(0, 1))
    (one,) = report.corrections
    assert (one.who, one.second, one.reason) == ("anna", "bruno", "miscounted in July")
    assert one.moved == {Account.HOUSE: -500, Account.RESERVE: 500}
    assert report.differs == ()


def test_what_does_not_add_up_is_named() -> None:
    balances = {**TableState().balances.to_dict(), "reserve": 501, "house": -500}
    changed = replace(correction_record(1, 500), body={"changes": {"balances": balances}})
    assert compute_bordereau(OpeningState({}), [changed], RecordRange(0, 1)).differs == ("reserve",)


def test_a_record_that_says_something_else_is_told() -> None:
    nonsense = replace(correction_record(1, 500), body={"changes": {"balances": {"cellar": 1}}})
    with pytest.raises(UnreadableRecord, match="cellar"):
        compute_bordereau(OpeningState({}), [nonsense], RecordRange(0, 1))
