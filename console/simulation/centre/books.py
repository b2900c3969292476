"""What the centre holds: members, awards, acts, and the jackpot's money
(docs/reference/link-rules.md, 2).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

import msgspec
from msgspec.structs import astuple

from console.rules.link import (
    AnyCall,
    AwardState,
    CentreMovement,
    CentreRefusal,
    Change,
    Open,
    Terms,
    Tie,
)
from jackpot.ledger.journal import Head
from jackpot.money.accounts import Account, Balances, Posting, Reason, Transaction
from jackpot.money.amounts import WHOLE, Cents, Units, to_units
from jackpot.money.awards import compute_award
from jackpot.money.linked_limit import count_linked_overflow
from jackpot.money.prizes import CombinationName, PrizeTable

GENESIS = "0" * 64
"""Where a chain begins."""

NOTHING = Units(0)

LIVE = (AwardState.PENDING, AwardState.AGREED)
"""Neither final nor cancelled."""


@dataclass(frozen=True)
class StoredCall:
    """A numbered call, with what of its answer is stored. `hash`: of the chain up to it.

    `act`: the last act as it was answered. `moved`: what the centre moved because of it.
    """

    call: AnyCall
    refusal: CentreRefusal | None
    act: int
    moved: tuple[CentreMovement, ...]
    head: Head
    hash: str = ""


@dataclass
class OpenRound:
    """A member's open round: the stakes it ever had."""

    number: int
    stakes: int = 0


@dataclass
class MemberRow:
    """A linked table. `n`: its last call; `last`: its last record that the centre knows.

    `epoch`: its life at the centre; a rejoin begins another one, which no rehearsal has.
    """

    name: str
    epoch: int = 1
    session: int = 0
    n: int = 0
    hash: str = GENESIS
    last: Head | None = None
    joined: bool = False
    doubted: bool = False
    """It has sent what does not fit the terms, and two operators have not looked."""
    round: OpenRound | None = None
    balances: Balances = field(default_factory=Balances)
    entries: dict[tuple[int, int], StoredCall] = field(default_factory=dict)
    """By epoch and n."""
    movements: dict[tuple[int, str], Transaction] = field(default_factory=dict)
    """By epoch and identity."""
    changes: list[Change] = field(default_factory=list)

    def hash_call(self, stored: StoredCall) -> str:
        """The hash that follows the member's last."""
        content = (stored.call, stored.refusal, stored.act, stored.moved)
        return extend_chain(self.hash, self.name, self.epoch, *content)

    def store(self, stored: StoredCall) -> None:
        """Store the next call. One that fits no terms bars the table till operators looked."""
        self.doubted |= stored.refusal is CentreRefusal.NOT_THE_TERMS
        self.hash = self.hash_call(stored)
        self.n = stored.call.n
        self.entries[self.epoch, self.n] = replace(stored, hash=self.hash)

    def has_stored(self, call: AnyCall) -> bool:
        """Whether this is the call that is stored under its number, word for word."""
        stored = self.entries.get((self.epoch, call.n))
        return stored is not None and stored.call == call

    def has_answered(self, n: int, answer_hash: str) -> bool:
        """Whether the centre has given this answer."""
        entry = self.entries.get((self.epoch, n))
        return n == 0 or (entry is not None and entry.hash == answer_hash)

    def deliver(self, number: int, transactions: tuple[Transaction, ...]) -> None:
        """Book it, and count the stakes of the round of this number."""
        for one in transactions:
            self.movements[self.epoch, one.identity] = one
            self.balances = self.balances.after(one)
            staked = self.round is not None and self.round.number == number
            if staked and self.round is not None and one.reason is Reason.STAKE:
                self.round.stakes += 1

    def has_opened(self, number: int) -> bool:
        """Whether it ever opened the round of this number."""
        calls = (entry.call for entry in self.entries.values())
        return any(isinstance(call, Open) and call.round == number for call in calls)

    def join(self, brought: Balances) -> None:
        """The member joins, with what it brings."""
        self.joined = True
        self.balances = sum_balances([self.balances, brought])


@dataclass
class AwardPart:
    """One table's part of an award: its `winners`. `paying`: what its ledger holds for them."""

    member: str
    round: int
    identity: str
    winners: int = 0
    paying: Units = NOTHING
    state: AwardState = AwardState.PENDING
    others: int = 0
    """The seats that envy from the jackpot goes to."""
    envy: Cents = Cents(0)
    """What each of them gets."""

    @property
    def live(self) -> bool:
        """Whether it is neither final nor cancelled."""
        return self.state in LIVE


@dataclass(frozen=True)
class BasePutIn:
    """What the jackpot got to start again from its base, in units."""

    from_reserve: int
    from_house: int


@dataclass
class SharedAward:
    """An award: the frozen `reading`, and the tables in it by their identities.

    `holds`: the members whose open round may still join it.
    """

    number: int
    combination: CombinationName
    reading: Cents
    parts: dict[str, AwardPart] = field(default_factory=dict)
    holds: set[str] = field(default_factory=set)
    each: Cents = Cents(0)
    total: Cents = Cents(0)
    base: BasePutIn | None = None

    @property
    def live_parts(self) -> list[AwardPart]:
        """The parts that are neither final nor cancelled."""
        return [part for part in self.parts.values() if part.live]

    @property
    def winners(self) -> int:
        """All winners, but those that were cancelled."""
        return sum(part.winners for part in self.uncancelled)

    @property
    def uncancelled(self) -> Iterator[AwardPart]:
        """The parts that were not cancelled."""
        return (part for part in self.parts.values() if part.state is not AwardState.CANCELLED)

    def awaits(self, member: str) -> int:
        """How many other tables this member's part waits for."""
        asked = {part.member for part in self.live_parts if part.state is AwardState.PENDING}
        return len((asked | self.holds) - {member})


@dataclass(frozen=True)
class ActRow:
    """An act of the centre. `hash` covers every member's head."""

    number: int
    what: str
    hash: str


class CentreBooks:
    """All that the centre holds. Amounts in units, but for what is called cents."""

    def __init__(self, terms: Terms, opening: Cents, base: Cents, tie: Tie) -> None:
        self.terms = terms
        self.base = base
        self.tie = tie
        self.members: dict[str, MemberRow] = {}
        self.awards: list[SharedAward] = []
        self.acts: list[ActRow] = []
        self.row = Balances()
        """What awards, base and corrections moved. Nothing is moved between it and the members'."""
        self.moved: list[CentreMovement] = []
        """What is the centre's alone: it is noted for the answer to what caused it."""
        units = to_units(opening)
        self.move({Account.HOUSE: -units, Account.JACKPOT: units})

    @property
    def total(self) -> Balances:
        """The jackpot's balances: the centre's own and all its members'."""
        return sum_balances([self.row, *(row.balances for row in self.members.values())])

    @property
    def reading(self) -> Cents:
        """What the jackpot reads, in whole cents."""
        return self.total.jackpot_cents

    def may_be_shared(self, combination: CombinationName) -> bool:
        """Whether it is the highest, and a tie is split."""
        share = self.terms.prize_of(combination).share
        highest = max(self.terms.prizes.values())
        return self.tie is Tie.SPLIT and share > 0 and share == highest

    @property
    def act(self) -> int:
        """The number of the last act."""
        return self.acts[-1].number if self.acts else 0

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

    def move(self, amounts: Mapping[Account, int]) -> None:
        """Move money in the centre's own row. The amounts sum to zero. Raises ValueError."""
        if sum(amounts.values()) != 0:
            raise ValueError(f"the amounts do not sum to zero: {amounts}")
        self.row = add_amounts(self.row, amounts)

    def move_own(self, identity: str, reason: str, amounts: Mapping[Account, int]) -> None:
        """Move what is the centre's alone."""
        self.move(amounts)
        postings = (Posting(a, Units(amounts[a])) for a in Account if amounts.get(a))
        self.moved.append(CentreMovement(identity, reason, tuple(postings)))

    def book(self, part: AwardPart, change: Change) -> None:
        """Book what an act changed in a part of an award, and keep it for its member."""
        if change.transaction is not None:
            self.move({one.account: one.amount for one in change.transaction.postings})
        self.members[part.member].changes.append(change)

    def quote_award(self, award: SharedAward) -> None:
        """Set what each winner gets; nothing without a winner."""
        if award.winners == 0:
            award.each = award.total = Cents(0)
            return
        prize = self.terms.prize_of(award.combination)
        others = sum(part.others for part in award.uncancelled)
        quoted = compute_award(prize, award.winners, award.reading)
        award.each, award.total = quoted.each, quoted.total
        rest = award.reading - award.total
        for part in award.live_parts:
            envy = min(part.winners * prize.envy, rest // others) if part.others else 0
            part.envy = Cents(0 if prize.by_house else envy)

    def cover(self) -> None:
        """Add what the jackpot or the reserve lacks of 0, by an act of its own."""
        if self.add_what_lacks(self.act + 1):
            self.record_act("addition")

    def keep_limit(self, member: str, number: int, tokens: tuple[Transaction, ...]) -> None:
        """Move on what these tokens of one round brought above the limit, by an act.

        Or back what the limit had kept out of those that are returned. Round 0: a list for a
        rejoin, of several rounds.
        """
        prizes = self.terms.prize_file
        if not isinstance(prizes, PrizeTable):
            return
        brought = [account_in(one, Account.JACKPOT) for one in tokens]
        kept = self.count_kept_out(member, number) if number else 0
        over = count_linked_overflow(brought, self.total.jackpot - sum(brought), kept, prizes.limit)
        if over:
            reason = "overflow" if over > 0 else "overflow_returned"
            identity = f"act-{self.act + 1}/{name_overflow(member, number)}"
            self.move_own(identity, reason, {Account.JACKPOT: -over, prizes.overflow: over})
            self.record_act("overflow")

    def count_kept_out(self, member: str, number: int) -> int:
        """What the limit has kept out of the jackpot in this round of the member."""
        named = name_overflow(member, number)
        return -sum(
            posting.amount
            for one in self.moved
            if one.identity.partition("/")[2] == named
            for posting in one.postings
            if posting.account is Account.JACKPOT
        )

    def add_what_lacks(self, act: int) -> bool:
        """Add it from the reserve, then from the house; below zero is asked of the sums alone.

        False if nothing lacks. `act`: the number of the act that it is part of.
        """
        total = self.total
        missing = max(-total.jackpot, 0)
        from_reserve = min(missing, max(total.reserve, 0))
        to_reserve = max(-total.reserve, 0)
        if not missing and not to_reserve:
            return False
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

    def put_base_in(self, award: SharedAward, act: int) -> None:
        """At 100 % the jackpot is filled up to its base, from the reserve, then from the house.

        At once, by the same act, and once for an award (section 3.5).
        """
        if not self._is_whole(award) or award.base is not None:
            return
        missing = max(to_units(self.base) - self.total.jackpot, 0)
        from_reserve = min(missing, max(self.total.reserve, 0))
        award.base = BasePutIn(from_reserve, missing - from_reserve)
        identity = f"award-{award.number}/act-{act}/reseed"
        self._move_base(identity, "reseed", -award.base.from_reserve, -award.base.from_house)

    def take_base_back(self, award: SharedAward, act: int) -> None:
        """The award is below 100 % again: its base goes to the house, then to the reserve.

        The jackpot does not fall below 0 by it (section 3.8).
        """
        if self._is_whole(award) or award.base is None:
            return
        there = max(self.total.jackpot, 0)
        to_house = min(there, award.base.from_house)
        to_reserve = min(there - to_house, award.base.from_reserve)
        identity = f"award-{award.number}/act-{act}/reseed-returned"
        self._move_base(identity, "reseed_returned", to_reserve, to_house)
        award.base = None

    def _is_whole(self, award: SharedAward) -> bool:
        return award.winners * self.terms.prize_of(award.combination).share >= WHOLE

    def _move_base(self, identity: str, reason: str, reserve: int, house: int) -> None:
        self.move_own(
            identity,
            reason,
            {
                Account.JACKPOT: -reserve - house,
                Account.RESERVE: reserve,
                Account.HOUSE: house,
            },
        )

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


def name_overflow(member: str, number: int) -> str:
    """What the identity of a round's overflow says behind its act."""
    return f"{member}/round-{number}/overflow"


def account_in(one: Transaction, account: Account) -> int:
    """What the account gains by it."""
    return sum(posting.amount for posting in one.postings if posting.account is account)


def add_amounts(balances: Balances, amounts: Mapping[Account, int]) -> Balances:
    """The balances plus these amounts."""
    there = balances.to_dict()
    return Balances(**there | {a.value: there[a.value] + units for a, units in amounts.items()})


def sum_balances(rows: Iterable[Balances]) -> Balances:
    """What several rows make together."""
    return Balances(*map(sum, zip(*map(astuple, rows), strict=True)))


def extend_chain(last: str, *content: object) -> str:
    """The hash that follows `last`, as 64 hexadecimal digits, over everything in `content`."""
    return sha256(last.encode() + msgspec.json.encode(content, order="sorted")).hexdigest()
