"""The centres that the contract is tried on."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from console.link.rejoin_list import KnownMember, MemberEntry, RejoinList
from console.rules.link import Change, Terms, Tie
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents
from tests.console.link.linked_table import MONEY, TERMS, LinkedTable
from tests.console.link.member_contract import MemberCalls
from tests.console.link.model.centre import OperatedCentre


class AnyCentre(Protocol):
    """A centre with one jackpot, as tests see it."""

    @property
    def reading(self) -> Cents:
        """The jackpot, in whole cents."""

    @property
    def total(self) -> Balances:
        """The jackpot's accounts: the centre's own and all its members'."""

    def member(self, name: str) -> MemberCalls:
        """The way of a table that operators let in, and that has not joined yet."""

    def changes(self, name: str, act: int) -> tuple[Change, ...]:
        """The member's changes of the acts after this one."""

    def save(self) -> Any:
        """A copy of all it holds."""

    def set_back(self, saved: Any) -> None:
        """Be again as it was saved."""

    def promote(self) -> None:
        """The standby is the primary now."""

    def approve(self, what: str, arguments: Mapping[str, Any]) -> str | None:
        """Two operators do this, by the name of its command; why not, or None."""

    def recover(self, without: Collection[str] = ()) -> None:
        """Two operators say so; `without`: members that are dead."""

    def stranger(self, name: str) -> MemberCalls:
        """The way of one whom nobody let in."""

    def admit(self, name: str) -> None:
        """Let a table join; again, after it has left. Raises for one that is a member."""

    def ask_to_leave(self, name: str) -> None:
        """An operator asks a table to leave. Raises for one that is no member."""

    def entries(self, name: str) -> list[MemberEntry]:
        """All that the centre has of a member."""

    def know(self, name: str) -> KnownMember:
        """What it knows of a member's journal."""

    def rejoin(self, name: str, listed: RejoinList) -> str | None:
        """Two operators let the table with this ledger rejoin; why not, or None."""


class MakeCentre(Protocol):
    """Makes a centre with these settings; without any, those of `MONEY` and tie split."""

    def __call__(
        self,
        *,
        terms: Terms = TERMS,
        opening: Cents = MONEY.opening,
        base: Cents = MONEY.base,
        tie: Tie = Tie.SPLIT,
    ) -> AnyCentre:
        """Make it."""


def seat_table(centre: AnyCentre, name: str, terms: Terms = TERMS) -> LinkedTable:
    """A table that plays by these terms, has said hello and joined with nothing."""
    table = LinkedTable(name, centre.member(name), terms)
    table.start()
    table.join()
    return table


def make_model(
    *,
    terms: Terms = TERMS,
    opening: Cents = MONEY.opening,
    base: Cents = MONEY.base,
    tie: Tie = Tie.SPLIT,
) -> AnyCentre:
    """The model, in memory."""
    return OperatedCentre(terms, opening, base, tie)
