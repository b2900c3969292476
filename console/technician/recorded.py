"""What the ledger's file says of rounds and of the night; read beside the service, not by it.

Everything here may wait for the disk: it is run in a thread (`long_work.in_thread`).
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from console.records import SNAPSHOT, UnreadableRecord
from console.replay import Replayed, replay
from console.technician.command import Desk
from console.technician.long_work import Meter, Result, in_thread
from console.technician.places import Unreadable, ledger_folder
from jackpot.accounts import Account, Reason
from jackpot.journal import Record
from jackpot.ledger import LedgerCorrupt, LedgerUnavailable, newest_record, read_records

READ_WITHIN_S = 30.0


async def read_ledger(
    desk: Desk, work: Callable[[Path, Meter], Result], *, seconds: float = READ_WITHIN_S
) -> Result:
    """What is read in the ledger's folder. Raises Unreadable, TooLong, Interrupted, Hung."""
    folder = ledger_folder(desk)
    try:
        return await in_thread(desk, lambda meter: work(folder, meter), seconds=seconds)
    except (LedgerUnavailable, LedgerCorrupt, UnreadableRecord) as error:
        raise Unreadable(f"{folder}: {error}") from error


def last_round(folder: Path) -> int:
    """The round of the newest record; 0 before the first."""
    newest = newest_record(folder)
    return newest.round if newest is not None else 0


def records_of_round(folder: Path, meter: Meter, number: int) -> list[Record]:
    """Every record of one round, oldest first."""
    with _records(folder, meter, round=number) as records:
        return list(records)


def replayed_round(folder: Path, meter: Meter, number: int) -> list[Replayed]:
    """One round played again, from the last snapshot before it on."""
    begin = _last_snapshot_before(folder, number, meter)
    steps: list[Replayed] = []
    with _records(folder, meter, after=max(0, begin - 1)) as records:
        for step in replay(records):
            if step.record.round > number:
                break
            if step.record.round == number:
                steps.append(step)
    return steps


@dataclass(slots=True)
class Tonight:
    """What happened since the tray was last counted, or since the ledger's first record.

    `tokens`: staked less returned. `awards`: final ones; `paid_units` went to the winners.
    """

    since: str = ""
    tray_counted: bool = False
    first_round: int = 0
    last_round: int = 0
    tokens: int = 0
    awards: int = 0
    paid_units: int = 0
    faults: dict[str, int] = field(default_factory=dict)


def tonight(folder: Path, meter: Meter) -> Tonight:
    """Add up the records since the tray was last counted."""
    counted = newest_record(folder, kind="tray-counted")
    found = Tonight(tray_counted=counted is not None)
    if counted is not None:
        found.since, found.first_round = counted.wall, counted.round
    with _records(folder, meter, after=counted.seq if counted else 0) as records:
        for record in records:
            found.since = found.since or record.wall
            _add(found, record)
    return found


def _add(found: Tonight, record: Record) -> None:
    found.last_round = record.round
    for transaction in record.transactions:
        if transaction.reason is Reason.STAKE:
            found.tokens += 1
        elif transaction.reason is Reason.TOKEN_RETURNED:
            found.tokens -= 1
        elif transaction.reason is Reason.AWARD_FINAL:
            found.awards += 1
            found.paid_units += sum(
                posting.amount
                for posting in transaction.postings
                if posting.account is Account.PAID
            )
    decisions = record.body.get("decisions")
    for decision in decisions if isinstance(decisions, list) else ():
        if isinstance(decision, dict) and decision.get("decision") == "fault-raised":
            fault = str(decision.get("fault"))
            found.faults[fault] = found.faults.get(fault, 0) + 1


@contextmanager
def _records(
    folder: Path, meter: Meter, *, after: int = 0, round: int | None = None, kind: str | None = None
) -> Iterator[Iterator[Record]]:
    """Records, each counted; the file is closed here, in the thread that opened it."""
    with closing(read_records(folder, after=after, round=round, kind=kind, limit=-1)) as found:
        yield _counted(found, meter)


def _counted(records: Iterator[Record], meter: Meter) -> Iterator[Record]:
    for record in records:
        meter.step()
        yield record


def _last_snapshot_before(folder: Path, number: int, meter: Meter) -> int:
    """The sequence number of the snapshot to begin at; 0: there is none, begin at the first.

    Rounds are asked one by one, backwards: a snapshot comes every few rounds.
    """
    for earlier in range(number - 1, -1, -1):
        with _records(folder, meter, round=earlier, kind=SNAPSHOT) as snapshots:
            found = [record.seq for record in snapshots]
        if found:
            return found[-1]
    return 0
