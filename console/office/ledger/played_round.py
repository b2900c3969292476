"""One round played again from the record, for a dispute (docs/reference/rules.md, section 11).

Reading begins at the last snapshot before the round.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from console.rules.records import SNAPSHOT, UnreadableRecord
from console.rules.replay import ReplayedRecord, replay
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import newest_record, read_records


def replay_round(
    folder: Path, number: int, each: Callable[[], None] = lambda: None
) -> list[ReplayedRecord]:
    """Play a round's records again: each with the state after it, and its problem.

    The list is empty if the round is not on record. `each` is called before each record that is
    read; an exception from it ends the reading. Raises LedgerUnavailable, LedgerCorrupt,
    UnreadableRecord.
    """
    with closing(read_records(folder, round=number, limit=1)) as found:
        first = next(found, None)
    if first is None:
        return []
    snapshot = newest_record(folder, kind=SNAPSHOT, before=first.seq)
    begin = snapshot.seq - 1 if snapshot is not None else 0
    steps: list[ReplayedRecord] = []
    if snapshot is None and not _whole(folder):
        raise UnreadableRecord(f"round {number}: the records before it are not in this ledger")
    with closing(read_records(folder, after=begin, limit=-1)) as records:
        for step in replay(_follow_round(records, each)):
            if step.record.seq >= first.seq and step.record.round > number:
                break
            if step.record.seq >= first.seq:
                steps.append(step)
    return steps


def _whole(folder: Path) -> bool:
    with closing(read_records(folder, limit=1)) as found:
        return all(record.seq == 1 for record in found)


def _follow_round(records: Iterator[Record], each: Callable[[], None]) -> Iterator[Record]:
    for record in records:
        each()
        yield record
