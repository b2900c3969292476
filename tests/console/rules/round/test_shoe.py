"""The coup as the round follows it, where a scenario cannot lead (docs/rules.md, section 9)."""

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
from devices.roles import LinkLost, LinkUp
from tests.console.rules.round.shoe_rounds import (
    BANCO,
    NATURAL,
    PUNTO,
    SIX,
    Sabot,
    reading_sabot,
    sabot_of,
)

NOBODY_IS_TOLD = ("", "", "")


@pytest.fixture
def sabot() -> Sabot:
    """A reading shoe, loaded and burnt."""
    return reading_sabot()


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
    sabot: Sabot, heard: list[tuple[Place, int]]
) -> None:
    """TABLE 9.12: points and result of a coup that was not heard whole are told to nobody"""
    for place, number in heard:
        sabot.give(place, number)
    assert sabot.told == NOBODY_IS_TOLD
    assert not any("BANCO" in line for line in sabot.display if line != "MINI PUNTO BANCO")
    sabot.give(BANCO, 2)
    sabot.do(ResultReported(CoupResult.BANCO))
    assert (sabot.told, sabot.road()) == (NOBODY_IS_TOLD, ())
    sabot.in_turn(*NATURAL)
    assert sabot.told == ("", "8 7", "PUNTO")
    assert not sabot.error


def test_the_end_of_a_coup_missed_and_the_first_card_of_punto_begins_the_next(sabot: Sabot) -> None:
    sabot.in_turn(*NATURAL[:3])
    sabot.in_turn("9S")
    assert sabot.told == ("BANCO", "9 0", "")


def test_a_line_interrupted_between_two_cards_loses_nothing(sabot: Sabot) -> None:
    sabot.in_turn(*NATURAL[:2])
    assert sabot.find_decisions(ReportsMissed()) == ["shoe-unheard"]
    sabot.do(LinkLost(Device.SHOE, "unplugged"), LinkUp(Device.SHOE), ReportsMissed())
    sabot.give(PUNTO, 2, "4S")
    sabot.give(BANCO, 2, "2C")
    assert sabot.told == ("", "8 7", "PUNTO")


# The shoe's own result


@pytest.mark.parametrize("cards", [(), NATURAL[:1], NATURAL[:3]])
def test_a_result_before_ours(sabot: Sabot, cards: Sequence[str]) -> None:
    """TABLE 9.14: reports a result before the coup is complete"""
    sabot.in_turn(*cards)
    assert "result-too-early" in sabot.find_decisions(ResultReported(CoupResult.PUNTO))
    assert sabot.error
    assert sabot.told == NOBODY_IS_TOLD
    sabot.in_turn(*NATURAL)
    assert (sabot.told, sabot.error) == (("", "8 7", "PUNTO"), False)


def test_a_result_other_than_ours(sabot: Sabot) -> None:
    """TABLE 9.14: reports a result other than ours, which stands"""
    sabot.in_turn(*NATURAL)
    assert "result-differs" in sabot.find_decisions(ResultReported(CoupResult.EGALITE))
    assert (sabot.error, sabot.told) == (True, ("", "8 7", "PUNTO"))
    sabot.in_turn("9S")
    assert not sabot.error


def test_a_result_that_is_ours_is_confirmed(sabot: Sabot) -> None:
    sabot.in_turn(*NATURAL)
    assert sabot.find_decisions(ResultReported(CoupResult.PUNTO)) == ["result-confirmed"]
    assert not sabot.error


def test_a_coup_ended_by_hand_is_void(sabot: Sabot) -> None:
    sabot.in_turn(*NATURAL[:3])
    sabot.do(ResultReported(CoupResult.FORCED))
    assert (sabot.told[2], sabot.error, sabot.road()) == ("VOID", False, (Won.VOID,))
    sabot.in_turn(*NATURAL)
    sabot.do(ResultReported(CoupResult.FORCED))
    assert sabot.told[2] == "PUNTO", "it had ended already"


def test_ended_by_hand_before_its_first_card_it_is_no_coup(sabot: Sabot) -> None:
    sabot.do(ResultReported(CoupResult.FORCED))
    assert (sabot.told, sabot.road()) == (("PUNTO", "0 0", ""), ())


# Errors


def test_an_overdraw_reported_is_a_draw_error_and_other_troubles_are_recorded(sabot: Sabot) -> None:
    """TABLE 9.14: reports an overdraw"""
    sabot.in_turn(*NATURAL[:2])
    assert sabot.find_decisions(ShoeTrouble(1, "cannot read")) == ["shoe-error"]
    assert sabot.find_decisions(ShoeTrouble(2, "overdraw", over=True)) == ["shoe-error-over"]
    assert not sabot.error
    sabot.do(ShoeTrouble(2, "overdraw"))
    assert sabot.error


def test_a_draw_error_stays_until_the_first_card_of_the_next_coup(sabot: Sabot) -> None:
    """TABLE 7.6: whatever is declared, loaded, burnt or reported meanwhile"""
    sabot.in_turn("4H", "5D")
    sabot.give(BANCO, 2)
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
        sabot.do(act)
        assert sabot.error, act
    sabot.in_turn("4H")
    assert not sabot.error


def test_a_first_card_in_the_wrong_place_is_the_next_error(sabot: Sabot) -> None:
    sabot.in_turn(*NATURAL)
    assert sabot.find_decisions(CardDrawn(BANCO, 1, Card("2S"))) == ["draw-error", "fault-raised"]
    assert sabot.find_decisions(CardDrawn(PUNTO, 1, Card("2S"))) == [], (
        "it is in the same coup still"
    )
    assert (sabot.told, sabot.error) == (NOBODY_IS_TOLD, True)
    assert sabot.find_decisions(CardDrawn(PUNTO, 1, Card("2S"))) == ["fault-cleared"]
    assert sabot.told == ("BANCO", "2 0", "")


# What is in it, and the last coup


def test_what_is_unusual_about_a_shoe_is_recorded() -> None:
    """TABLE 9.2, 9.6: not burnt, or the cut card elsewhere than before the last seven"""
    sabot = sabot_of("mini-punto-banco")
    sabot.do(ShoeLoaded(9))
    assert sabot.find_decisions(CardDrawn(PUNTO, 1, Card("2S"))) == ["not-burnt"]
    assert sabot.find_decisions(CutCardOut()) == ["cut-card", "cut-card-misplaced"]
    sabot.do(ShoeLoaded(8), CardBurnt())
    assert sabot.find_decisions(CutCardOut()) == ["cut-card"], "before the last seven"
    sabot.do(ShoeLoaded(312), *[CardBurnt()] * 5)
    assert sabot.find_decisions(CardDrawn(PUNTO, 1, Card("2S"))) == []


def test_the_cut_card_heard_twice_is_one(sabot: Sabot) -> None:
    sabot.do(ShoeLoaded(6), CutCardOut())
    sabot.in_turn("4H")
    assert sabot.do(CutCardOut()).outcome is ActOutcome.NO_EFFECT
    sabot.give(BANCO, 1, "5D")
    sabot.give(PUNTO, 2, "4S")
    sabot.give(BANCO, 2, "2C")
    assert sabot.told[2] == "VOID", "it began with the cut card, and six cards were left"


def test_the_coup_that_begins_with_the_cut_card_is_the_last(sabot: Sabot) -> None:
    """TABLE 9.3: and is not taken for one after the last"""
    sabot.in_turn(*NATURAL)
    assert sabot.find_decisions(CutCardOut(), CardDrawn(PUNTO, 1, Card("2S"))) == [
        "cut-card",
        "cut-card-misplaced",
    ]
    assert sabot.state.shoe.last
    sabot.do(CoupVoid("Anna"))
    assert sabot.find_decisions(CardDrawn(PUNTO, 1, Card("2S"))) == ["coup-after-the-last"]


def test_a_coup_declared_without_stakes_before_it_begins(sabot: Sabot) -> None:
    """TABLE 4.11: the result before it stays until its first card"""
    sabot.in_turn(*NATURAL)
    sabot.do(CoupWithoutStakes("Anna"))
    assert sabot.told == ("", "8 7", "PUNTO")
    sabot.in_turn(*NATURAL)
    sabot.in_turn(*NATURAL)
    assert sabot.road() == (Won.PUNTO, Won.PUNTO)


def test_a_shoe_that_nobody_loaded_voids_nothing() -> None:
    sabot = sabot_of("mini-punto-banco")
    sabot.in_turn(*NATURAL)
    assert sabot.told == ("", "8 7", "PUNTO")


def test_more_cards_than_were_loaded_are_coups_all_the_same(sabot: Sabot) -> None:
    sabot.do(ShoeLoaded(2))
    sabot.in_turn(*NATURAL[:2])
    assert sabot.told[2] == "VOID"
    sabot.in_turn(*NATURAL)
    assert (sabot.told[2], sabot.state.shoe.remaining) == ("PUNTO", 0)


def test_a_new_shoe_ends_the_coup_under_way_and_leaves_the_last_result(sabot: Sabot) -> None:
    """TABLE 4.11: what a coup was given from a shoe cannot be finished from another"""
    sabot.in_turn(*NATURAL)
    sabot.do(ShoeLoaded(312))
    assert (sabot.told, sabot.display) == (
        ("PUNTO", "8 7", "PUNTO"),
        ("BANCO 7 PUNTO 8", "VINCE PUNTO"),
    )
    sabot.in_turn(*NATURAL[:3])
    assert sabot.find_decisions(ShoeLoaded(312)) == ["coup-ended", "shoe-loaded"]
    assert (sabot.told[2], sabot.road()) == ("VOID", ())


def test_a_new_shoe_ends_an_incomplete_coup_nobody_knows_how(sabot: Sabot) -> None:
    sabot.give(BANCO, 2)
    sabot.do(ShoeLoaded(312))
    assert sabot.told == ("PUNTO", "0 0", "")


# Declarations


@pytest.mark.parametrize("drawn", range(1, 7))
def test_a_card_annulled_leaves_the_coup_as_it_was_before(sabot: Sabot, drawn: int) -> None:
    """TABLE 4.11: it has left the shoe, and is in no hand"""
    sabot.in_turn(*SIX[: drawn - 1])
    before, left = sabot.state.shoe.coup, sabot.state.shoe.remaining
    sabot.give((PUNTO, BANCO)[(drawn - 1) % 2], (drawn + 1) // 2, SIX[drawn - 1])
    sabot.do(CardAnnulled("Anna"))
    shoe = sabot.state.shoe
    assert shoe.coup == replace(before, by_order=True)
    assert (shoe.remaining, shoe.burnt, shoe.road) == (left - 1, 6, ())


def test_after_a_card_annulled_the_shoes_places_are_not_ours(sabot: Sabot) -> None:
    """TABLE 4.11: the cards go by the rule until the shoe begins a coup when we do"""
    sabot.in_turn("AS", "TD", "9H")
    sabot.do(CardAnnulled("Anna"))
    sabot.give(BANCO, 2, "4S")
    sabot.do(ShoeTrouble(2, "overdraw"), ResultReported(CoupResult.BANCO))
    assert (sabot.told, sabot.error) == (("BANCO", "5 0", ""), False)
    sabot.give(PUNTO, 1, "KC")
    assert sabot.told == ("PUNTO", "5 0", "")
    sabot.give(BANCO, 1, "3C")
    assert sabot.told == ("BANCO", "8 0", "")
    sabot.give(PUNTO, 2, "2C")
    assert (sabot.told, sabot.error) == (("", "8 2", "PUNTO"), False)
    sabot.give(BANCO, 2, "7S")
    assert (sabot.told, sabot.error) == (("BANCO", "7 0", ""), False)
    sabot.do(CoupVoid("Anna"), ResultReported(CoupResult.FORCED))
    sabot.in_turn(*NATURAL)
    sabot.give(BANCO, 1)
    assert sabot.error, "in step again: a wrong place is one"


def test_after_a_wrong_place_the_card_annulled_is_not_known(sabot: Sabot) -> None:
    sabot.in_turn("4H", "5D")
    sabot.give(BANCO, 2)
    sabot.do(CardAnnulled("Anna"))
    assert sabot.told == NOBODY_IS_TOLD
    assert (sabot.state.shoe.coup.cards, sabot.state.shoe.burnt) == (2, 6)


def test_without_a_card_no_coup_is_void_and_no_card_annulled(sabot: Sabot) -> None:
    for act in (CoupVoid("Anna"), CardAnnulled("Anna")):
        assert sabot.do(act).refusal is Refusal.NO_HAND


def test_the_road_is_that_of_the_coups_with_stakes(sabot: Sabot) -> None:
    """TABLE 4.11: void ones stand in it as void, those without stakes do not"""
    road: list[Won] = []

    def coup(*acts: Act, cards: Sequence[str] = NATURAL) -> None:
        sabot.do(*acts) if acts else None
        sabot.in_turn(*cards)

    coup()
    road.append(Won.PUNTO)
    coup(CoupWithoutStakes("Anna"), cards=("9S", "2D", "TH", "3S"))
    sabot.do(CoupVoid("Anna"))
    coup(cards=("2D", "9S", "3S", "TH"))
    road.append(Won.BANCO)
    assert sabot.road() == tuple(road)
    sabot.do(CoupVoid("Anna"))
    assert sabot.road() == (Won.PUNTO, Won.VOID)
    coup(CoupWithoutStakes("Anna"))
    sabot.do(CardAnnulled("Anna"))
    assert sabot.road() == (Won.PUNTO, Won.VOID), "it had never stood there"
    sabot.give(BANCO, 2, "2C")
    coup()
    sabot.do(CardAnnulled("Anna"))
    assert sabot.road() == (Won.PUNTO, Won.VOID), "it is not over any more"
    sabot.do(ShoeReplaced("Anna"), ShoeLoaded(312))
    assert sabot.road() == ()


# A locked table


def test_a_locked_table_follows_nothing(sabot: Sabot) -> None:
    sabot.in_turn("4H")
    sabot.state = sabot.with_fault(Fault.LEDGER_FAULT)
    before = sabot.state
    acts: list[Act] = [
        CardDrawn(BANCO, 1, Card("5D")),
        CardBurnt(),
        CutCardOut(),
        ResultReported(CoupResult.PUNTO),
        ShoeLoaded(312),
        ShoeTrouble(2, "overdraw"),
    ]
    for act in acts:
        assert sabot.do(act).outcome is ActOutcome.NO_EFFECT, act
        assert sabot.state == before
    for declared in (CoupVoid, CoupWithoutStakes, CardAnnulled, ShoeReplaced):
        assert sabot.do(declared("Anna")).refusal is Refusal.LOCKED
