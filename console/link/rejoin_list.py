"""What a table's ledger holds that the centre lacks: the list for a rejoin.

docs/reference/link-rules.md, section 3.12.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import UNSET, Struct, UnsetType

from console.rules.link import AnyCall, Deliver, Rejoin
from console.rules.link_state import LeftLink, LinkState
from console.rules.records import SNAPSHOT
from jackpot.failures import Refused
from jackpot.ledger.journal import Head, Record
from jackpot.money.accounts import Reason, Transaction
from jackpot.value_mistakes import describe_mistake

TOKENS = frozenset({Reason.STAKE, Reason.TOKEN_RETURNED})


class MemberEntry(Struct, frozen=True):
    """A call that the centre has. `head`: the member's last record as it called."""

    epoch: int
    n: int
    head: Head
    call: AnyCall


class KnownMember(Struct, frozen=True):
    """What the centre had of a member: its last call with that entry's hash, its last record."""

    n: int
    hash: str
    record: Head | None


class RejoinList(Struct, frozen=True):
    """What two operators approve, of a ledger that ends with the record `head`.

    `epoch`: the one that ends. `transactions`: the stakes and returned tokens that the centre
    lacks. `handled`: the identities of those that wait in the table's outbox. `known`: read before
    the list was made; if it is another as the list is approved, the list does not fit any more.
    `act`: the last act that the ledger has booked; the centre's next one is later.
    """

    epoch: int
    head: Head
    transactions: tuple[Transaction, ...]
    handled: tuple[str, ...]
    known: KnownMember
    act: int


def list_missing(
    records: Iterable[Record], entries: Sequence[MemberEntry], epoch: int, known: KnownMember
) -> RejoinList:
    """What of the ledger's records the centre lacks; `entries`: all it has of the member.

    The centre has what came with an entry whose record is this ledger's. An entry that came with a
    record of another is of the clone, or of the time after this card was set back: what it holds is
    another token, even under the same identity, unless this ledger has made the very same call.
    `epoch`: the centre's; the ledger's counts if it is later, since then the centre was set back to
    before a rejoin. `known`: read before the entries. Raises Refused.
    """
    ledger = LinkedLedger(records)
    ours = [entry for entry in entries if ledger.holds(entry.head)]
    if not ours:
        raise Refused("none of its records is known to the centre")
    there = {one.identity for entry in ours for one in tokens_of(entry.call)}
    there |= set(_find_own_tokens(ledger, ours[-1], entries))
    return RejoinList(
        max(epoch, ledger.epoch),
        ledger.head,
        tuple(one for one in ledger.tokens if one.identity not in there),
        tuple(one.identity for call in ledger.outbox for one in tokens_of(call)),
        known,
        ledger.act,
    )


def _find_own_tokens(
    ledger: "LinkedLedger", newest: MemberEntry, entries: Sequence[MemberEntry]
) -> Iterator[str]:
    """Tokens in the calls after the newest known one, as far as they are the ledger's own."""
    calls = {entry.n: entry.call for entry in entries if entry.epoch == newest.epoch}
    n = newest.n
    while (call := calls.get(n := n + 1)) is not None:
        made = ledger.calls.get((newest.epoch, n))
        if made is None:
            return
        for ours, theirs in zip(tokens_of(made), tokens_of(call), strict=False):
            if ours != theirs:
                return
            yield ours.identity
        if made != call:
            return


def tokens_of(call: AnyCall) -> tuple[Transaction, ...]:
    """The stakes and returned tokens in a call."""
    return call.transactions if isinstance(call, Deliver | Rejoin) else ()


class LinkedLedger:
    """What a table's records say of its time on the link."""

    def __init__(self, records: Iterable[Record]) -> None:
        """Read them, in their order. Raises Refused if it is not linked at their end."""
        self.head = Head(0, "")
        self.tokens: list[Transaction] = []
        self.calls: dict[tuple[int, int], AnyCall] = {}
        self.outbox: tuple[AnyCall, ...] = ()
        self.epoch = 1
        self.act = 0
        self._hashes: dict[int, str] = {}
        self._linked = False
        for record in records:
            self._read(record)
        if not self._linked:
            raise Refused("its table is not linked")

    def holds(self, head: Head) -> bool:
        """Whether it has this record."""
        return self._hashes.get(head.seq) == head.hash

    def _read(self, record: Record) -> None:
        self.head = Head(record.seq, record.hash)
        self._hashes[record.seq] = record.hash
        link = _link_in(record)
        if link is not UNSET:
            self._linked = isinstance(link, LinkState)
        if isinstance(link, LinkState):
            self.outbox, self.epoch, self.act = link.outbox, link.epoch, link.act
            self.calls |= {(link.epoch, call.n): call for call in link.outbox}
        if self._linked:
            self.tokens.extend(one for one in record.transactions if one.reason in TOKENS)


def find_last_link(records: Iterable[Record]) -> LinkState | LeftLink:
    """The link as a table's records leave it. Raises Refused if it never was linked."""
    last: LinkState | LeftLink | UnsetType = UNSET
    for record in records:
        link = _link_in(record)
        last = last if link is UNSET else link
    if last is UNSET:
        raise Refused("its table was never linked")
    return last


class _Fields(Struct):
    """The part of a state, or of its changes, that is read."""

    link: LinkState | LeftLink | UnsetType = UNSET


def _link_in(record: Record) -> LinkState | LeftLink | UnsetType:
    """The link as the record leaves it; UNSET: unchanged. Raises Refused."""
    fields = record.body.get("state" if record.kind == SNAPSHOT else "changes", {})
    try:
        return msgspec.convert(fields, _Fields).link
    except msgspec.ValidationError as error:
        raise Refused(f"record {record.seq}: its link: {describe_mistake(error)}") from error
