"""What a locked table keeps in memory until its ledger can be written (TABLE.md, section 7)."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from console.acts import Act, Reopened
from console.codes import LEDGER_FAULTS, LOST, Fault
from console.state import TableState
from devices.card_reports import (
    CardBurnt,
    CardDrawn,
    CutCardOut,
    ResultReported,
    ShoeLoaded,
    ShoeTrouble,
)
from jackpot.journal import Entry
from jackpot.lock_file import Lock

RECORDS = 1024
"""Records that are kept; older ones are counted."""

CARDS = 512
"""Reports of a reading shoe that are kept: more than a shoe has cards."""

SAID_ONCE = (CardDrawn, CardBurnt, CutCardOut, ResultReported, ShoeLoaded, ShoeTrouble)
"""Reports that nobody repeats: they are acted on when the ledger is mended."""


def reopened_after(committed: TableState, locked: TableState, lock: Lock | None) -> Reopened:
    """The journal's latched faults, and what the locked table knows of links, key and slots.

    `lock`: what was kept of the lock beside the ledger.
    """
    of_parts = {*LOST.values(), Fault.KEY_FAULT, *LEDGER_FAULTS}
    latched = [fault for fault in committed.faults if fault not in of_parts]
    seats = locked.seats
    return Reopened(
        locked.key,
        locked.inspector,
        (*latched, *(fault for fault in locked.faults if fault in of_parts)),
        seats.changed,
        seats.changed & seats.unfree,
        seats.freed,
        lock.since if lock is not None else "",
        lock.why if lock is not None else "",
    )


class LockedMemory:
    """Acts refused meanwhile, for the record, and what a shoe has said."""

    def __init__(self) -> None:
        self._records: deque[Entry] = deque(maxlen=RECORDS)
        self._forgotten = 0
        self._said: deque[tuple[Act, int]] = deque(maxlen=CARDS)

    def keep(self, entries: Sequence[Entry], acts: Sequence[tuple[Act, int]]) -> None:
        """Keep what cannot be written now."""
        for entry in entries:
            if len(self._records) == RECORDS:
                self._forgotten += 1
            body = {**entry.body, "while_locked": True}
            del body["changes"]  # they were made to a state that was never committed
            self._records.append(replace(entry, body=body, transactions=()))
        self._said.extend(act for act in acts if isinstance(act[0], SAID_ONCE))

    def records(self, round: int) -> list[Entry]:
        """The records, oldest first; the first says how many before it were forgotten.

        `round`: the one they are written in. A table that could not read its ledger did not know
        it, and a round never decreases along the journal.
        """
        kept = [replace(record, round=round) for record in self._records]
        if self._forgotten:
            kept[0] = replace(kept[0], body={**kept[0].body, "forgotten": self._forgotten})
        return kept

    def said(self) -> list[tuple[Act, int]]:
        """What is to be acted on, with the time it was said."""
        return list(self._said)

    def clear(self) -> None:
        """All of it is on the disk."""
        self._records.clear()
        self._said.clear()
        self._forgotten = 0
