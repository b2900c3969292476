"""The jackpot's money at the centre (docs/link-rules.md, 2.1)."""

from collections.abc import Iterable, Mapping

from msgspec.structs import astuple

from console.rules.link import CentreMovement, Join
from console.simulation.centre.rows import BasePutIn, MemberRow
from jackpot.accounts import Account, Balances, Posting
from jackpot.amounts import Cents, Units, to_units


class CentreMoney:
    """What awards, base and corrections moved; with the members' rows it makes the balances.

    Nothing is moved between the rows. "Below zero" is asked of their sums alone.
    """

    def __init__(self, opening: Cents) -> None:
        self.row = Balances()
        self.additions = 0
        self.bases = 0
        self.moved: list[CentreMovement] = []
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

    def move_own(self, identity: str, reason: str, amounts: Mapping[Account, int]) -> None:
        """Move what is the centre's alone, and note it for the answer to what caused it."""
        self.move(amounts)
        postings = (Posting(a, Units(amounts[a])) for a in Account if amounts.get(a))
        self.moved.append(CentreMovement(identity, reason, tuple(postings)))

    def add_what_lacks(self, act: int, total: Balances) -> bool:
        """Add to a jackpot or a reserve below zero; from the reserve, then from the house.

        False if nothing lacks. `act`: the number of the act that it is then.
        """
        missing = max(-total.jackpot, 0)
        from_reserve = min(missing, max(total.reserve, 0))
        to_reserve = max(-total.reserve, 0)
        if not missing and not to_reserve:
            return False
        self.additions += missing
        self.move_own(
            f"act-{act}/addition",
            "addition",
            {
                Account.JACKPOT: missing,
                Account.RESERVE: to_reserve - from_reserve,
                Account.HOUSE: from_reserve - missing - to_reserve,
            },
        )
        return True

    def put_base_in(self, identity: str, total: Balances, base: Cents) -> BasePutIn:
        """Fill the jackpot up to its base: from the reserve, and the rest from the house."""
        missing = max(to_units(base) - total.jackpot, 0)
        from_reserve = min(missing, max(total.reserve, 0))
        put_in = BasePutIn(from_reserve, missing - from_reserve)
        self._move_base(identity, "reseed", -put_in.from_reserve, -put_in.from_house)
        return put_in

    def take_base_back(self, identity: str, total: Balances, put_in: BasePutIn) -> None:
        """The base goes back: to the house, then to the reserve; never below 0."""
        there = max(total.jackpot, 0)
        to_house = min(there, put_in.from_house)
        to_reserve = min(there - to_house, put_in.from_reserve)
        self._move_base(identity, "reseed_returned", to_reserve, to_house)

    def _move_base(self, identity: str, reason: str, reserve: int, house: int) -> None:
        self.bases -= reserve + house
        self.move_own(
            identity,
            reason,
            {
                Account.JACKPOT: -reserve - house,
                Account.RESERVE: reserve,
                Account.HOUSE: house,
            },
        )


def join_member(row: MemberRow, join: Join) -> None:
    """The member joins, with what it brings."""
    row.joined = True
    row.balances = sum_balances([row.balances, join.balances])


def add_amounts(balances: Balances, amounts: Mapping[Account, int]) -> Balances:
    """The balances plus these amounts."""
    there = balances.to_dict()
    return Balances(**there | {a.value: there[a.value] + units for a, units in amounts.items()})


def sum_balances(rows: Iterable[Balances]) -> Balances:
    """What several rows make together."""
    return Balances(*map(sum, zip(*map(astuple, rows), strict=True)))
