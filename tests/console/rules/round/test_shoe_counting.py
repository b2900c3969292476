"""The counting shoe of Black Jack as the round follows it (docs/reference/rules.md, section 9)."""

import pytest

from console.rules.acts import CardAnnulled, CoupVoid, CoupWithoutStakes, ShoeReplaced, Started
from console.rules.card_state import CoupOutcome as Won
from console.rules.codes import Fault
from console.rules.round import ActOutcome, Transition
from devices.card_reports import ShoeSeen
from devices.device import Device
from devices.roles import Button, ButtonPressed, DeviceLost, DeviceUp
from tests.console.rules.round.shoe_rounds import PureShoeTable, shoe_table_of

COIN_IN, GAME_OVER = ButtonPressed(Button.COIN_IN), ButtonPressed(Button.GAME_OVER)


def report_draws(  # what the counting shoe reports
    shoe_table: PureShoeTable,
    draws: int,
    *,
    cut: int | None = None,
    loads: int = 1,
    boot: int = 7,
) -> Transition:
    return shoe_table.do(ShoeSeen(boot, loads, 312, draws, cut))


@pytest.fixture
def shoe_table() -> PureShoeTable:
    """Loaded and burnt; the first hand is being dealt."""
    shoe_table = shoe_table_of("black-jack")
    report_draws(shoe_table, 5)
    shoe_table.do(GAME_OVER, COIN_IN)
    return shoe_table


def test_what_left_it_before_the_first_hand_is_burnt_and_what_leaves_it_then_is_dealt(
    shoe_table: PureShoeTable,
) -> None:
    """TABLE 9.2"""
    report_draws(shoe_table, 8)
    shoe = shoe_table.state.shoe
    assert (shoe.burnt, shoe.coup.cards, shoe.remaining) == (5, 3, 304)


def test_a_shoe_not_burnt_is_valid_and_recorded() -> None:
    """TABLE 9.2"""
    shoe_table = shoe_table_of("black-jack")
    report_draws(shoe_table, 0)
    shoe_table.do(GAME_OVER, COIN_IN)
    assert shoe_table.find_decisions(ShoeSeen(7, 1, 312, 2)) == ["not-burnt"]
    assert (shoe_table.state.shoe.burnt, shoe_table.state.shoe.coup.cards) == (0, 2)


def test_cards_that_left_while_nobody_listened_are_counted_afterwards(
    shoe_table: PureShoeTable,
) -> None:
    """TABLE 7.12: its counter proves them, over a restart of the service or a cable pulled out"""
    report_draws(shoe_table, 8)
    shoe_table.do(Started(), DeviceLost(Device.SHOE, "silent"))
    report_draws(shoe_table, 17, cut=12)
    shoe_table.do(DeviceUp(Device.SHOE))
    shoe = shoe_table.state.shoe
    assert (shoe.coup.cards, shoe.remaining, shoe.last) == (12, 295, True)


def test_where_the_cut_card_came_out_is_recorded(shoe_table: PureShoeTable) -> None:
    step = report_draws(shoe_table, 17, cut=12)
    cut = next(decision for decision in step.decisions if decision.what == "cut-card")
    assert cut.facts == {"remaining": 300}


@pytest.mark.parametrize(("boot", "loads"), [(8, 1), (7, 2), (7, 0x10000 - 1)])
def test_another_memory_or_load_is_another_shoe(
    shoe_table: PureShoeTable, boot: int, loads: int
) -> None:
    report_draws(shoe_table, 9, cut=9)
    shoe_table.do(GAME_OVER)
    report_draws(shoe_table, 5, boot=boot, loads=loads)
    shoe = shoe_table.state.shoe
    assert (shoe.burnt, shoe.remaining, shoe.last) == (5, 307, False)


def test_nothing_has_been_put_in_yet() -> None:
    shoe_table = shoe_table_of("black-jack")
    shoe_table.do(ShoeSeen(7, 0, 0, 0))
    assert (shoe_table.state.shoe.cards, shoe_table.state.shoe.remaining) == (None, 0)


def test_a_shoe_that_counts_backwards_is_recorded_and_nothing_is_counted(
    shoe_table: PureShoeTable,
) -> None:
    report_draws(shoe_table, 9)
    assert shoe_table.find_decisions(ShoeSeen(7, 1, 312, 8)) == ["shoe-counts-back"]
    assert shoe_table.state.shoe.remaining == 303
    report_draws(shoe_table, 10)
    assert shoe_table.state.shoe.remaining == 302


def test_a_locked_table_counts_them_when_it_is_mended(shoe_table: PureShoeTable) -> None:
    mended = shoe_table.state
    shoe_table.state = shoe_table.with_fault(Fault.LEDGER_FAULT)
    assert report_draws(shoe_table, 9).outcome is ActOutcome.NO_EFFECT
    assert shoe_table.state.shoe == mended.shoe
    shoe_table.state = mended
    report_draws(shoe_table, 9)
    assert shoe_table.state.shoe.remaining == 303


def test_a_hand_is_over_at_game_over(shoe_table: PureShoeTable) -> None:
    report_draws(shoe_table, 12)
    shoe_table.do(GAME_OVER, COIN_IN)
    report_draws(shoe_table, 14)
    assert shoe_table.state.shoe.coup.cards == 2


def test_the_last_card_leaves_and_the_hand_is_void(shoe_table: PureShoeTable) -> None:
    """TABLE 9.5"""
    report_draws(shoe_table, 311)
    assert shoe_table.find_outcome() is None
    report_draws(shoe_table, 312)
    assert (shoe_table.find_outcome(), shoe_table.display[1]) == (Won.VOID, "COLPO NULLO")


def test_a_hand_after_the_last_is_recorded(shoe_table: PureShoeTable) -> None:
    """TABLE 9.3"""
    report_draws(shoe_table, 9)
    shoe_table.do(GAME_OVER, COIN_IN)
    assert shoe_table.find_decisions(ShoeSeen(7, 1, 312, 10, 9)) == ["cut-card"], (
        "this hand is the last"
    )
    shoe_table.do(GAME_OVER, COIN_IN)
    assert shoe_table.find_decisions(ShoeSeen(7, 1, 312, 11, 9)) == ["coup-after-the-last"]


def test_a_new_shoe_before_game_over_voids_no_hand(shoe_table: PureShoeTable) -> None:
    report_draws(shoe_table, 20)
    report_draws(shoe_table, 0, loads=2)
    assert (shoe_table.find_outcome(), shoe_table.state.shoe.remaining) == (None, 312)
    report_draws(shoe_table, 6, loads=2)
    assert (shoe_table.state.shoe.burnt, shoe_table.state.shoe.coup.cards) == (5, 1)


def test_a_shoe_taken_away_is_counted_no_more(shoe_table: PureShoeTable) -> None:
    """TABLE 4.11: shoe-replaced"""
    report_draws(shoe_table, 20)
    shoe_table.do(ShoeReplaced("Anna"))
    assert shoe_table.find_outcome() is Won.VOID
    report_draws(shoe_table, 22)
    assert (shoe_table.state.shoe.cards, shoe_table.state.shoe.drawn) == (None, 0)
    report_draws(shoe_table, 5, loads=2)
    assert (shoe_table.state.shoe.remaining, shoe_table.state.shoe.burnt) == (307, 5)


def test_a_shoe_loaded_before_it_is_declared_is_the_new_one(shoe_table: PureShoeTable) -> None:
    """TABLE 4.11: shoe-replaced"""
    report_draws(shoe_table, 20)
    report_draws(shoe_table, 5, loads=2)
    shoe_table.do(ShoeReplaced("Anna"))
    assert shoe_table.state.shoe.remaining == 307
    report_draws(shoe_table, 6, loads=2)
    assert shoe_table.state.shoe.remaining == 306


def test_a_card_annulled_is_in_no_hand_and_has_left_the_shoe(shoe_table: PureShoeTable) -> None:
    """TABLE 4.11: card-annulled"""
    report_draws(shoe_table, 8)
    shoe_table.do(CardAnnulled("Anna"))
    shoe = shoe_table.state.shoe
    assert (shoe.coup.cards, shoe.burnt, shoe.remaining) == (2, 6, 304)
    report_draws(shoe_table, 9)
    assert (shoe_table.state.shoe.coup.cards, shoe_table.state.shoe.remaining) == (3, 303)


def test_a_card_annulled_after_the_hand_begins_none(shoe_table: PureShoeTable) -> None:
    """TABLE 4.11: card-annulled"""
    report_draws(shoe_table, 9)
    shoe_table.do(GAME_OVER, CardAnnulled("Anna"), COIN_IN)
    report_draws(shoe_table, 11)
    assert shoe_table.state.shoe.coup.cards == 2


def test_a_hand_void_is_over(shoe_table: PureShoeTable) -> None:
    """TABLE 4.11: coup-void; what leaves the shoe next is of the next hand"""
    report_draws(shoe_table, 9)
    shoe_table.do(CoupVoid("Anna"))
    assert shoe_table.find_outcome() is Won.VOID
    report_draws(shoe_table, 10)
    assert (shoe_table.find_outcome(), shoe_table.state.shoe.coup.cards) == (None, 1)


def test_a_hand_without_stakes_is_marked(shoe_table: PureShoeTable) -> None:
    """TABLE 4.11: coup-without-stakes"""
    report_draws(shoe_table, 9)
    shoe_table.do(CoupWithoutStakes("Anna"))
    assert shoe_table.state.shoe.coup.without_stakes
    assert shoe_table.state.shoe.coup.cards == 4
