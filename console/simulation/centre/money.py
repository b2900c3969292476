"""The jackpot's money at the centre (docs/link-rules.md, 2.1)."""

from collections.abc import Iterable, Mapping

from msgspec.structs import astuple

from console.simulation.centre.rows import BasePutIn
from jackpot.accounts import Account, Balances
from jackpot.amounts import Cents, to_units


class CentreMoney:
    """What awards, base and corrections moved; with the members' rows it makes the balances.

    Nothing is moved between the rows. "Below zero" is asked of their sums alone.
    """

    def __init__(self, opening: Cents) -> None:
        self.row = Balances()
        self.additions = 0
        self.bases = 0
        self.opening = to_units(opening)
        self.move({Account.HOUSE: -self.opening, Account.JACKPOT: self.opening})

    def move(self, amounts: Mapping[Account, int]) -> None:
        """Move money in the centre's own row. The amounts sum to zero. Raises ValueError."""
        if sum(amounts.values()) != 0:
            raise ValueError(f"the amounts do not sum to zero: {amounts}")
        self.row = add_amounts(self.row, amounts)

    def pay_out(self, amount: int) -> None:
        """From the jackpot to pending; below zero: back."""
        self.move({Account.JACKPOT: -amount, Account.PENDING: amount})

    def add_what_lacks(self, total: Balances) -> bool:
        """Add to a jackpot or a reserve below zero; from the reserve, then from the house.

        False if nothing lacks.
        """
        missing = max(-total.jackpot, 0)
        from_reserve = min(missing, max(total.reserve, 0))
        to_reserve = max(-total.reserve, 0)
        if not missing and not to_reserve:
            return False
        self.additions += missing
        self.move(
            {
                Account.JACKPOT: missing,
                Account.RESERVE: to_reserve - from_reserve,
                Account.HOUSE: from_reserve - missing - to_reserve,
            }
        )
        return True

    def put_base_in(self, total: Balances, base: Cents) -> BasePutIn:
        """Fill the jackpot up to its base: from the reserve, and the rest from the house."""
        missing = max(to_units(base) - total.jackpot, 0)
        from_reserve = min(missing, max(total.reserve, 0))
        put_in = BasePutIn(from_reserve, missing - from_reserve)
        self._move_base(-put_in.from_reserve, -put_in.from_house)
        return put_in

    def take_base_back(self, total: Balances, put_in: BasePutIn) -> None:
        """The base goes back: to the house, then to the reserve; never below 0."""
        there = max(total.jackpot, 0)
        to_house = min(there, put_in.from_house)
        self._move_base(min(there - to_house, put_in.from_reserve), to_house)

    def _move_base(self, reserve: int, house: int) -> None:
        self.bases -= reserve + house
        self.move(
            {
                Account.JACKPOT: -reserve - house,
                Account.RESERVE: reserve,
                Account.HOUSE: house,
            }
        )


def add_amounts(balances: Balances, amounts: Mapping[Account, int]) -> Balances:
    """The balances plus these amounts."""
    there = balances.to_dict()
    return Balances(**there | {a.value: there[a.value] + units for a, units in amounts.items()})


def sum_balances(rows: Iterable[Balances]) -> Balances:
    """What several rows make together."""
    return Balances(*map(sum, zip(*map(astuple, rows), strict=True)))
