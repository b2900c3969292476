"""The coup as the round follows it, where a scenario cannot lead.

docs/reference/rules.md, section 9.
"""

from collections.abc import Sequence

import pytest

from console.rules.acts import Act, CardAnnulled, CoupVoid, CoupWithoutStakes, ShoeReplaced
from console.rules.card_state import CoupOutcome as Won
from console.rules.codes import Fault, Refusal
from console.rules.round import ActOutcome
from console.rules.structs import replace
from devices.card_reports import (
    Card,
    CardBurnt,
    CardDrawn,
    CoupResult,
    CutCardOut,
    Place,
    ReportsMissed,
    ResultReported,
    ShoeLoaded,
    ShoeTrouble,
)
from devices.device import Device
from devices.roles import DeviceLost, DeviceUp
from tests.console.rules.round.shoe_rounds import (
    BANCO,
    NATURAL,
    PUNTO,
    SIX,
    PureShoeTable,
    reading_shoe_table,
    shoe_table_of,
)

NOBODY_IS_TOLD = ("", "", "")


@pytest.fixture
def shoe_table() -> PureShoeTable:
    """A reading shoe, loaded and burnt."""
    return reading_shoe_table()


# A report missed


@pytest.mark.parametrize(
    "heard",
    [
        [(PUNTO, 1), (PUNTO, 2)],
        [(PUNTO, 1), (BANCO, 2)],
        [(BANCO, 1)],
        [(PUNTO, 1), (BANCO, 1), (BANCO, 2)],
        [(PUNTO, 1), (BANCO, 1), (PUNTO, 3)],
    ],
)
def test_a_place_skipped_and_nobody_is_told_a_point_until_the_next_coup(
    shoe_table: PureShoeTable, heard: list[tuple[Place, int]]
) -> None:
    """TABLE 9.12: points and result of a coup that was not heard whole are told to nobody"""
    for place, number in heard:
        shoe_table.give(place, number)
    assert shoe_table.shown == NOBODY_IS_TOLD
    assert not any("BANCO" in line for line in shoe_table.display if line != "MINI PUNTO BANCO")
    shoe_table.give(BANCO, 2)
    shoe_table.do(ResultReported(CoupResult.BANCO))
    assert (shoe_table.shown, shoe_table.road()) == (NOBODY_IS_TOLD, ())
    shoe_table.in_turn(*NATURAL)
    assert shoe_table.shown == ("", "8 7", "PUNTO")
    assert not shoe_table.error


def test_the_end_of_a_coup_missed_and_the_first_card_of_punto_begins_the_next(
    shoe_table: PureShoeTable,
) -> None:
    shoe_table.in_turn(*NATURAL[:3])
    shoe_table.in_turn("9S")
    assert shoe_table.shown == ("BANCO", "9 0", "")


def test_a_line_interrupted_between_two_cards_loses_nothing(shoe_table: PureShoeTable) -> None:
    shoe_table.in_turn(*NATURAL[:2])
    assert shoe_table.find_decisions(ReportsMissed()) == ["shoe-unheard"]
    shoe_table.do(DeviceLost(Device.SHOE, "unplugged"), DeviceUp(Device.SHOE), ReportsMissed())
    shoe_table.give(PUNTO, 2, "4S")
    shoe_table.give(BANCO, 2, "2C")
    assert shoe_table.shown == ("", "8 7", "PUNTO")


# The shoe's own result


@pytest.mark.parametrize("cards", [(), NATURAL[:1], NATURAL[:3]])
def test_a_result_before_ours(shoe_table: PureShoeTable, cards: Sequence[str]) -> None:
    """TABLE 9.14: reports a result before the coup is complete"""
    shoe_table.in_turn(*cards)
    assert "result-too-early" in shoe_table.find_decisions(ResultReported(CoupResult.PUNTO))
    assert shoe_table.error
    assert shoe_table.shown == NOBODY_IS_TOLD
    shoe_table.in_turn(*NATURAL)
    assert (shoe_table.shown, shoe_table.error) == (("", "8 7", "PUNTO"), False)


def test_a_result_other_than_ours(shoe_table: PureShoeTable) -> None:
    """TABLE 9.14: reports a result other than ours, which stands"""
    shoe_table.in_turn(*NATURAL)
    assert "result-differs" in shoe_table.find_decisions(ResultReported(CoupResult.EGALITE))
    assert (shoe_table.error, shoe_table.shown) == (True, ("", "8 7", "PUNTO"))
    shoe_table.in_turn("9S")
    assert not shoe_table.error


def test_a_result_that_is_ours_is_confirmed(shoe_table: PureShoeTable) -> None:
    shoe_table.in_turn(*NATURAL)
    assert shoe_table.find_decisions(ResultReported(CoupResult.PUNTO)) == ["result-confirmed"]
    assert not shoe_table.error


def test_a_coup_ended_by_hand_is_void(shoe_table: PureShoeTable) -> None:
    shoe_table.in_turn(*NATURAL[:3])
    shoe_table.do(ResultReported(CoupResult.FORCED))
    assert (shoe_table.shown[2], shoe_table.error, shoe_table.road()) == (
        "VOID",
        False,
        (Won.VOID,),
    )
    shoe_table.in_turn(*NATURAL)
    shoe_table.do(ResultReported(CoupResult.FORCED))
    assert shoe_table.shown[2] == "PUNTO", "it had ended already"


def test_ended_by_hand_before_its_first_card_it_is_no_coup(shoe_table: PureShoeTable) -> None:
    shoe_table.do(ResultReported(CoupResult.FORCED))
    assert (shoe_table.shown, shoe_table.road()) == (("PUNTO", "0 0", ""), ())


# Errors


def test_an_overdraw_reported_is_a_draw_error_and_other_troubles_are_recorded(
    shoe_table: PureShoeTable,
) -> None:
    """TABLE 9.14: reports an overdraw"""
    shoe_table.in_turn(*NATURAL[:2])
    assert shoe_table.find_decisions(ShoeTrouble(1, "cannot read")) == ["shoe-error"]
    assert shoe_table.find_decisions(ShoeTrouble(2, "overdraw", over=True)) == ["shoe-error-over"]
    assert not shoe_table.error
    shoe_table.do(ShoeTrouble(2, "overdraw"))
    assert shoe_table.error


def test_a_draw_error_stays_until_the_first_card_of_the_next_coup(
    shoe_table: PureShoeTable,
) -> None:
    """TABLE 7.6: whatever is declared, loaded, burnt or reported meanwhile"""
    shoe_table.in_turn("4H", "5D")
    shoe_table.give(BANCO, 2)
    meanwhile: list[Act] = [
        CardAnnulled("Anna"),
        ResultReported(CoupResult.PUNTO),
        CoupVoid("Anna"),
        ShoeReplaced("Anna"),
        ShoeLoaded(312),
        CardBurnt(),
        CutCardOut(),
    ]
    for act in meanwhile:
        shoe_table.do(act)
        assert shoe_table.error, act
    shoe_table.in_turn("4H")
    assert not shoe_table.error


def test_a_first_card_in_the_wrong_place_is_the_next_error(shoe_table: PureShoeTable) -> None:
    shoe_table.in_turn(*NATURAL)
    assert shoe_table.find_decisions(CardDrawn(BANCO, 1, Card("2S"))) == [
        "draw-error",
        "fault-raised",
    ]
    assert shoe_table.find_decisions(CardDrawn(PUNTO, 1, Card("2S"))) == [], (
        "it is in the same coup still"
    )
    assert (shoe_table.shown, shoe_table.error) == (NOBODY_IS_TOLD, True)
    assert shoe_table.find_decisions(CardDrawn(PUNTO, 1, Card("2S"))) == ["fault-cleared"]
    assert shoe_table.shown == ("BANCO", "2 0", "")


# What is in it, and the last coup


def test_what_is_unusual_about_a_shoe_is_recorded() -> None:
    """TABLE 9.2, 9.6: not burnt, or the cut card elsewhere than before the last seven"""
    shoe_table = shoe_table_of("mini-punto-banco")
    shoe_table.do(ShoeLoaded(9))
    assert shoe_table.find_decisions(CardDrawn(PUNTO, 1, Card("2S"))) == ["not-burnt"]
    assert shoe_table.find_decisions(CutCardOut()) == ["cut-card", "cut-card-misplaced"]
    shoe_table.do(ShoeLoaded(8), CardBurnt())
    assert shoe_table.find_decisions(CutCardOut()) == ["cut-card"], "before the last seven"
    shoe_table.do(ShoeLoaded(312), *[CardBurnt()] * 5)
    assert shoe_table.find_decisions(CardDrawn(PUNTO, 1, Card("2S"))) == []


def test_the_cut_card_heard_twice_is_one(shoe_table: PureShoeTable) -> None:
    shoe_table.do(ShoeLoaded(6), CutCardOut())
    shoe_table.in_turn("4H")
    assert shoe_table.do(CutCardOut()).outcome is ActOutcome.NO_EFFECT
    shoe_table.give(BANCO, 1, "5D")
    shoe_table.give(PUNTO, 2, "4S")
    shoe_table.give(BANCO, 2, "2C")
    assert shoe_table.shown[2] == "VOID", "it began with the cut card, and six cards were left"


def test_the_coup_that_begins_with_the_cut_card_is_the_last(shoe_table: PureShoeTable) -> None:
    """TABLE 9.3: and is not taken for one after the last"""
    shoe_table.in_turn(*NATURAL)
    assert shoe_table.find_decisions(CutCardOut(), CardDrawn(PUNTO, 1, Card("2S"))) == [
        "cut-card",
        "cut-card-misplaced",
    ]
    assert shoe_table.state.shoe.last
    shoe_table.do(CoupVoid("Anna"))
    assert shoe_table.find_decisions(CardDrawn(PUNTO, 1, Card("2S"))) == ["coup-after-the-last"]


def test_a_coup_declared_without_stakes_before_it_begins(shoe_table: PureShoeTable) -> None:
    """TABLE 4.11: the result before it stays until its first card"""
    shoe_table.in_turn(*NATURAL)
    shoe_table.do(CoupWithoutStakes("Anna"))
    assert shoe_table.shown == ("", "8 7", "PUNTO")
    shoe_table.in_turn(*NATURAL)
    shoe_table.in_turn(*NATURAL)
    assert shoe_table.road() == (Won.PUNTO, Won.PUNTO)


def test_a_shoe_that_nobody_loaded_voids_nothing() -> None:
    shoe_table = shoe_table_of("mini-punto-banco")
    shoe_table.in_turn(*NATURAL)
    assert shoe_table.shown == ("", "8 7", "PUNTO")


def test_more_cards_than_were_loaded_are_coups_all_the_same(shoe_table: PureShoeTable) -> None:
    shoe_table.do(ShoeLoaded(2))
    shoe_table.in_turn(*NATURAL[:2])
    assert shoe_table.shown[2] == "VOID"
    shoe_table.in_turn(*NATURAL)
    assert (shoe_table.shown[2], shoe_table.state.shoe.remaining) == ("PUNTO", 0)


def test_a_new_shoe_ends_the_coup_under_way_and_leaves_the_last_result(
    shoe_table: PureShoeTable,
) -> None:
    """TABLE 4.11: what a coup was given from a shoe cannot be finished from another"""
    shoe_table.in_turn(*NATURAL)
    shoe_table.do(ShoeLoaded(312))
    assert (shoe_table.shown, shoe_table.display) == (
        ("PUNTO", "8 7", "PUNTO"),
        ("BANCO 7 PUNTO 8", "VINCE PUNTO"),
    )
    shoe_table.in_turn(*NATURAL[:3])
    assert shoe_table.find_decisions(ShoeLoaded(312)) == ["coup-ended", "shoe-loaded"]
    assert (shoe_table.shown[2], shoe_table.road()) == ("VOID", ())


def test_a_new_shoe_ends_an_incomplete_coup_nobody_knows_how(shoe_table: PureShoeTable) -> None:
    shoe_table.give(BANCO, 2)
    shoe_table.do(ShoeLoaded(312))
    assert shoe_table.shown == ("PUNTO", "0 0", "")


# Declarations


@pytest.mark.parametrize("drawn", range(1, 7))
def test_a_card_annulled_leaves_the_coup_as_it_was_before(
    shoe_table: PureShoeTable, drawn: int
) -> None:
    """TABLE 4.11: it has left the shoe, and is in no hand"""
    shoe_table.in_turn(*SIX[: drawn - 1])
    before, left = shoe_table.state.shoe.coup, shoe_table.state.shoe.remaining
    shoe_table.give((PUNTO, BANCO)[(drawn - 1) % 2], (drawn + 1) // 2, SIX[drawn - 1])
    shoe_table.do(CardAnnulled("Anna"))
    shoe = shoe_table.state.shoe
    assert shoe.coup == replace(before, by_order=True)
    assert (shoe.remaining, shoe.burnt, shoe.road) == (left - 1, 6, ())


def test_after_a_card_annulled_the_shoes_places_are_not_ours(shoe_table: PureShoeTable) -> None:
    """TABLE 4.11: the cards go by the rule until the shoe begins a coup when we do"""
    shoe_table.in_turn("AS", "TD", "9H")
    shoe_table.do(CardAnnulled("Anna"))
    shoe_table.give(BANCO, 2, "4S")
    shoe_table.do(ShoeTrouble(2, "overdraw"), ResultReported(CoupResult.BANCO))
    assert (shoe_table.shown, shoe_table.error) == (("BANCO", "5 0", ""), False)
    shoe_table.give(PUNTO, 1, "KC")
    assert shoe_table.shown == ("PUNTO", "5 0", "")
    shoe_table.give(BANCO, 1, "3C")
    assert shoe_table.shown == ("BANCO", "8 0", "")
    shoe_table.give(PUNTO, 2, "2C")
    assert (shoe_table.shown, shoe_table.error) == (("", "8 2", "PUNTO"), False)
    shoe_table.give(BANCO, 2, "7S")
    assert (shoe_table.shown, shoe_table.error) == (("BANCO", "7 0", ""), False)
    shoe_table.do(CoupVoid("Anna"), ResultReported(CoupResult.FORCED))
    shoe_table.in_turn(*NATURAL)
    shoe_table.give(BANCO, 1)
    assert shoe_table.error, "in step again: a wrong place is one"


def test_after_a_wrong_place_the_card_annulled_is_not_known(shoe_table: PureShoeTable) -> None:
    shoe_table.in_turn("4H", "5D")
    shoe_table.give(BANCO, 2)
    shoe_table.do(CardAnnulled("Anna"))
    assert shoe_table.shown == NOBODY_IS_TOLD
    assert (shoe_table.state.shoe.coup.cards, shoe_table.state.shoe.burnt) == (2, 6)


def test_without_a_card_no_coup_is_void_and_no_card_annulled(shoe_table: PureShoeTable) -> None:
    for act in (CoupVoid("Anna"), CardAnnulled("Anna")):
        assert shoe_table.do(act).refusal is Refusal.NO_HAND


def test_the_road_is_that_of_the_coups_with_stakes(shoe_table: PureShoeTable) -> None:
    """TABLE 4.11: void ones stand in it as void, those without stakes do not"""
    road: list[Won] = []

    def coup(*acts: Act, cards: Sequence[str] = NATURAL) -> None:
        shoe_table.do(*acts) if acts else None
        shoe_table.in_turn(*cards)

    coup()
    road.append(Won.PUNTO)
    coup(CoupWithoutStakes("Anna"), cards=("9S", "2D", "TH", "3S"))
    shoe_table.do(CoupVoid("Anna"))
    coup(cards=("2D", "9S", "3S", "TH"))
    road.append(Won.BANCO)
    assert shoe_table.road() == tuple(road)
    shoe_table.do(CoupVoid("Anna"))
    assert shoe_table.road() == (Won.PUNTO, Won.VOID)
    coup(CoupWithoutStakes("Anna"))
    shoe_table.do(CardAnnulled("Anna"))
    assert shoe_table.road() == (Won.PUNTO, Won.VOID), "it had never stood there"
    shoe_table.give(BANCO, 2, "2C")
    coup()
    shoe_table.do(CardAnnulled("Anna"))
    assert shoe_table.road() == (Won.PUNTO, Won.VOID), "it is not over any more"
    shoe_table.do(ShoeReplaced("Anna"), ShoeLoaded(312))
    assert shoe_table.road() == ()


# A locked table


def test_a_locked_table_follows_nothing(shoe_table: PureShoeTable) -> None:
    shoe_table.in_turn("4H")
    shoe_table.state = shoe_table.with_fault(Fault.LEDGER_FAULT)
    before = shoe_table.state
    acts: list[Act] = [
        CardDrawn(BANCO, 1, Card("5D")),
        CardBurnt(),
        CutCardOut(),
        ResultReported(CoupResult.PUNTO),
        ShoeLoaded(312),
        ShoeTrouble(2, "overdraw"),
    ]
    for act in acts:
        assert shoe_table.do(act).outcome is ActOutcome.NO_EFFECT, act
        assert shoe_table.state == before
    for declared in (CoupVoid, CoupWithoutStakes, CardAnnulled, ShoeReplaced):
        assert shoe_table.do(declared("Anna")).refusal is Refusal.LOCKED
