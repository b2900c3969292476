"""Tallies of nights and of other stretches: read once, then only what is new.

One thread uses this (`reading.py`). A closed night never changes; of the one that is open, and of a
stretch that was not read to its end within one answer, the next answer goes on where this one was.
"""

import heapq
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

from console.bordereau.figures import RecordRange
from console.bordereau.nights import Night, NoSuchNight, nights
from console.web.serving.figures.tally import BUTTON, RoundFigures, Tally
from console.web.serving.reading_thread import Limit
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import newest_record
from jackpot.ledger.selection import Selection, select_records

MOST_NIGHTS = 31
"""The most nights in the list; `banco report --night` has older ones."""

KEPT = 12
"""The most tallies that are kept."""


class Tallies:
    """The tallies of one ledger's stretches, as far as they have been read."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int], Tally] = OrderedDict()
        self._nights: tuple[int, tuple[Night, ...]] = (0, ())

    def nights(self, folder: Path) -> tuple[Night, ...]:
        """The newest nights, the newest first; searched only once for each head of the ledger."""
        head = head_of(folder)
        if self._nights[0] != head:
            self._nights = head, tuple(islice(nights(folder), MOST_NIGHTS))
        return self._nights[1]

    def night(self, folder: Path, first: int | None) -> Night:
        """The night whose first round this is; None: the newest. Raises NoSuchNight."""
        for night in self.nights(folder):
            if first is None or night.rounds[0] == first:
                return night
        raise NoSuchNight("no such night is on record")

    def tally(self, folder: Path, stretch: RecordRange, limit: Limit) -> tuple[Tally, bool]:
        """A stretch's figures, and whether it was read to its end."""
        key = stretch.after, stretch.last if not _goes_on(stretch) else 0
        tally = self._kept.pop(key, None) or Tally(stretch.after)
        try:
            return tally, _continue_tally(folder, tally, stretch.last, limit)
        finally:  # an interrupted one continues the next time
            self._kept[key] = tally
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def _goes_on(stretch: RecordRange) -> bool:
    return stretch.night and not stretch.closed


def head_of(folder: Path) -> int:
    """The newest record's number; 0: there is none."""
    newest = newest_record(folder)
    return newest.seq if newest is not None else 0


def _continue_tally(folder: Path, tally: Tally, last: int, limit: Limit) -> bool:
    """Add the records after those added before; whether the last one was reached."""
    if tally.seen >= last:
        return True
    with (
        closing(select_records(folder, Selection(kinds=(BUTTON,), after=tally.seen))) as pressed,
        closing(select_records(folder, Selection(moving=True, after=tally.seen))) as moving,
    ):
        tally.take(_take_until(_merge(pressed, moving), last, limit))
    if limit.left <= 0:
        return False
    tally.seen = last
    return True


def _take_until(records: Iterator[Record], last: int, limit: Limit) -> Iterator[Record]:
    """The records up to the last one, as many as may still be read."""
    while limit.left > 0:
        record = next(records, None)
        if record is None or record.seq > last:
            return
        yield record
        limit.step()


def _merge(*sources: Iterator[Record]) -> Iterator[Record]:
    """Each record once, in order: a button that moves money comes from both."""
    seen = 0
    for record in heapq.merge(*sources, key=lambda one: one.seq):
        if record.seq > seen:
            seen = record.seq
            yield record


def rounds_of(tallies: Sequence[Tally]) -> list[RoundFigures]:
    """The rounds of several stretches, in the order of the stretches."""
    return [one for tally in tallies for one in tally.rounds]
