"""Finds the table's files, and reads rounds and the night from the ledger, without the service.

Everything here may wait for the disk, so it runs in a thread (`long_work.run_in_thread`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec import Struct

from console.bordereau.money_totals import MoneyTotals
from console.bordereau.nights import last_closing
from console.configuration.file import load_configuration
from console.configuration.named_files import FileUnusable
from console.configuration.person_names import name_people
from console.rules.acts import KINDS, Adopted
from console.rules.poker_settings import PokerSettings
from console.rules.records import act_of
from console.technician.command import TechnicianSession
from console.technician.long_work import Meter, Result, run_in_thread
from console.texts.technician import session_texts
from jackpot.failures import Failure, Unavailable
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import (
    newest_record,
    read_records,
    transactions_since,
)

DATABASE = "ledger.db"

READ_WITHIN_S = 30.0


def find_ledger_folder(session: TechnicianSession) -> Path:
    """Return the ledger's folder. Raises Unavailable if it is not known."""
    folder = session.ledger
    if folder is None and session.status is not None and session.status.ledger:
        folder = Path(session.status.ledger)
    if folder is None and session.configuration is not None:
        folder = _find_configured_ledger(session.configuration)
    if folder is None:
        raise Unavailable(
            session.words(
                session_texts.LEDGER_FOLDER_NOT_KNOWN,
            )
        )
    within = folder / "ledger"  # a simulation's folder contains the ledger's
    return within if not (folder / DATABASE).exists() and (within / DATABASE).exists() else folder


def find_configuration(session: TechnicianSession) -> Path:
    """Return the table's configuration file. Raises Unavailable if it is not known."""
    file = session.configuration if session.status is None or not session.simulated else None
    if file is None and session.status is not None and session.status.configuration:
        file = Path(session.status.configuration)
    if file is not None:
        return file
    if session.status is not None:
        raise Unavailable(
            session.words(
                session_texts.TABLE_RUNS_WITHOUT_CONFIGURATION,
            )
        )
    raise Unavailable(
        session.words(
            session_texts.CONFIGURATION_NOT_READ_END,
        )
    )


def _find_configured_ledger(file: Path) -> Path:
    """Return the ledger's folder from a configuration. Raises Unavailable."""
    try:
        return Path(load_configuration(file).ledger.folder)
    except FileUnusable as error:
        raise Unavailable(str(error)) from error


async def read_ledger(
    session: TechnicianSession,
    work: Callable[[Path, Meter], Result],
    *,
    seconds: float = READ_WITHIN_S,
) -> Result:
    """Run work on the ledger's folder. Raises Unavailable, Interrupted, Hung."""
    folder = find_ledger_folder(session)

    def read(meter: Meter) -> Result:
        try:
            return work(folder, meter)
        except Failure as error:
            raise Unavailable(f"{folder}: {error}") from error

    return await run_in_thread(session, read, seconds=seconds)


def find_last_round(folder: Path) -> int:
    """Return the round of the newest record; 0 before the first."""
    newest = newest_record(folder)
    return newest.round if newest is not None else 0


def read_round(folder: Path, meter: Meter, number: int) -> list[Record]:
    """Return every record of one round, oldest first."""
    with count_records(folder, meter, round=number) as records:
        return list(name_people(records, folder))


class NightCount(Struct, frozen=True):
    """What happened since the last night ended (`bordereau/nights.py` says when)."""

    since: str
    """A wall-clock label."""

    counted: bool
    """Whether it begins with a count of the tray, or of the rake box; otherwise with the ledger's
    first record."""

    poker: bool
    """Whether the table is a poker table now."""

    rounds: int
    money: MoneyTotals
    faults: Mapping[str, int]
    """How often each fault was raised."""


def count_night(folder: Path, meter: Meter) -> NightCount | None:
    """Add up what happened since the last night ended; None for an empty ledger."""
    end = last_closing(folder)
    last = newest_record(folder)
    with count_records(folder, meter) as records:
        begin = end or next(records, None)
    if begin is None or last is None:
        return None
    after = end.seq if end is not None else 0
    money = MoneyTotals()
    with closing(transactions_since(folder, after)) as transactions:
        for transaction in transactions:
            money = money.after(transaction)
    return NightCount(
        begin.wall,
        end is not None,
        _is_poker(folder),
        last.round - begin.round,
        money,
        _count_faults(folder, after, meter),
    )


def _is_poker(folder: Path) -> bool:
    adopted = newest_record(folder, kind=KINDS[Adopted])
    act = act_of(adopted.kind, adopted.body) if adopted is not None else None
    return isinstance(act, Adopted) and isinstance(act.settings.poker, PokerSettings)


def _count_faults(folder: Path, after: int, meter: Meter) -> Mapping[str, int]:
    faults: Counter[str] = Counter()
    with count_records(folder, meter, after=after, containing=FAULT_RAISED) as records:
        for record in records:
            decisions = record.body.get("decisions")
            for decision in decisions if isinstance(decisions, list) else ():
                if isinstance(decision, Mapping) and decision.get("decision") == FAULT_RAISED:
                    faults[str(decision.get("fault"))] += 1
    return faults


FAULT_RAISED = "fault-raised"
"""The decision in a record (console/rules/round/draft.py)."""


@contextmanager
def count_records(
    folder: Path,
    meter: Meter,
    *,
    after: int = 0,
    round: int | None = None,
    containing: str | None = None,
) -> Iterator[Iterator[Record]]:
    """Read records, counting each on the meter. The same thread opens and closes the file."""
    records = read_records(folder, after=after, round=round, containing=containing, limit=-1)
    with closing(records):
        yield _count(records, meter)


def _count(records: Iterator[Record], meter: Meter) -> Iterator[Record]:
    for record in records:
        meter.step()
        yield record
