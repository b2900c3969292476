"""The centre's books: terms, members, money, acts (docs/link-rules.md, 2)."""

from dataclasses import dataclass

from console.rules.link import AwardState, Terms, Tie
from console.simulation.centre.award_changes import change_of
from console.simulation.centre.chain import GENESIS, extend_chain
from console.simulation.centre.money import CentreMoney, sum_balances
from console.simulation.centre.rows import AwardPart, MemberRow, SharedAward
from jackpot.accounts import Account, Balances, Transaction
from jackpot.amounts import WHOLE, Cents
from jackpot.awards import quote
from jackpot.prizes import Combination, Prize


@dataclass(frozen=True)
class ActRow:
    """An act of the centre. `hash` covers every member's head."""

    number: int
    what: str
    hash: str


class CentreBooks:
    """All that the centre holds, and its acts' numbers."""

    def __init__(self, terms: Terms, opening: Cents, base: Cents, tie: Tie) -> None:
        self.terms = terms
        self.base = base
        self.tie = tie
        self.money = CentreMoney(opening)
        self.members: dict[str, MemberRow] = {}
        self.awards: list[SharedAward] = []
        self.acts: list[ActRow] = []
        self.known_act = 0
        self.set_back = False
        """Whether a member has shown it, and nobody has said `recover`."""

    @property
    def total(self) -> Balances:
        """The jackpot's balances: the centre's own and all its members'."""
        return sum_balances([self.money.row, *(row.balances for row in self.members.values())])

    @property
    def reading(self) -> Cents:
        """What the jackpot reads, in whole cents."""
        return self.total.jackpot_cents

    def share_of(self, combination: Combination) -> int:
        """One winner's share in basis points. Raises ValueError for another game's combination."""
        share = self.terms.prizes.get(combination)
        if share is None:
            raise ValueError(f"{combination} wins nothing in {self.terms.game}")
        return share

    def may_be_shared(self, combination: Combination) -> bool:
        """Whether it is the highest, and a tie is split."""
        highest = max(self.terms.prizes.values())
        return self.tie is Tie.SPLIT and self.share_of(combination) == highest

    @property
    def act(self) -> int:
        """The number of the last act; of one that was lost, too, if a member knows it."""
        return max(self.acts[-1].number if self.acts else 0, self.known_act)

    @property
    def recovering(self) -> bool:
        """Whether a member is to send again what it was answered."""
        return any(row.recovering for row in self.members.values())

    @property
    def behind(self) -> bool:
        """Whether the centre was set back and is not recovered: nobody plays."""
        return self.set_back or self.recovering

    @property
    def last_award(self) -> int:
        """The number of the last award."""
        return max((award.number for award in self.awards), default=0)

    def record_act(self, what: str) -> int:
        """Number an act and chain it; the number."""
        heads = {name: row.hash for name, row in self.members.items()}
        last = self.acts[-1].hash if self.acts else GENESIS
        number = self.act + 1
        self.acts.append(ActRow(number, what, extend_chain(last, number, what, heads)))
        return number

    def book(
        self, act: int, award: SharedAward, part: AwardPart, transaction: Transaction | None
    ) -> None:
        """Book a part's money, and keep the change for its member."""
        if transaction is not None:
            self.money.move({one.account: one.amount for one in transaction.postings})
        change = change_of(act, award, part, transaction)
        self.members[part.member].changes.append(change)

    def quote_award(self, award: SharedAward) -> None:
        """Set what each winner gets; nothing without a winner."""
        if award.winners == 0:
            award.each = award.total = Cents(0)
            return
        prize = Prize(award.combination, self.share_of(award.combination), high=False)
        quoted = quote(prize, award.winners, award.reading)
        award.each, award.total = quoted.each, quoted.total

    def cover(self) -> None:
        """Add what the jackpot or the reserve lacks, by an act."""
        if self.money.add_what_lacks(self.act + 1, self.total):
            self.record_act("addition")

    def put_base_in(self, award: SharedAward) -> None:
        """At 100 % the base is put in at once (section 3.5)."""
        whole = award.winners * self.share_of(award.combination) >= WHOLE
        if whole and award.base is None:
            identity = f"award-{award.number}/act-{self.act + 1}/reseed"
            award.base = self.money.put_base_in(identity, self.total, self.base)
            self.record_act("base")

    def take_base_back(self, award: SharedAward) -> None:
        """The award is cancelled: its base goes back."""
        if award.base is not None:
            identity = f"award-{award.number}/act-{self.act + 1}/reseed-returned"
            self.money.take_base_back(identity, self.total, award.base)
            award.base = None
            self.record_act("base-returned")

    def part_of(self, member: str, identity: str) -> tuple[SharedAward, AwardPart] | None:
        """A member's part of an award; None if the centre has none of this identity."""
        for award in reversed(self.awards):
            part = award.parts.get(identity)
            if part is not None and part.member == member:
                return award, part
        return None

    def count_awaited(self, member: str) -> int:
        """How many other tables the member's live award waits for."""
        for award in reversed(self.awards):
            if any(part.member == member for part in award.live_parts):
                return award.awaits(member)
        return 0

    def pending_at_members(self) -> int:
        """What the parts not final hold, in units."""
        return sum(part.paying for award in self.awards for part in award.live_parts)

    def find_differences(self) -> list[str]:
        """What of the books contradicts itself; nothing if they are right."""
        total = self.total
        wrong = []
        if sum(total.to_dict().values()) != 0:
            wrong.append("the accounts do not sum to zero")
        wrong.extend(
            f"{account.value} is below zero"
            for account in (Account.JACKPOT, Account.RESERVE, Account.PENDING, Account.PAID)
            if total.of(account) < 0
        )
        if total.pending != self.pending_at_members():
            wrong.append("pending is not what the awards not final hold")
        finals = sum(
            part.paying
            for award in self.awards
            for part in award.parts.values()
            if part.state is AwardState.FINAL
        )
        if total.paid < finals:
            wrong.append("less is paid than the final awards")
        return wrong
