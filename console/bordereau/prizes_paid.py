"""What the final awards of a prize file paid, by prize, from jackpot and from house."""

from msgspec import Struct

from console.bordereau.figures import AwardEntry, AwardStatus, Bordereau
from jackpot.money.amounts import Cents
from jackpot.money.prizes import Prize


class PrizePaid(Struct, frozen=True):
    """What one prize paid; `is_envy`: to the other seats. `paid_to`: how many got something."""

    combination: str
    prize: Prize | None
    currency: str
    is_envy: bool
    paid_to: int
    by_jackpot: Cents
    by_house: Cents


def add_up_prizes(report: Bordereau) -> tuple[PrizePaid, ...]:
    """A row for each prize that was paid, then one for its envy, in the order of the first award.

    Together they are what the final awards paid. A prize that changed within the night has rows of
    its own before and after.
    """
    final = [one for one in report.awards if one.status is AwardStatus.FINAL]
    rows: list[PrizePaid] = []
    kinds = [(report.currency_at(one.begun), one.combination, one.prize) for one in final]
    for kind in dict.fromkeys(kinds):
        awards = [one for one, its in zip(final, kinds, strict=True) if its == kind]
        rows.append(_add_up(awards, kind[0]))
        if any(one.envy is not None for one in awards):
            rows.append(_add_up_envy(awards, kind[0]))
    return tuple(rows)


def _add_up(awards: list[AwardEntry], currency: str) -> PrizePaid:
    house = sum(one.prizes_by_house for one in awards)
    total = sum(one.total for one in awards)
    winners = sum(one.winners for one in awards)
    last = awards[-1]
    jackpot = Cents(total - house)
    return PrizePaid(last.combination, last.prize, currency, False, winners, jackpot, Cents(house))


def _add_up_envy(awards: list[AwardEntry], currency: str) -> PrizePaid:
    house = sum(one.envy_by_house for one in awards)
    total = sum(one.of_envy for one in awards)
    seats = sum(one.envy.seats for one in awards if one.envy is not None)
    last = awards[-1]
    jackpot = Cents(total - house)
    return PrizePaid(last.combination, last.prize, currency, True, seats, jackpot, Cents(house))
