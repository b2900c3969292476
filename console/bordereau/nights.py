"""Find the records of a night, and read them (docs/reference/bordereau.md, "What a night is").

A night ends with the declared count of the tray, at a poker table of the rake box; the next begins
with the record after it. Several counts without a round between them are one closing: the last one
holds.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import date, datetime, tzinfo
from itertools import islice
from pathlib import Path

from msgspec import Struct

from console.bordereau.figures import Bordereau, RecordRange
from console.bordereau.step import Plain, apply_changes
from console.bordereau.tally import OpeningState, compute_bordereau
from console.configuration.person_names import name_people
from console.rules.acts import CLOSES_NIGHT, KINDS, HeadSigned, Started
from console.rules.records import SNAPSHOT, UnreadableRecord, act_of
from console.rules.structs import replace
from jackpot.failures import Refused
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import newest_record, read_records

HEADS_AFTER = 100
"""How many signed heads after a night are searched for one that signs it, too: it is the first."""


class Night(Struct, frozen=True):
    """One night on record."""

    stretch: RecordRange
    rounds: tuple[int, int]
    """Its first and last round."""
    opened: str
    """When the first round was opened: a wall-clock label; "" if no round was opened."""


def nights(folder: Path, step: Callable[[], None] = lambda: None) -> Iterator[Night]:
    """The nights on record, newest first; the first may be still open.

    `step` is called for each count that is read. Raises LedgerUnavailable, LedgerCorrupt.
    """
    last = newest_record(folder)
    if last is None:
        return
    end, closed = last, False
    for count in _closings(folder, step):
        if end.round > count.round or closed:
            yield _night(folder, count, end, closed=closed)
        end, closed = count, True
    if end.round > 0:
        yield _night(folder, None, end, closed=closed)


def last_closing(folder: Path) -> Record | None:
    """The count that ended the newest closed night; None if no night is closed yet.

    Raises LedgerUnavailable, LedgerCorrupt.
    """
    return next(_closings(folder), None)


def _night(folder: Path, before: Record | None, end: Record, *, closed: bool) -> Night:
    after, played = (before.seq, before.round) if before else (0, 0)
    first = _first_of_round(folder, played + 1)
    rounds = (played + 1, end.round)
    return Night(RecordRange(after, end.seq, closed=closed), rounds, first.wall if first else "")


def _closings(folder: Path, step: Callable[[], None] = lambda: None) -> Iterator[Record]:
    """The last count of each closing, newest first."""
    before, round_reported = None, None
    while (count := newest_record(folder, kind=CLOSES_NIGHT, before=before)) is not None:
        step()
        before = count.seq
        if count.body.get("outcome") == "done" and count.round not in (0, round_reported):
            round_reported = count.round
            yield count


def newest_night(folder: Path, *, closed: bool = False) -> RecordRange:
    """The newest night, or with `closed` the newest closed one. Raises Refused."""
    for night in nights(folder):
        if night.stretch.closed or not closed:
            return night.stretch
    raise Refused("no night is closed yet" if closed else "no round has been opened yet")


def find_night(folder: Path, day: date, zone: tzinfo | None = None) -> RecordRange:
    """The night whose first round was opened on this day, local time. Raises Refused."""
    found: list[Night] = []
    for night in nights(folder):
        opened = _day(night.opened, zone)
        if opened == day:
            found.append(night)
        elif opened is not None and opened < day:
            break
    if not found:
        raise Refused(f"no night began on {day}")
    if len(found) > 1:
        rounds = ", ".join(f"{night.rounds[0]}-{night.rounds[1]}" for night in reversed(found))
        raise Refused(
            f"{len(found)} nights began on {day}: rounds {rounds}; ask for one with --rounds"
        )
    return found[0].stretch


def _day(wall: str, zone: tzinfo | None) -> date | None:
    try:
        return datetime.fromisoformat(wall).astimezone(zone).date()
    except ValueError:  # the label is no time
        return None


def rounds_of(folder: Path, first: int, last: int) -> RecordRange:
    """The records of rounds, from GAME OVER to the record before the next. Raises Refused."""
    begin = _first_of_round(folder, first)
    if begin is None or first < 1:
        raise Refused(f"round {first} is not on record")
    following = _first_of_round(folder, last + 1)
    newest = newest_record(folder)
    if following is not None:
        return RecordRange(begin.seq - 1, following.seq - 1, night=False, closed=False)
    if newest is None or newest.round != last:
        raise Refused(f"round {last} is not on record")
    return RecordRange(begin.seq - 1, newest.seq, night=False, closed=False)


def bordereau_of(
    folder: Path, stretch: RecordRange, step: Callable[[], None] = lambda: None
) -> Bordereau:
    """The bordereau of a range of records; a service may be writing meanwhile.

    `step` is called for each record that is read; what it raises ends the reading.
    Raises Refused, LedgerUnavailable, LedgerCorrupt, UnreadableRecord.
    """
    opening = _opening(folder, stretch.after, step)
    limit = stretch.last - stretch.after
    with closing(read_records(folder, after=stretch.after, limit=limit)) as records:
        counted = _count(name_people(records, folder), step)
        report = compute_bordereau(opening, counted, stretch)
    return replace(report, signed=_find_signature(folder, stretch.last))


def _count(records: Iterable[Record], step: Callable[[], None]) -> Iterator[Record]:
    """The records; `step` is called before each."""
    for record in records:
        step()
        yield record


def _find_signature(folder: Path, last: int) -> HeadSigned | None:
    """The first head that signs this record, too; else the one before it."""
    kind = KINDS[HeadSigned]
    with closing(read_records(folder, kind=kind, after=last, limit=HEADS_AFTER)) as records:
        for record in records:
            head = _head_in(record)
            if head.seq >= last:
                return head
    before = newest_record(folder, kind=kind, before=last + 1)
    return _head_in(before) if before is not None else None


def _head_in(record: Record) -> HeadSigned:
    act = act_of(record.kind, record.body)
    if not isinstance(act, HeadSigned):
        raise UnreadableRecord(f"record {record.seq} holds no signed head")
    return act


def _opening(folder: Path, after: int, step: Callable[[], None]) -> OpeningState:
    """The state after a record: the last snapshot up to it, with the later changes laid over."""
    snapshot = newest_record(folder, kind=SNAPSHOT, before=after + 1)
    state: Plain = {}
    begin = 0
    if snapshot is not None:
        state, begin = _state_in(snapshot), snapshot.seq
    with closing(read_records(folder, after=begin, limit=max(0, after - begin))) as records:
        for record in _count(records, step):
            if record.seq != begin + 1:
                break
            state, begin = apply_changes(state, record), record.seq
    if begin != after:
        raise Refused(f"record {begin + 1} is not in this ledger; is it in an archive?")
    started = newest_record(folder, kind=KINDS[Started], before=after + 1)
    return OpeningState(state, None if started is None else _configuration_in(started))


def _configuration_in(started: Record) -> str:
    act = started.body.get("act")
    return str(act.get("configuration", "")) if isinstance(act, dict) else ""


def _state_in(snapshot: Record) -> Plain:
    state = snapshot.body.get("state")
    if not isinstance(state, dict):
        raise UnreadableRecord(f"record {snapshot.seq} is a snapshot without a state")
    return state


def _first_of_round(folder: Path, number: int) -> Record | None:
    with closing(read_records(folder, round=number, limit=1)) as records:
        return next(islice(records, 1), None)
