"""What a prize table pays back on average, by the meter (docs/reference/prizes.md, section 3).

Exact: amounts are fractions of a cent. One winner; the other seats of a hand are those that a hand
has on average.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import comb

from msgspec import Struct

from jackpot.failures import Refused
from jackpot.money.amounts import WHOLE
from jackpot.money.prizes import Combination, Prize, PrizeTable
from jackpot.money.settings import MoneySettings

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


MOST_SEATS = 7


class Pace(Struct, frozen=True):
    """How fast a table is played. Raises ValueError unless a hand has 1 to 7 tokens on average."""

    tokens_per_hour: int = 120
    hands_per_hour: int = 45

    def __post_init__(self) -> None:
        """Check the values. Raises ValueError."""
        if min(self.tokens_per_hour, self.hands_per_hour) < 1:
            raise ValueError("tokens and hands per hour: each must be at least 1")
        if not 1 <= self.tokens_per_hand <= MOST_SEATS:
            raise ValueError(
                f"{self.tokens_per_hour} tokens in {self.hands_per_hour} hands: on average a hand "
                f"must have 1 to {MOST_SEATS}"
            )

    @property
    def tokens_per_hand(self) -> Fraction:
        """On average."""
        return Fraction(self.tokens_per_hour, self.hands_per_hour)


class ForecastTerms(Struct, frozen=True):
    """What a forecast is of: prizes, money, the cards of a player's hand, and the pace."""

    prizes: PrizeTable
    money: MoneySettings
    cards: int
    pace: Pace

    def chances(self) -> tuple[Fraction, ...]:
        """How often a token wins each prize, from the left. Raises Refused."""
        return tuple(chance_of(prize, self.prizes, self.cards) for prize in self.prizes.prizes)


class Expected(Struct, frozen=True):
    """What one prize pays to one winner and the other seats, in cents."""

    share: Fraction
    fixed: Fraction
    envy: Fraction
    by_jackpot: Fraction

    @property
    def paid(self) -> Fraction:
        """All of it."""
        return self.share + self.fixed + self.envy


def expect_award(prize: Prize, meter: Fraction, others: Fraction) -> Expected:
    """What the prize pays at this meter, in cents, while there are so many other seats."""
    share = meter * prize.share / WHOLE
    fixed = Fraction(prize.amount)
    envy = others * prize.envy
    if prize.by_house:
        return Expected(share, fixed, envy, share)
    fixed = min(fixed, meter)
    envy = min(envy, meter - share - fixed)
    return Expected(share, fixed, envy, share + fixed + envy)


class Averages:
    """The averages of one token. Raises Refused."""

    def __init__(self, terms: ForecastTerms) -> None:
        self.terms = terms
        self.chances = terms.chances()
        self.token = Fraction(terms.money.token)
        self.others = terms.pace.tokens_per_hand - 1

    @property
    def to_jackpot(self) -> Fraction:
        """What a token brings to the jackpot below its limit, in cents."""
        return self.token * self.terms.money.to_jackpot / WHOLE

    @property
    def to_reserve(self) -> Fraction:
        """What a token brings to the reserve below the jackpot's limit, in cents."""
        return self.token * self.terms.money.to_reserve / WHOLE

    @property
    def any_chance(self) -> Fraction:
        """How often a token wins some prize."""
        return sum(self.chances, Fraction(0))

    @property
    def whole_chance(self) -> Fraction:
        """How often a token wins the whole jackpot."""
        return sum(
            (
                chance
                for prize, chance in zip(self.terms.prizes.prizes, self.chances, strict=True)
                if prize.share == WHOLE
            ),
            Fraction(0),
        )

    def pay_back(self, meter: Fraction) -> Expected:
        """What a token brings back at this meter, in cents."""
        shares, fixed, envy, by_jackpot = (
            sum(parts, Fraction(0)) for parts in zip(*self._awards(meter), strict=True)
        )
        return Expected(shares, fixed, envy, by_jackpot)

    def pay_by_house(self) -> Fraction:
        """What a token makes the house pay of prizes and envy, in cents; no meter changes it."""
        there = self.pay_back(Fraction(0))
        return there.paid - there.by_jackpot

    def find_break_even(self) -> Fraction | None:
        """The lowest meter, in cents, at which a token is worth its price; None: there is none."""
        return self._find_meter(lambda meter: self.pay_back(meter).paid, self.token)

    def find_equilibrium(self) -> Fraction | None:
        """The lowest meter at which the jackpot pays what a token brings it, in cents.

        The base is apart. None where it never pays so much.
        """
        return self._find_meter(lambda meter: self.pay_back(meter).by_jackpot, self.to_jackpot)

    def _awards(self, meter: Fraction) -> Iterator[tuple[Fraction, ...]]:
        for prize, chance in zip(self.terms.prizes.prizes, self.chances, strict=True):
            award = expect_award(prize, meter, self.others)
            parts = (award.share, award.fixed, award.envy, award.by_jackpot)
            yield tuple(chance * part for part in parts)

    def _find_meter(self, pay: Callable[[Fraction], Fraction], wanted: Fraction) -> Fraction | None:
        # What is paid never falls while the meter rises, and is straight between the bends.
        bends = self._bends()
        if pay(bends[0]) >= wanted:
            return bends[0]
        for low, high in zip(bends, [*bends[1:], bends[-1] + 1], strict=True):
            slope = (pay(high) - pay(low)) / (high - low)
            last = low == bends[-1]
            if slope and (last or pay(high) >= wanted):
                return low + (wanted - pay(low)) / slope
        return None

    def _bends(self) -> list[Fraction]:
        """The meters from which on the jackpot has a prize, or its envy, whole."""
        bends = {Fraction(0)}
        for prize in self.terms.prizes.prizes:
            if prize.by_house:
                continue
            bends.add(Fraction(prize.amount))
            if prize.share < WHOLE:
                due = prize.amount + self.others * prize.envy
                bends.add(due / (1 - Fraction(prize.share, WHOLE)))
        return sorted(bends)
