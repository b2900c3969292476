"""The signed heads that a table has put on record, held against the records that they sign.

Whoever computes the chain anew cannot sign it: from the first record that was changed on, no head
fits, or there is none any more.
"""

from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from jackpot.failures import Damaged, LedgerCorrupt
from jackpot.ledger.anchor import anchor_of
from jackpot.ledger.export_lines import Verifier
from jackpot.ledger.journal import Record
from jackpot.ledger.reading import hash_before, head_of, newest_record, records_where
from jackpot.ledger.schema import one_instant
from jackpot.ledger.verification import MOST_PROBLEMS
from jackpot.trust.signed_head import SignedHead, check_head
from jackpot.value_mistakes import describe_mistake

KIND: Final = "head-signed"
"""The kind of the records that hold one."""

ACCEPTED: Final = "seal-accepted"
"""The kind of the records by which two people begin the seal anew: the counter may jump there."""

LONGEST_UNSIGNED_MS: Final = 15 * 60 * 1000
"""The longest play after the last signed head; a table in order signs every ten minutes."""

LONGEST_PAUSE_MS: Final = 2 * 60 * 1000
"""What a pause between two records counts for, at most, and what a start counts for: the table
signs the first record after it, a second later."""

SHORTEST_ROUND_MS: Final = 5000
"""What a round counts for, at least, whatever its times say."""


HashOf = Callable[[int], str | None]
"""The hash of a record by its number; "" if it is missing, None if that cannot be said."""


class HeadsReport(Struct, frozen=True):
    """What the table's key has signed; `newest`: the head of the latest record.

    `store`: where the key was, by the newest head on record: `tpm` or `file`.
    """

    heads: int
    newest: SignedHead | None
    problems: tuple[str, ...]
    store: str


def head_on_record(record: Record) -> SignedHead:
    """The head that a record holds. Raises Damaged."""
    act = record.body.get("act")
    facts = act if isinstance(act, dict) else {}
    try:
        return msgspec.convert(
            {name: facts.get(name) for name in SignedHead.__struct_fields__}, SignedHead
        )
    except msgspec.ValidationError as error:
        raise Damaged(
            f"record {record.seq} holds no signed head: {describe_mistake(error)}"
        ) from error


def newest_counter(folder: Path, key: Verifier) -> int:
    """The counter of the newest head on record in a folder's ledger; 0: this key has signed none.

    Raises LedgerUnavailable, and LedgerCorrupt for a head that the key has not signed, or that
    signs another record than the ledger has.
    """
    record = newest_record(folder, kind=KIND)
    if record is None:
        return 0
    try:
        head = head_on_record(record)
        if head.key != key.fingerprint:
            return 0
        check_head(head, key)
    except Damaged as error:
        raise LedgerCorrupt(f"record {record.seq}: {error}") from error
    with one_instant(folder) as connection:
        there = anchor_of(connection).seq > head.seq or (
            hash_before(connection, head.seq + 1).hex() == head.hash
        )
    if not there:
        raise LedgerCorrupt(f"record {head.seq} is not the one that the table's key has signed")
    return head.counter


def _store_of(record: Record) -> str:
    act = record.body.get("act")
    return str(act.get("store", "")) if isinstance(act, dict) else ""


class HeadsCheck:
    """Holds one head after another against the key and the chain."""

    def __init__(self, key: Verifier) -> None:
        self._key = key
        self._heads = 0
        self._newest: SignedHead | None = None
        self._counter: int | None = None  # None: nothing is known of the heads before
        self._store = ""
        self._problems: list[str] = []

    def begin(self) -> None:
        """The first head to come is the first that the key has signed."""
        self._counter = 0

    def take_record(self, record: Record, hash_of: HashOf) -> None:
        """Check what this record, which comes after those taken before, has to do with heads."""
        if record.kind == ACCEPTED:
            self._counter = None
        if record.kind != KIND:
            return
        try:
            head = head_on_record(record)
        except Damaged as error:
            self.add(str(error))
            return
        before = head.counter if self._counter is None else self._counter
        if head.counter < before:
            self.add(f"record {record.seq}: {head.title} has an older counter, {head.counter}")
        if head.counter > before + 1:
            self.add(
                f"record {record.seq}: {head.title} has the counter {head.counter}, the head "
                f"before it {before}: what was signed between them is not in this ledger"
            )
        self._counter = max(before, head.counter)
        self._store = _store_of(record)
        self.take(head, f"record {record.seq}", hash_of)

    def take(self, head: SignedHead, where: str, hash_of: HashOf) -> None:
        """Check a head that was found here."""
        try:
            check_head(head, self._key)
        except Damaged as error:
            self.add(f"{where}: {error}")
            return
        self._heads += 1
        there = hash_of(head.seq)
        if there is not None and there != head.hash:
            self.add(
                f"record {head.seq} is {'not the one' if there else 'missing: it is one'} that the "
                f"table's key has signed ({where}, {head.wall})"
            )
        if self._newest is None or head.seq >= self._newest.seq:
            self._newest = head

    def take_rest(self, last: int, played_ms: int) -> None:
        """Check the records after the newest head: up to `last`, over so much time of play."""
        if self._newest is None:
            self.add("the table's key has signed nothing in it")
        elif played_ms > LONGEST_UNSIGNED_MS:
            minutes = played_ms // 60_000
            self.add(
                f"records {self._newest.seq + 1} to {last}, {minutes} minutes of play, are not "
                "signed: the key was lost then, or somebody else wrote them"
            )

    def add(self, problem: str) -> None:
        """Add a problem."""
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(problem)

    @property
    def newest_seq(self) -> int:
        """The last record that is signed; 0 for none."""
        return self._newest.seq if self._newest is not None else 0

    def report(self) -> HeadsReport:
        """What was found."""
        return HeadsReport(self._heads, self._newest, tuple(self._problems), self._store)


class _Moment(NamedTuple):
    """When a record was written."""

    boot: int
    round: int
    at_ms: int

    def count_play_until(self, later: "_Moment") -> int:
        """The milliseconds of play up to the next record."""
        if later.boot != self.boot:
            return LONGEST_PAUSE_MS
        least = SHORTEST_ROUND_MS if later.round != self.round else 0
        return max(least, min(abs(later.at_ms - self.at_ms), LONGEST_PAUSE_MS))


_AFTER = "SELECT boot, round, at_ms FROM journal WHERE seq > ? ORDER BY seq"


def _count_play_ms(moments: Iterable[_Moment]) -> int:
    """The time of play over records in their order."""
    return sum(before.count_play_until(later) for before, later in pairwise(moments))


def check_heads(
    folder: Path, key: Verifier, others: Iterable[tuple[str, SignedHead]] = ()
) -> HeadsReport:
    """Check the heads on record in a ledger, and others with what people call their place.

    Raises LedgerUnavailable, LedgerCorrupt.
    """
    check = HeadsCheck(key)
    with one_instant(folder) as connection:
        anchor = anchor_of(connection)

        def hash_of(seq: int) -> str | None:
            if seq < anchor.seq:
                return None
            last, _ = head_of(connection)
            return hash_before(connection, seq + 1).hex() if seq <= last else ""

        if anchor.seq == 0:
            check.begin()
        for record in records_where(folder, "kind IN (?, ?) ORDER BY seq", (KIND, ACCEPTED)):
            check.take_record(record, hash_of)
        for where, head in others:
            check.take(head, where, hash_of)
        last, _ = head_of(connection)
        after = connection.execute(_AFTER, (check.newest_seq,))
        check.take_rest(last, _count_play_ms(map(_Moment._make, after)))
    return check.report()


class _Passed(NamedTuple):
    """A record of an export that no head has signed yet."""

    hash: str
    moment: _Moment


MOST_UNSIGNED: Final = 100_000
"""The most records between two heads that are held against the later one."""


class ExportedHeads:
    """Checks the heads in an export, which is read once, a record after another."""

    def __init__(self, key: Verifier) -> None:
        self._check = HeadsCheck(key)
        self._passed: dict[int, _Passed] = {}  # from the newest signed record on
        self._first = 0

    def take(self, record: Record) -> None:
        """Take the next record of the file."""
        self._first = self._first or record.seq
        self._check.take_record(record, self._hash_of)
        if record.kind == KIND:
            signed = self._check.newest_seq
            self._passed = {seq: one for seq, one in self._passed.items() if seq >= signed}
        self._passed[record.seq] = _Passed(
            record.hash, _Moment(record.boot, record.round, record.at_ms)
        )
        if len(self._passed) > MOST_UNSIGNED:
            del self._passed[next(iter(self._passed))]

    def report(self, last: int) -> HeadsReport:
        """What was found, at the end of the file with its last record."""
        signed = self._check.newest_seq
        after = [one.moment for seq, one in self._passed.items() if seq > signed]
        self._check.take_rest(last, _count_play_ms(after))
        return self._check.report()

    def _hash_of(self, seq: int) -> str | None:
        if seq < self._first:
            return None
        one = self._passed.get(seq)
        return one.hash if one is not None else ""
