"""Follows the ledger for the pages: the newest records and the last wins.

The file is only read, in a thread: one reading at a time, bounded in records and time.
"""

import asyncio
from collections import deque
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from console.rules.records import SNAPSHOT
from console.web.serving.record.views import RecordView, view_record
from console.web.serving.record.wins import AWARD_DECISIONS, Win, Wins
from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.reading import read_records

MOST_RECORDS = 60
"""Records that a page is sent when it opens."""

MOST_AT_ONCE = 200
"""The most records of one reading; if there are more, only the newest are read."""

WINS_REACH_BACK = 20_000
"""The most records that are searched for wins."""

READ_WITHIN_S = 10.0


class RecordsMessage(msgspec.Struct, frozen=True, tag_field="kind", tag="records"):
    """Records, oldest first."""

    records: tuple[RecordView, ...]


class WinsMessage(msgspec.Struct, frozen=True, tag_field="kind", tag="wins"):
    """All of the last wins, newest first."""

    wins: tuple[Win, ...]
    readable: bool = True
    """Whether the ledger can be read, so that these are the newest."""


class LedgerNews(Struct, frozen=True):
    """The messages after one reading; None: nothing of that kind is new."""

    records: RecordsMessage | None = None
    wins: WinsMessage | None = None
    trouble: str = ""
    """Why the ledger could not be read; the next `follow` tries again. Empty: it was read."""


class _Read(Struct, frozen=True):
    """The result of one reading."""

    seq: int
    anew: bool
    """Whether it replaces everything read before."""
    records: tuple[RecordView, ...]
    wins: Wins


class LedgerFollower:
    """Follows the ledger in a folder.

    One task calls `follow` with the newest sequence number whenever there may be news. `records`
    and `wins` are what a new page is sent first.
    """

    def __init__(self, folder: Path, game: str, *, seconds: float = READ_WITHIN_S) -> None:
        """`game` names the combination buttons.

        `seconds`: how long `follow` waits for a reading; the next one goes on waiting.
        """
        self._folder = folder
        self._game = game
        self._seconds = seconds
        self._seq = 0
        self._last: deque[RecordView] = deque(maxlen=MOST_RECORDS)
        self._wins = Wins()
        self._last_wins: WinsMessage | None = None
        self._reading: asyncio.Task[_Read] | None = None
        self.trouble = ""

    @property
    def records(self) -> RecordsMessage:
        """The newest records, as far as they have been read."""
        return RecordsMessage(tuple(self._last))

    @property
    def wins(self) -> WinsMessage:
        """The last wins, as far as they have been read."""
        return WinsMessage(self._wins.newest_first, not self.trouble)

    async def follow(self, seq: int) -> LedgerNews:
        """Read up to a sequence number, unless that has been done. Never raises for the ledger."""
        if seq == self._seq and not self.trouble:
            return LedgerNews()
        try:
            read = await self._read(seq)
        except (LedgerUnavailable, LedgerCorrupt, TimeoutError) as error:
            self.trouble = str(error) or f"the ledger is not read within {self._seconds:g} s"
            return LedgerNews(wins=self._new_wins(), trouble=self.trouble)
        self.trouble = ""
        self._take(read)
        records = RecordsMessage(read.records) if read.records else None
        return LedgerNews(records, self._new_wins())

    def _new_wins(self) -> WinsMessage | None:
        last, self._last_wins = self._last_wins, self.wins
        return self.wins if self.wins != last else None

    async def _read(self, seq: int) -> _Read:
        """Wait for the reading that is under way, or begin one."""
        if self._reading is None:
            known = self._seq if seq >= self._seq else 0  # another ledger, or one set back
            work = asyncio.to_thread(_read, self._folder, self._game, known, seq, self._wins)
            self._reading = asyncio.create_task(work)
        async with asyncio.timeout(self._seconds):
            await asyncio.wait((self._reading,))
        done, self._reading = self._reading, None
        return done.result()

    def _take(self, read: _Read) -> None:
        if read.anew:
            self._last.clear()
        self._last.extend(read.records)
        self._wins = read.wins
        self._seq = read.seq


def _read(folder: Path, game: str, known: int, seq: int, wins: Wins) -> _Read:
    """In a thread. Raises LedgerUnavailable, LedgerCorrupt."""
    first = max(known, seq - MOST_AT_ONCE)
    newest = deque[RecordView](maxlen=MOST_RECORDS)
    with closing(read_records(folder, after=first, limit=seq - first)) as records:
        newest.extend(view_record(record, game) for record in records if record.kind != SNAPSHOT)
    return _Read(seq, not known, tuple(newest), _update_wins(folder, known, seq, wins))


def _update_wins(folder: Path, known: int, seq: int, wins: Wins) -> Wins:
    """The wins up to `seq`; newer records are left to the next reading."""
    wins = wins if known else Wins()
    after = max(known, seq - WINS_REACH_BACK)
    about_awards = read_records(folder, after=after, containing=AWARD_DECISIONS, limit=-1)
    with closing(about_awards) as records:
        for record in records:
            if record.seq > seq:
                break
            wins = wins.after(record)
    return wins
