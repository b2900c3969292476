"""The name of the table that a ledger or an export is of; needs no cryptography."""

from pathlib import Path

from console.rules.acts import KINDS, Adopted
from console.rules.records import SNAPSHOT, restore_state, settings_in
from jackpot.ledger.ledger import newest_record


def visible(text: str) -> str:
    """The text without control characters: the file may come from anybody."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def table_of(folder: Path) -> str:
    """The table's name in the newest settings; "" before the first settings."""
    adopted = newest_record(folder, kind=KINDS[Adopted])
    if adopted is not None:
        settings = settings_in(adopted.kind, adopted.body)
    else:  # they may be in the archive
        snapshot = newest_record(folder, kind=SNAPSHOT)
        settings = restore_state(snapshot.body, ()).settings if snapshot is not None else None
    return settings.table if settings else ""
