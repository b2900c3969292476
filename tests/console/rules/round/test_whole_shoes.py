"""Shoes from the first card to the last, and whatever else a reading shoe may report."""

from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from console.rules.acts import Act, CardAnnulled, CoupVoid, CoupWithoutStakes, ShoeReplaced
from console.rules.card_state import CoupOutcome as Won
from console.rules.observation import next_to_draw
from console.rules.round.drawing_rule import count_of
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
from tests.console.rules.round.shoe_rounds import (
    BANCO,
    NATURAL,
    PUNTO,
    reading_shoe_table,
    shoe_table_of,
)
from tests.console.rules.round.test_drawing_rule import by_the_table

# Whatever is reported

ANY: list[st.SearchStrategy[Act]] = [
    st.builds(
        CardDrawn,
        st.sampled_from(Place),
        st.integers(1, 3),
        st.builds(Card, st.sampled_from(["AS", "6D", "8H", "TC"])),
    ),
    st.builds(ResultReported, st.sampled_from(CoupResult)),
    st.builds(ShoeLoaded, st.sampled_from([None, 0, 4, 312])),
    st.sampled_from([CardBurnt(), CutCardOut(), ReportsMissed(), ShoeTrouble(2, "overdraw")]),
    st.sampled_from(
        [kind("Anna") for kind in (CoupVoid, CoupWithoutStakes, CardAnnulled, ShoeReplaced)]
    ),
]


@given(st.lists(st.one_of(ANY[0], ANY[0], *ANY), max_size=40))
@settings(max_examples=200, deadline=None)
def test_whatever_a_shoe_reports_the_table_goes_on(acts: list[Act]) -> None:
    """TABLE 9.12: and tells points and who draws only of a coup that went by the rule"""
    shoe_table = shoe_table_of("mini-punto-banco")
    for act in acts:
        left = shoe_table.state.shoe.remaining
        shoe_table.do(act)
        shoe, (follows, points, won) = shoe_table.state.shoe, shoe_table.shown
        if not isinstance(act, ShoeLoaded):
            assert shoe.remaining in (left, max(0, left - 1)) or isinstance(act, ShoeReplaced)
        assert not (shoe.coup.incomplete and points)
        assert not (follows and won) or shoe.drawn == shoe.burnt
        assert len(shoe_table.display[0]) <= 20
    shoe_table.do(ShoeLoaded(312))
    shoe_table.in_turn(*NATURAL)
    assert (shoe_table.shown[1], shoe_table.error) == ("8 7", False)


# Whole shoes


def play_coup(cards: Iterator[str]) -> Iterator[tuple[Place, int, str, str]]:
    """A coup by the rules' own table: place, number, card, and after the last one who wins."""
    hands: dict[Place, list[str]] = {PUNTO: [], BANCO: []}

    def sum_of(place: Place) -> int:
        return sum(map(count_of, hands[place])) % 10

    place: Place | None = PUNTO
    while place is not None:
        card = next(cards)
        hands[place].append(card)
        drawn = sum(map(len, hands.values()))
        third = count_of(hands[PUNTO][2]) if len(hands[PUNTO]) == 3 else None
        given, last = place, len(hands[BANCO]) == 3
        if drawn < 4:
            place = BANCO if place is PUNTO else PUNTO
        else:
            standing = sum(map(count_of, hands[PUNTO][:2])) % 10
            place = None if last else by_the_table(standing, sum_of(BANCO), third)
        won = ""
        if place is None:
            ahead = sum_of(PUNTO) - sum_of(BANCO)
            won = "EGALITE" if ahead == 0 else "PUNTO" if ahead > 0 else "BANCO"
        yield given, len(hands[given]), card, won


@given(st.integers(0, 2**64 - 1))
@settings(max_examples=15, deadline=None)
def test_whole_shoes_give_what_the_rules_own_table_gives(seed: int) -> None:
    """TABLE 9.1, 9.7, 9.8, 9.9, 9.10, 9.13"""
    cards = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"] * 6
    Random(seed).shuffle(cards)
    shoe = iter(cards)
    shoe_table = reading_shoe_table()
    for _ in range(5):
        next(shoe)
    drawn, road = 5, []
    while not shoe_table.state.shoe.last:
        for place, number, card, won in play_coup(shoe):
            if 312 - drawn == 7:
                shoe_table.do(CutCardOut())
            if number > 1 or place is BANCO:
                assert next_to_draw(shoe_table.state) == place.value
            shoe_table.give(place, number, card)
            drawn += 1
            assert drawn + shoe_table.state.shoe.remaining == 312
            assert (shoe_table.shown[2], shoe_table.error) == (won, False)
        road.append(Won(won))
        shoe_table.do(ResultReported(CoupResult(won)))
    assert shoe_table.road() == tuple(road)
    assert not shoe_table.error
