"""The award of a jackpot that reads M cents, rounding down to whole cents for each winner.

docs/reference/rules.md, section 3, "The amount"; docs/reference/prizes.md, section 2. The centre of
a linked jackpot does the same in SQL (`link.divide`).
"""

from msgspec import Struct

from jackpot.money.amounts import WHOLE, Cents
from jackpot.money.prizes import CombinationName, Prize


class Envy(Struct, frozen=True):
    """What the other seats of an award get: how many they are, and what each of them gets."""

    seats: int
    each: Cents


class Award(Struct, frozen=True, omit_defaults=True):
    """An award on the jackpot's frozen `reading`, in cents.

    `each` winner gets it, and `total` all of them. `whole`: the winners' shares together reached
    100 %, so the jackpot starts again from its base. `by_house`: what of prizes and envy the house
    pays.
    """

    combination: CombinationName
    winners: int
    reading: Cents
    each: Cents
    total: Cents
    whole: bool
    envy: Envy | None = None
    by_house: Cents = Cents(0)

    @property
    def paid(self) -> Cents:
        """Prizes and envy together."""
        envy = self.envy.seats * self.envy.each if self.envy is not None else 0
        return Cents(self.total + envy)

    @property
    def by_jackpot(self) -> Cents:
        """What of it leaves the jackpot."""
        return Cents(self.paid - self.by_house)


def compute_award(prize: Prize, winners: int, reading: Cents, others: int = 0) -> Award:
    """The award split between N winners; `others`: the eligible seats that are not among them.

    Of a share each gets `floor(min(N x p, 100 %) x M / N)`; of a fixed amount the amount, or
    `floor(M / N)` where the jackpot does not have it. The remainder stays in the jackpot.
    Raises ValueError without a winner.
    """
    if winners < 1:
        raise ValueError(f"{prize.combination}: {winners} winners")
    there = max(reading, 0)  # a jackpot below zero, after returned tokens, pays nothing
    share = min(winners * prize.share, WHOLE)
    if prize.share:
        each = Cents(there * share // (WHOLE * winners))
    elif prize.by_house:
        each = prize.amount
    else:
        each = Cents(min(prize.amount, there // winners))
    total = Cents(each * winners)
    envy = _compute_envy(prize, winners, there - total, others)
    by_house = 0 if prize.share or not prize.by_house else total
    if envy is not None and prize.by_house:
        by_house += envy.seats * envy.each
    return Award(
        prize.combination, winners, reading, each, total, share == WHOLE, envy, Cents(by_house)
    )


def count_lacking(prize: Prize, award: Award) -> Cents:
    """What a jackpot did not have of the award's fixed amounts and envy; nothing makes it up."""
    amounts = award.winners * prize.amount - award.total if prize.amount else 0
    envy = award.envy
    of_envy = envy.seats * (award.winners * prize.envy - envy.each) if envy is not None else 0
    return Cents(amounts + of_envy)


def _compute_envy(prize: Prize, winners: int, left: int, others: int) -> Envy | None:
    """What each other seat gets; None without an envy or another seat. `left` in the jackpot."""
    if not prize.envy or others < 1:
        return None
    each = winners * prize.envy
    return Envy(others, Cents(each if prize.by_house else min(each, left // others)))
