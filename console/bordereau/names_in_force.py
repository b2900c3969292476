"""What a table called its combinations and its amounts when a record was written."""

from pathlib import Path

from console.rules.acts import KINDS, Adopted
from console.rules.records import SNAPSHOT, restore_state, settings_in
from console.texts.table_texts import TableNames, names_of
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import newest_record


class NamesInForce:
    """Follows the settings from record to record, oldest first or newest first."""

    def __init__(self, folder: Path, *, newest_first: bool = False) -> None:
        self._folder = folder
        self._newest_first = newest_first
        self._names: TableNames | None = None

    def at(self, record: Record) -> TableNames:
        """The names at this record. Raises LedgerUnavailable, LedgerCorrupt, UnreadableRecord."""
        if self._names is None:
            # `record` may be a snapshot itself
            self._names = names_before(self._folder, record.seq + 1)
        adopted = settings_in(record.kind, record.body)
        names = names_of(adopted) if adopted is not None else self._names
        self._names = None if adopted is not None and self._newest_first else names
        return names


def name_currencies(folder: Path, after: int, last: int) -> str:
    """Of the amounts of these rounds; where it changed between two, all: `EUR / CHF`.

    Raises as `NamesInForce.at`.
    """
    found = [names_before(folder, last + 1).currency]
    begun = newest_record(folder, before=after + 1)
    first = begun.round if begun is not None else 0
    seq = last + 1
    while (one := newest_record(folder, kind=KINDS[Adopted], before=seq)) and one.round > first:
        seq = one.seq
        found.append(names_before(folder, seq).currency)
    return " / ".join(dict.fromkeys(reversed(found)))


def names_before(folder: Path, seq: int) -> TableNames:
    """The names before a record; none before the first settings. Raises as `NamesInForce.at`."""
    record = newest_record(folder, kind=(SNAPSHOT, KINDS[Adopted]), before=seq)
    if record is None:
        return names_of(None)
    if record.kind == SNAPSHOT:
        return names_of(restore_state(record.body, ()).settings)
    return names_of(settings_in(record.kind, record.body))
