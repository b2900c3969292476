"""Reads new records and the last wins of the ledger, and sends them to the pages that show them.

The file is only read, in a thread: one reading at a time, bounded in records and time.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web
from msgspec import UNSET, Struct, UnsetType

from console.bordereau.names_in_force import NamesInForce, names_before
from console.bordereau.step import RecordStep
from console.configuration.person_names import name_people
from console.rules.records import SNAPSHOT, UnreadableRecord
from console.rules.round.draft import ActOutcome
from console.rules.structs import replace
from console.texts.language import Language, Words
from console.texts.record_texts import act_words, clock_of, day_of, describe_decisions
from console.texts.table_texts import TableNames, name_in_capitals
from console.web.messages import TableSnapshot
from console.web.serving.table_receiver import TableReceiver
from console.web.serving.viewers import Audience, Viewers, encode
from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.journal import Record
from jackpot.ledger.reading import read_records
from jackpot.money.accounts import Account, Reason
from jackpot.money.amounts import format_cents, format_units
from jackpot.money.prizes import EURO
from jackpot.value_mistakes import describe_mistake

MOST_WINS = 8

PENDING, PAID = "pending", "paid"

AWARD_DECISIONS = '"decision":"award-'
"""The body of a record about an award, as it is stored."""

MOST_RECORDS = 60
"""Records that a page is sent when it opens."""

MOST_AT_ONCE = 200
"""The most records of one reading; if there are more, only the newest are read."""

WINS_REACH_BACK = 20_000
"""The most records that are searched for wins."""

READ_WITHIN_S = 10.0

RECORDS_GO_TO = (Audience.CABINET, Audience.SUPERVISOR)
WINS_GO_TO = (Audience.SIGN, Audience.SUPERVISOR)

log = logging.getLogger(__name__)


class EnvyPaid(msgspec.Struct, frozen=True):
    """What the other seats of an award get: how many they are, and each one's amount."""

    seats: int
    each: str


class Win(msgspec.Struct, frozen=True):
    """An award: pending, or paid. `each` and `total`: the winners' amounts, written `12345.67`.

    `seq`, `wall`: of the record that made it what it is; `day` and `clock` are its time at the
    table. `whole`: the jackpot has started again from its base. `name`, in capitals, and
    `currency`: of the prizes that were then in force.
    """

    seq: int
    wall: str
    day: str
    clock: str
    round: int
    combination: str
    winners: int
    each: str
    total: str
    state: str
    whole: bool = False
    envy: EnvyPaid | UnsetType = UNSET
    tables: tuple[str, ...] | UnsetType = UNSET
    """Where a linked jackpot was won; unset: at the sign's own table."""
    name: Words | UnsetType = UNSET
    currency: str = EURO

    def take_names(self, names: TableNames) -> "Win":
        """The same, with its words."""
        name = name_in_capitals(self.combination, names.prize_file)
        return replace(self, name=name, currency=names.currency)


class Wins(Struct, frozen=True):
    """Follows awards from record to record; the first may be in the middle of one."""

    pending: Win | None = None
    paid: tuple[Win, ...] = ()

    @property
    def newest_first(self) -> tuple[Win, ...]:
        """At most eight, without cancelled awards."""
        pending = (self.pending,) if self.pending is not None else ()
        return (*pending, *self.paid)[:MOST_WINS]

    def after(self, record: Record) -> "Wins":
        """Add a record, newer than those before. Raises LedgerCorrupt."""
        wins = self
        for decision in RecordStep(record, {}, {}).decisions:
            match decision.get("decision"):
                case "award-pending":
                    wins = Wins(_win(record, decision, PENDING), wins.paid)
                case "award-final":
                    paid = (_win(record, decision, PAID), *wins.paid)
                    wins = Wins(None, paid[:MOST_WINS])
                case "award-cancelled":
                    wins = Wins(None, wins.paid)
        return wins

    def name_all(self, folder: Path) -> "Wins":
        """With the words of those that have none yet."""

        def name(win: Win) -> Win:
            known = win.name is not UNSET
            return win if known else win.take_names(names_before(folder, win.seq))

        pending = name(self.pending) if self.pending is not None else None
        return Wins(pending, tuple(map(name, self.paid)))


class _Award(msgspec.Struct, frozen=True):
    """The facts of a decision about an award; `each` and `envy` in cents."""

    combination: str
    winners: int
    each: int
    envy: int = 0
    others: int = 0


def _win(record: Record, decision: Mapping[str, Any], state: str) -> Win:
    try:
        award = msgspec.convert(decision, _Award)
    except msgspec.ValidationError as error:
        raise LedgerCorrupt(
            f"record {record.seq}: its award cannot be read: {describe_mistake(error)}"
        ) from error
    return Win(
        record.seq,
        record.wall,
        day_of(record.wall),
        clock_of(record.wall),
        record.round,
        award.combination,
        award.winners,
        format_cents(award.each),
        format_cents(award.winners * award.each),
        state,
        any(one.reason is Reason.RESEED for one in record.transactions),
        EnvyPaid(award.others, format_cents(award.envy)) if award.others else UNSET,
    )


class RecordView(msgspec.Struct, frozen=True):
    """One record."""

    seq: int
    wall: str
    """The record's label."""
    clock: str
    """The time of day at the table."""
    round: int
    act: str
    """The record's kind."""
    text: Mapping[str, str]
    """By language."""
    outcome: str
    refusal: str | None
    moved: Mapping[str, str]
    """What each account gained, exactly."""
    did: tuple[str, ...] = ()
    """The button or key position of an act that was done, `choice`, and what was decided."""


def view_record(record: Record, table: TableNames) -> RecordView:
    """A record in words; `table` names the combination buttons."""
    refusal = record.body.get("refusal")
    return RecordView(
        record.seq,
        record.wall,
        clock_of(record.wall),
        record.round,
        record.kind,
        {language.value: _text(record, language, table) for language in Language},
        str(record.body.get("outcome", "")),
        str(refusal) if refusal else None,
        sum_postings(record),
        tuple(_list_done(record)),
    )


def _list_done(record: Record) -> Iterator[str]:
    act, changes = record.body.get("act"), record.body.get("changes")
    if isinstance(act, Mapping) and record.body.get("outcome") == ActOutcome.DONE.value:
        yield from (str(act[fact]) for fact in ("button", "position") if fact in act)
    if isinstance(changes, Mapping) and changes.get("choice") is not None:
        yield "choice"
    yield from (str(one.get("decision")) for one in RecordStep(record, {}, {}).decisions)


def _text(record: Record, language: Language, table: TableNames) -> str:
    act = act_words(record, language, table)
    return "; ".join([act, *describe_decisions(record, language, table)])


def sum_postings(record: Record) -> dict[str, str]:
    """What a record's transactions together put into each account that they touch."""
    sums: Counter[Account] = Counter()
    for transaction in record.transactions:
        for posting in transaction.postings:
            sums[posting.account] += posting.amount
    return {one.value: format_units(sums[one]) for one in Account if sums[one]}


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

    def __init__(self, folder: Path, *, seconds: float = READ_WITHIN_S) -> None:
        """`seconds`: how long `follow` waits for a reading; the next one goes on waiting."""
        self._folder = folder
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
        except (LedgerUnavailable, LedgerCorrupt, UnreadableRecord, TimeoutError) as error:
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
            work = asyncio.to_thread(_read, self._folder, known, seq, self._wins)
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


def _read(folder: Path, known: int, seq: int, wins: Wins) -> _Read:
    """In a thread. Raises LedgerUnavailable, LedgerCorrupt, UnreadableRecord."""
    first = max(known, seq - MOST_AT_ONCE)
    newest, names = deque[RecordView](maxlen=MOST_RECORDS), NamesInForce(folder)
    with closing(read_records(folder, after=first, limit=seq - first)) as records:
        named = name_people(records, folder)
        views = ((record, view_record(record, names.at(record))) for record in named)
        newest.extend(view for record, view in views if record.kind != SNAPSHOT)
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
    return wins.name_all(folder)


class RecordBroadcast:
    """Follows the ledger after each snapshot, and sends what is new."""

    def __init__(self, receiver: TableReceiver, viewers: Viewers, follower: LedgerFollower) -> None:
        self._receiver = receiver
        self._viewers = viewers
        self._follower = follower
        self._maybe_news = asyncio.Event()
        self._complained = ""
        receiver.on_snapshot.append(self._on_snapshot)
        receiver.on_heartbeat.append(self._maybe_news.set)
        for audience in RECORDS_GO_TO:
            viewers.greetings[audience].append(self._greet)

    async def run(self, _: web.Application) -> AsyncIterator[None]:
        """Run as long as the application (its `cleanup_ctx`)."""
        following = asyncio.create_task(self._follow())
        following.add_done_callback(_log_end)
        yield
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following

    async def _follow(self) -> None:
        while True:
            await self._maybe_news.wait()
            self._maybe_news.clear()
            if self._receiver.snapshot is not None:
                self._show(await self._follower.follow(self._receiver.snapshot.seq))

    def _on_snapshot(self, _: TableSnapshot) -> None:
        self._maybe_news.set()

    def _greet(self) -> list[str]:
        return [encode(self._follower.records)]

    def _show(self, news: LedgerNews) -> None:
        if news.records is not None:
            for audience in RECORDS_GO_TO:
                self._viewers.send(audience, news.records)
        if news.wins is not None:
            for audience in WINS_GO_TO:
                self._viewers.show(audience, "wins", news.wins)
        if news.trouble != self._complained:
            self._complained = news.trouble
            log.warning("%s", news.trouble or "the ledger can be read again")


def _log_end(following: asyncio.Task[None]) -> None:
    if not following.cancelled() and (error := following.exception()) is not None:
        log.error("records and wins are no longer followed", exc_info=error)
