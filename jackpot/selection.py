"""Records chosen by when, what and whether money moved, read one after another."""

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from jackpot.journal import Record
from jackpot.reading import records_where

_REFUSED = '"outcome":"refused"'  # within a text of the body its quotes would be escaped


@dataclass(frozen=True, slots=True)
class Selection:
    """Which records are wanted; each field narrows it.

    `since`, `until`: beginnings of wall-clock labels, both inclusive, compared as text ("": any).
    `kinds`: any of these (none: all). `refused`: refused acts only. `moving`: only what moves
    money. `after`: only later sequence numbers.
    """

    since: str = ""
    until: str = ""
    round: int | None = None
    kinds: tuple[str, ...] = ()
    refused: bool = False
    moving: bool = False
    after: int = 0

    def condition(self) -> tuple[str, tuple[int | str, ...]]:
        """The condition on the table `journal`, and the values in it; without the round."""
        marks = ", ".join("?" for _ in self.kinds)
        wanted: list[tuple[bool, str, tuple[int | str, ...]]] = [
            (True, "seq > ?", (self.after,)),
            (bool(self.since), "wall >= ?", (self.since,)),
            (bool(self.until), "substr(wall, 1, ?) <= ?", (len(self.until), self.until)),
            (bool(self.kinds), f"kind IN ({marks})", self.kinds),
            (self.refused, "instr(body, ?)", (_REFUSED,)),
            (self.moving, "money IS NOT NULL", ()),
        ]
        chosen = [(text, values) for asked, text, values in wanted if asked]
        values = tuple(value for _, several in chosen for value in several)
        return " AND ".join(text for text, _ in chosen), values


def select_records(folder: Path, selection: Selection) -> Generator[Record, None, None]:
    """The records of a selection, oldest first; a service may be writing.

    They are shown as they lie there; `verify` says whether to believe them. Raises
    LedgerUnavailable, and LedgerCorrupt at what is no record.
    """
    where, values = selection.condition()
    return records_where(folder, f"{where} ORDER BY seq", values, round=selection.round)
