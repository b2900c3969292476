"""The table's disk: its ledger, the lock beside it, and a thread for each of them.

The lock has a thread of its own, so that a ledger that hangs does not keep it from the disk
(docs/dev/decisions/0004-event-loop.md).
"""

import logging
from collections.abc import Callable, Set
from contextlib import closing
from functools import partial
from pathlib import Path

from msgspec import Struct

from console.rules.centre_orders import HeldPage
from console.rules.codes import Fault
from console.rules.link import Held
from console.rules.link_state import (
    LinkAnswered,
    LinkRejoined,
    LinkShown,
)
from console.rules.records import act_of
from console.rules.round.draft import ActOutcome
from console.rules.structs import replace
from console.service.disk_thread import DiskWriter
from console.service.supervision.main_loop import Answer, Probe
from console.service.table_ledger import TableLedger
from jackpot.failures import LedgerUnavailable
from jackpot.ledger.journal import Head, Record
from jackpot.ledger.lock_file import Lock
from jackpot.ledger.reading import read_records, records_where

log = logging.getLogger(__name__)

Then = Callable[[], None]


class Disk(Struct, frozen=True):
    """The table's ledger and its two writers. Every method is called on the event loop."""

    table_ledger: TableLedger
    disk_writer: DiskWriter  # writes the ledger
    lock_writer: DiskWriter  # writes the lock file

    @property
    def probes(self) -> tuple[Probe, ...]:
        """How the watchdog asks each of the two writers for a sign of life."""
        return partial(_probe, self.disk_writer), partial(_probe, self.lock_writer)

    def lock(self, fault: Fault, why: str, since: str, service: bool, then: Then) -> None:
        """Write the lock; call `then` once it is on the disk, or when the disk has refused it."""
        lock = Lock(fault.value, why, since, service)
        self.table_ledger.note_lock(lock)
        self._keep(partial(self.table_ledger.keep_lock, lock), then)

    def keep_in_lock(self, service: bool, tokens: Set[int], then: Then) -> None:
        """Call `TableLedger.keep_in_lock`; `then` as for `lock`."""
        self._keep(partial(self.table_ledger.keep_in_lock, service, tokens), then)

    def unlock(self, then: Then, failed: Callable[[Exception], None]) -> None:
        """Remove the lock: `then` once that is on the disk, `failed` when it may not be."""
        self.lock_writer.do(self.table_ledger.unlock, lambda _: then(), failed)

    def head(self) -> Head:
        """The newest record on the disk."""
        return self.table_ledger.head

    def find_hash(self, seq: int, then: Callable[[str | None], None]) -> None:
        """Find a record's hash, "" if there is none; None: the disk has failed."""

        def on_failure(error: Exception) -> None:
            log.error("record %d cannot be read: %s", seq, error)
            then(None)

        self.disk_writer.do(partial(find_hash, self.table_ledger.folder, seq), then, on_failure)

    def find_held(self, after: int, seq: int, then: Callable[[HeldPage | None], None]) -> None:
        """Find what the centre answered, see `read_held`; None: it is not to be had."""

        def on_failure(error: Exception) -> None:
            log.error("what the centre answered after call %d cannot be read: %s", after, error)
            then(None)

        self.disk_writer.do(
            partial(read_held, self.table_ledger.folder, after, seq), then, on_failure
        )

    def close(self) -> None:
        """Finish what is under way. Raises TimeoutError when the disk does not answer."""
        self.disk_writer.close()
        self.lock_writer.close()
        self.table_ledger.close()

    def _keep(self, keep: Callable[[], None], then: Then) -> None:
        def not_kept(error: Exception) -> None:
            log.critical("the lock file cannot be written: %s", error)
            then()

        self.lock_writer.do(keep, lambda _: then(), not_kept)


def _probe(disk_writer: DiskWriter, alive: Answer, silent: Answer) -> None:
    disk_writer.do(lambda: None, lambda _: alive(), lambda _: silent())


# What a linked table's journal says to the centre (docs/reference/link-rules.md, 3.12 and 3.13)

RECORDS_A_PAGE = 20

_ANSWERED = "kind IN ('link-answered', 'link-rejoined') ORDER BY seq DESC"
_HELD = """
    (kind = 'link-answered' OR kind = 'link-shown' AND instr(body, '"changes":[{'))
    AND seq > ? ORDER BY seq LIMIT ?"""


def find_hash(folder: Path, seq: int) -> str:
    """The hash of a record as it is stored; "" if the ledger has none of this number.

    Raises LedgerUnavailable, LedgerCorrupt.
    """
    with closing(read_records(folder, after=seq - 1, limit=1)) as records:
        record = next(records, None)
    return record.hash if record is not None and record.seq == seq else ""


def read_held(folder: Path, after: int, seq: int) -> HeldPage:
    """What the table was answered in the records after `seq`; 0: from the call before `after` on.

    No change that comes after call `after` was booked before that record: a call is sent only when
    the one before it is booked. Raises LedgerUnavailable, LedgerCorrupt, UnreadableRecord.
    """
    first = seq or _find_first(folder, max(after - 1, 1)) - 1
    with closing(records_where(folder, _HELD, (first, RECORDS_A_PAGE))) as records:
        page = list(records)
    held = (_read_answer(record) for record in page if _is_done(record))
    last = page[-1].seq if len(page) == RECORDS_A_PAGE else None
    return HeldPage(tuple(one for one in held if one is not None), last)


def _find_first(folder: Path, n: int) -> int:
    """The record of the answer to call n, the last of that number; 1 if nothing was answered."""
    with closing(records_where(folder, _ANSWERED, ())) as records:
        for record in records:
            act = act_of(record.kind, record.body) if _is_done(record) else None
            if isinstance(act, LinkAnswered) and act.answer.n <= n:
                return record.seq
            if isinstance(act, LinkRejoined):  # the calls before it are of an older epoch
                return record.seq
    with closing(read_records(folder, limit=1)) as records:
        begins = next(records).seq
    if begins > 1:
        raise LedgerUnavailable(f"the answers from call {n} on are in an archive")
    return 1


def _is_done(record: Record) -> bool:
    return record.body.get("outcome") == ActOutcome.DONE.value


def _read_answer(record: Record) -> Held | None:
    match act_of(record.kind, record.body):
        case LinkAnswered(answer, call):
            return Held(call, replace(answer, changes=()), answer.changes)
        case LinkShown(shown):
            return Held(changes=shown.changes)
    return None
