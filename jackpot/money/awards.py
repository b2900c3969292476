"""The award of a jackpot that reads M cents (docs/reference/rules.md, section 3, "The amount")."""

from msgspec import Struct

from jackpot.money.amounts import WHOLE, Cents
from jackpot.money.prizes import Combination, Prize


class Award(Struct, frozen=True):
    """An award on the jackpot's frozen `reading`, in cents.

    `whole`: the winners' shares together reached 100 %, so the jackpot starts again from its base.
    """

    combination: Combination
    winners: int
    reading: Cents
    each: Cents
    total: Cents
    whole: bool


def quote(prize: Prize, winners: int, reading: Cents) -> Award:
    """The award for N winners: each gets `floor(min(N x p, 100 %) x M / N)` whole cents.

    The remainder stays in the jackpot. Raises ValueError without a winner.
    """
    if winners < 1:
        raise ValueError(f"{prize.combination}: {winners} winners")
    share = min(winners * prize.share, WHOLE)
    # A jackpot below zero, after returned tokens, pays nothing.
    each = Cents(max(reading, 0) * share // (WHOLE * winners))
    total = Cents(each * winners)
    return Award(prize.combination, winners, reading, each, total, share == WHOLE)


def one_more(award: Award, prize: Prize) -> Award:
    """The same award with one more winner, on the same frozen reading."""
    return quote(prize, award.winners + 1, award.reading)
