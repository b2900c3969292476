"""The counting shoe of Black Jack as the round follows it (docs/rules.md, section 9)."""

import pytest

from console.rules.acts import CardAnnulled, CoupVoid, CoupWithoutStakes, ShoeReplaced, Started
from console.rules.card_state import CoupOutcome as Won
from console.rules.codes import Fault
from console.rules.round import ActOutcome, Transition
from devices.card_reports import ShoeSeen
from devices.device import Device
from devices.roles import Button, ButtonPressed, LinkLost, LinkUp
from tests.console.rules.round.shoe_rounds import Sabot, sabot_of

COIN_IN, GAME_OVER = ButtonPressed(Button.COIN_IN), ButtonPressed(Button.GAME_OVER)


def report_draws(  # what the counting shoe reports
    sabot: Sabot, draws: int, *, cut: int | None = None, loads: int = 1, boot: int = 7
) -> Transition:
    return sabot.do(ShoeSeen(boot, loads, 312, draws, cut))


@pytest.fixture
def sabot() -> Sabot:
    """Loaded and burnt; the first hand is being dealt."""
    sabot = sabot_of("black-jack")
    report_draws(sabot, 5)
    sabot.do(GAME_OVER, COIN_IN)
    return sabot


def test_what_left_it_before_the_first_hand_is_burnt_and_what_leaves_it_then_is_dealt(
    sabot: Sabot,
) -> None:
    """TABLE 9.2"""
    report_draws(sabot, 8)
    shoe = sabot.state.shoe
    assert (shoe.burnt, shoe.coup.cards, shoe.remaining) == (5, 3, 304)


def test_a_shoe_not_burnt_is_valid_and_recorded() -> None:
    """TABLE 9.2"""
    sabot = sabot_of("black-jack")
    report_draws(sabot, 0)
    sabot.do(GAME_OVER, COIN_IN)
    assert sabot.find_decisions(ShoeSeen(7, 1, 312, 2)) == ["not-burnt"]
    assert (sabot.state.shoe.burnt, sabot.state.shoe.coup.cards) == (0, 2)


def test_cards_that_left_while_nobody_listened_are_counted_afterwards(sabot: Sabot) -> None:
    """TABLE 7.12: its counter proves them, over a restart of the service or a cable pulled out"""
    report_draws(sabot, 8)
    sabot.do(Started(), LinkLost(Device.SHOE, "silent"))
    report_draws(sabot, 17, cut=12)
    sabot.do(LinkUp(Device.SHOE))
    shoe = sabot.state.shoe
    assert (shoe.coup.cards, shoe.remaining, shoe.last) == (12, 295, True)


def test_where_the_cut_card_came_out_is_recorded(sabot: Sabot) -> None:
    step = report_draws(sabot, 17, cut=12)
    cut = next(decision for decision in step.decisions if decision.what == "cut-card")
    assert cut.facts == {"remaining": 300}


@pytest.mark.parametrize(("boot", "loads"), [(8, 1), (7, 2), (7, 0x10000 - 1)])
def test_another_memory_or_load_is_another_shoe(sabot: Sabot, boot: int, loads: int) -> None:
    report_draws(sabot, 9, cut=9)
    sabot.do(GAME_OVER)
    report_draws(sabot, 5, boot=boot, loads=loads)
    shoe = sabot.state.shoe
    assert (shoe.burnt, shoe.remaining, shoe.last) == (5, 307, False)


def test_nothing_has_been_put_in_yet() -> None:
    sabot = sabot_of("black-jack")
    sabot.do(ShoeSeen(7, 0, 0, 0))
    assert (sabot.state.shoe.cards, sabot.state.shoe.remaining) == (None, 0)


def test_a_shoe_that_counts_backwards_is_recorded_and_nothing_is_counted(sabot: Sabot) -> None:
    report_draws(sabot, 9)
    assert sabot.find_decisions(ShoeSeen(7, 1, 312, 8)) == ["shoe-counts-back"]
    assert sabot.state.shoe.remaining == 303
    report_draws(sabot, 10)
    assert sabot.state.shoe.remaining == 302


def test_a_locked_table_counts_them_when_it_is_mended(sabot: Sabot) -> None:
    mended = sabot.state
    sabot.state = sabot.with_fault(Fault.LEDGER_FAULT)
    assert report_draws(sabot, 9).outcome is ActOutcome.NO_EFFECT
    assert sabot.state.shoe == mended.shoe
    sabot.state = mended
    report_draws(sabot, 9)
    assert sabot.state.shoe.remaining == 303


def test_a_hand_is_over_at_game_over(sabot: Sabot) -> None:
    report_draws(sabot, 12)
    sabot.do(GAME_OVER, COIN_IN)
    report_draws(sabot, 14)
    assert sabot.state.shoe.coup.cards == 2


def test_the_last_card_leaves_and_the_hand_is_void(sabot: Sabot) -> None:
    """TABLE 9.5"""
    report_draws(sabot, 311)
    assert sabot.find_outcome() is None
    report_draws(sabot, 312)
    assert (sabot.find_outcome(), sabot.display[1]) == (Won.VOID, "COLPO NULLO")


def test_a_hand_after_the_last_is_recorded(sabot: Sabot) -> None:
    """TABLE 9.3"""
    report_draws(sabot, 9)
    sabot.do(GAME_OVER, COIN_IN)
    assert sabot.find_decisions(ShoeSeen(7, 1, 312, 10, 9)) == ["cut-card"], "this hand is the last"
    sabot.do(GAME_OVER, COIN_IN)
    assert sabot.find_decisions(ShoeSeen(7, 1, 312, 11, 9)) == ["coup-after-the-last"]


def test_a_new_shoe_before_game_over_voids_no_hand(sabot: Sabot) -> None:
    report_draws(sabot, 20)
    report_draws(sabot, 0, loads=2)
    assert (sabot.find_outcome(), sabot.state.shoe.remaining) == (None, 312)
    report_draws(sabot, 6, loads=2)
    assert (sabot.state.shoe.burnt, sabot.state.shoe.coup.cards) == (5, 1)


def test_a_shoe_taken_away_is_counted_no_more(sabot: Sabot) -> None:
    """TABLE 4.11: shoe-replaced"""
    report_draws(sabot, 20)
    sabot.do(ShoeReplaced("Anna"))
    assert sabot.find_outcome() is Won.VOID
    report_draws(sabot, 22)
    assert (sabot.state.shoe.cards, sabot.state.shoe.drawn) == (None, 0)
    report_draws(sabot, 5, loads=2)
    assert (sabot.state.shoe.remaining, sabot.state.shoe.burnt) == (307, 5)


def test_a_shoe_loaded_before_it_is_declared_is_the_new_one(sabot: Sabot) -> None:
    """TABLE 4.11: shoe-replaced"""
    report_draws(sabot, 20)
    report_draws(sabot, 5, loads=2)
    sabot.do(ShoeReplaced("Anna"))
    assert sabot.state.shoe.remaining == 307
    report_draws(sabot, 6, loads=2)
    assert sabot.state.shoe.remaining == 306


def test_a_card_annulled_is_in_no_hand_and_has_left_the_shoe(sabot: Sabot) -> None:
    """TABLE 4.11: card-annulled"""
    report_draws(sabot, 8)
    sabot.do(CardAnnulled("Anna"))
    shoe = sabot.state.shoe
    assert (shoe.coup.cards, shoe.burnt, shoe.remaining) == (2, 6, 304)
    report_draws(sabot, 9)
    assert (sabot.state.shoe.coup.cards, sabot.state.shoe.remaining) == (3, 303)


def test_a_card_annulled_after_the_hand_begins_none(sabot: Sabot) -> None:
    """TABLE 4.11: card-annulled"""
    report_draws(sabot, 9)
    sabot.do(GAME_OVER, CardAnnulled("Anna"), COIN_IN)
    report_draws(sabot, 11)
    assert sabot.state.shoe.coup.cards == 2


def test_a_hand_void_is_over(sabot: Sabot) -> None:
    """TABLE 4.11: coup-void; what leaves the shoe next is of the next hand"""
    report_draws(sabot, 9)
    sabot.do(CoupVoid("Anna"))
    assert sabot.find_outcome() is Won.VOID
    report_draws(sabot, 10)
    assert (sabot.find_outcome(), sabot.state.shoe.coup.cards) == (None, 1)


def test_a_hand_without_stakes_is_marked(sabot: Sabot) -> None:
    """TABLE 4.11: coup-without-stakes"""
    report_draws(sabot, 9)
    sabot.do(CoupWithoutStakes("Anna"))
    assert sabot.state.shoe.coup.without_stakes
    assert sabot.state.shoe.coup.cards == 4
