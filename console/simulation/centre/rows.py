"""What the centre holds of members and awards (docs/link-rules.md, 2)."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from console.rules.link import (
    AnyCall,
    AwardState,
    CentreMovement,
    CentreRefusal,
    Change,
    Open,
)
from console.simulation.centre.chain import GENESIS, extend_chain
from jackpot.accounts import Balances, Reason, Transaction
from jackpot.amounts import Cents, Units
from jackpot.journal import Head
from jackpot.prizes import Combination

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
    """A linked table. `n`: its last call; `last`: its last record that the centre knows."""

    name: str
    epoch: int = 1
    session: int = 0
    n: int = 0
    hash: str = GENESIS
    last: Head | None = None
    joined: bool = False
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
    doubted: bool = False
    """It has sent what does not fit the terms, and two operators have not looked."""
    round: OpenRound | None = None
    balances: Balances = field(default_factory=Balances)
    entries: dict[tuple[int, int], StoredCall] = field(default_factory=dict)
    """By epoch and n."""
    movements: dict[tuple[int, str], Transaction] = field(default_factory=dict)
    """By epoch and identity."""
    changes: list[Change] = field(default_factory=list)
    handled: tuple[str, ...] = ()
    """What waited in its outbox as it was let rejoin."""

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

    @property
    def opened_at(self) -> int:
        """The jackpot's last act as the open round was opened."""
        opened = (one.act for one in self.entries.values() if isinstance(one.call, Open))
        return max(opened, default=0)

    def deliver(self, number: int | None, transactions: tuple[Transaction, ...]) -> None:
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

    def close(self, number: int) -> None:
        """The round of this number is over."""
        if self.round is not None and self.round.number == number:
            self.round = None


@dataclass
class AwardPart:
    """One table's part of an award: its `winners`. `paying`: what its ledger holds for them."""

    member: str
    round: int
    identity: str
    winners: int = 0
    paying: Units = NOTHING
    state: AwardState = AwardState.PENDING

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
    combination: Combination
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
