"""How often a combination comes: its hands of all hands (docs/reference/prizes.md, section 3)."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb

from jackpot.failures import Refused
from jackpot.money.prizes import Combination, Prize, PrizeTable

DECK, THREE_CARDS = 52, 3

STRAIGHT_FLUSHES: Mapping[int, int] = {5: 40, 3: 48}
"""All of them, by the cards of a hand; four of them are royal."""

KNOWN_HANDS: Mapping[int, Mapping[Combination, int]] = {
    5: {
        Combination.ROYAL_FLUSH: 4,
        Combination.FOUR_OF_A_KIND: 624,
        Combination.FULL_HOUSE: 3_744,
        Combination.FLUSH: 5_108,
        Combination.THREE_OF_A_KIND: 54_912,
    },
    3: {
        Combination.ROYAL_FLUSH: 4,
        Combination.FLUSH: 1_096,
        Combination.THREE_OF_A_KIND: 52,
    },
}
"""By the cards of a hand, without the straight flushes: they depend on the other prizes."""

DOUBLE_THREES = (Combination.DOUBLE_THREE_PLAYER, Combination.DOUBLE_THREE_DEALER)

DOUBLE_THREE_PAIRS = 52 * 48 // 2
"""Pairs of three-card hands where both are three of a kind and one of the two is the higher.

Two threes of a kind never tie, so player and dealer win as often.
"""


def chance_of(prize: Prize, table: PrizeTable, cards: int) -> Fraction:
    """How often a hand of so many cards brings the prize's combination.

    The prize's own `ways` come first. A straight flush does not count a royal one that has a prize
    of its own. Raises Refused.
    """
    if prize.chance is not None:
        return prize.chance
    name = prize.combination
    if cards == THREE_CARDS and name in DOUBLE_THREES:
        return Fraction(DOUBLE_THREE_PAIRS, comb(DECK, cards) * comb(DECK - cards, cards))
    hands = dict(KNOWN_HANDS.get(cards, {}))
    royal = hands.get(Combination.ROYAL_FLUSH, 0)
    if cards in STRAIGHT_FLUSHES:
        apart = Combination.ROYAL_FLUSH in table.combinations
        hands[Combination.STRAIGHT_FLUSH] = STRAIGHT_FLUSHES[cards] - (royal if apart else 0)
    if name not in hands:
        raise Refused(
            f"{name}: how often it comes is not known: write ways in its prize, such as 4/2598960"
        )
    return Fraction(hands[Combination(name)], comb(DECK, cards))
