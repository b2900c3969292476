"""Selects records by time, kind and money."""

from collections.abc import Generator
from pathlib import Path

from msgspec import Struct

from jackpot.ledger.journal import Record
from jackpot.ledger.reading import records_where

_REFUSED = '"outcome":"refused"'  # within a text of the body its quotes would be escaped


class Selection(Struct, frozen=True):
    """Which records are wanted; each field excludes some."""

    since: str = ""
    """The beginning of a wall-clock label, inclusive; "": any. Compared as text."""
    until: str = ""
    """The beginning of a wall-clock label, inclusive; "": any. Compared as text."""
    round: int | None = None
    kinds: tuple[str, ...] = ()
    """Any of these kinds; none: all."""
    refused: bool = False
    """Only refused acts."""
    moving: bool = False
    """Only records that move money."""
    containing: tuple[str, ...] = ()
    """Any of these texts in the body; none: all."""
    after: int = 0
    """Only later sequence numbers."""

    def condition(self) -> tuple[str, tuple[int | str, ...]]:
        """The condition on the table `journal`, with its values; without the round."""
        marks = ", ".join("?" for _ in self.kinds)
        texts = " OR ".join("instr(body, ?)" for _ in self.containing)
        wanted: list[tuple[bool, str, tuple[int | str, ...]]] = [
            (True, "seq > ?", (self.after,)),
            (bool(self.since), "wall >= ?", (self.since,)),
            (bool(self.until), "substr(wall, 1, ?) <= ?", (len(self.until), self.until)),
            (bool(self.kinds), f"kind IN ({marks})", self.kinds),
            (self.refused, "instr(body, ?)", (_REFUSED,)),
            (self.moving, "money IS NOT NULL", ()),
            (bool(self.containing), f"({texts})", self.containing),
        ]
        chosen = [(text, values) for asked, text, values in wanted if asked]
        values = tuple(value for _, several in chosen for value in several)
        return " AND ".join(text for text, _ in chosen), values


def select_records(
    folder: Path, selection: Selection, *, newest_first: bool = False
) -> Generator[Record, None, None]:
    """The selected records, oldest first unless asked otherwise; a service may be writing.

    They are not verified; `verify` does that. Raises LedgerUnavailable, and LedgerCorrupt for an
    invalid record.
    """
    where, values = selection.condition()
    order = "seq DESC" if newest_first else "seq"
    return records_where(folder, f"{where} ORDER BY {order}", values, round=selection.round)
