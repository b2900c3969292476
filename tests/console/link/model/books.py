"""What a centre with operators holds besides (docs/reference/link-rules.md, 3.7 to 3.14)."""

from collections import defaultdict
from dataclasses import dataclass

from console.rules.link import AwardState, Terms, Tie
from console.simulation.centre.books import CentreBooks
from jackpot.money.accounts import Account, Balances
from jackpot.money.amounts import Cents


@dataclass
class MemberStatus:
    """What operators, or a centre that was set back, have made of a member."""

    recovering: bool = False
    """It is to send again what it was answered."""
    ended: bool = False
    timeline: int = 0
    """A later one than the centre's that it knew, taken by `recover`."""
    leaving: bool = False
    asked: Balances | None = None
    """The balances with which it asks to join, other than 0."""
    allowed: Balances | None = None
    """Those with which two operators let it."""
    handled: tuple[str, ...] = ()
    """What waited in its outbox as it was let rejoin."""


class OperatedBooks(CentreBooks):
    """The books, the members' status, and acts that were lost and that a member knows."""

    def __init__(self, terms: Terms, opening: Cents, base: Cents, tie: Tie) -> None:
        super().__init__(terms, opening, base, tie)
        self.status: defaultdict[str, MemberStatus] = defaultdict(MemberStatus)
        self.known_act = 0
        self.set_back = False
        """Whether a member has shown it, and nobody has said `recover`."""

    @property
    def act(self) -> int:
        """The number of the last act; of one that was lost, too, if a member knows it."""
        return max(super().act, self.known_act)

    @property
    def recovering(self) -> bool:
        """Whether a member is to send again what it was answered."""
        return any(status.recovering for status in self.status.values())

    @property
    def behind(self) -> bool:
        """Whether the centre was set back and is not recovered: nobody plays."""
        return self.set_back or self.recovering


def find_differences(books: CentreBooks) -> list[str]:
    """What of the books contradicts itself; nothing if they are right."""
    total = books.total
    wrong = []
    if sum(total.to_dict().values()) != 0:
        wrong.append("the accounts do not sum to zero")
    wrong.extend(
        f"{account.value} is below zero"
        for account in (Account.JACKPOT, Account.RESERVE, Account.PENDING, Account.PAID)
        if total.of(account) < 0
    )
    if total.pending != sum(part.paying for one in books.awards for part in one.live_parts):
        wrong.append("pending is not what the awards not final hold")
    finals = sum(
        part.paying
        for award in books.awards
        for part in award.parts.values()
        if part.state is AwardState.FINAL
    )
    if total.paid < finals:
        wrong.append("less is paid than the final awards")
    return wrong
