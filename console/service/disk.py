"""The table's disk: its ledger, the lock beside it, and a thread for each of them.

The lock has a thread of its own, so that a ledger that hangs does not keep it from the disk
(docs/dev/decisions/0010-slow-disk.md).
"""

import logging
from collections.abc import Callable, Set
from functools import partial

from msgspec import Struct

from console.rules.codes import Fault
from console.service.disk_thread import DiskWriter
from console.service.supervision.watchdog import Answer, Probe
from console.service.table_ledger import TableLedger
from jackpot.journal import Head
from jackpot.lock_file import Lock

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

        self.disk_writer.do(partial(self.table_ledger.find_hash, seq), then, on_failure)

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
