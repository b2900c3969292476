"""A bordereau as people read it: sections of pairs and of tables, and their text for a slip.

The text is for a receipt printer: 40 columns of ASCII.
"""

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

COLUMNS = 40
REMARK_LINES = 3


class Pair(Struct, frozen=True):
    """A name and its value."""

    name: str
    value: str
    strong: bool = False
    """Shown in bold."""


class Item(Struct, frozen=True):
    """One row of a table."""

    cells: tuple[str, ...]
    """For a wide page."""
    narrow: tuple[tuple[str, str], ...]
    """For a narrow one: lines of a left and a right text."""
    strong: bool = False
    """Shown in bold."""


class Column(Struct, frozen=True):
    """A column of a table."""

    head: str
    width: int
    """In parts of the page's width."""
    right: bool = False
    """Aligned right, as figures are."""


class Table(Struct, frozen=True):
    """Rows under the heads of their columns."""

    columns: tuple[Column, ...]
    items: tuple[Item, ...]


class SheetSection(Struct, frozen=True):
    """Pairs, a table and lines of text under one title."""

    title: str
    pairs: tuple[Pair, ...] = ()
    table: Table | None = None
    notes: tuple[str, ...] = ()


class Sheet(Struct, frozen=True):
    """A whole bordereau."""

    title: str
    house: str
    """Name and place; "": not configured."""
    table: str
    game: str
    warnings: tuple[str, ...]
    """At the top."""
    sections: tuple[SheetSection, ...]
    proof: SheetSection
    """At the foot: number and hash of the last record."""
    number: str
    """Of the document: the same records have the same number."""
    across: str
    """What stands in large letters across each page; "": nothing."""
    remarks: str
    """The title of the space for what people write."""
    signatures: tuple[str, ...]
    """Who signs."""


def pairs_of(values: Iterable[tuple[str, str]]) -> tuple[Pair, ...]:
    """Names and values as pairs."""
    return tuple(Pair(name, value) for name, value in values)


def table_section(
    title: str, columns: Iterable[Column], items: Iterable[Item], none: str = ""
) -> SheetSection:
    """A section of one table. Without rows, the text `none` replaces the table if it is given."""
    rows = tuple(items)
    if not rows and none:
        return SheetSection(title, notes=(none,))
    return SheetSection(title, table=Table(tuple(columns), rows))


def group_hash(digest: str, size: int = 4, a_line: int = 8) -> tuple[str, ...]:
    """Lines of a hash in groups that can be read aloud."""
    groups: Sequence[str] = [digest[at : at + size] for at in range(0, len(digest), size)]
    return tuple(" ".join(groups[at : at + a_line]) for at in range(0, len(groups), a_line))


def text_of(sheet: Sheet) -> str:
    """The bordereau as text; each line ends with a line feed."""
    return "".join(f"{ascii_of(line).rstrip()}\n" for line in _lines(sheet))


def ascii_of(text: str) -> str:
    """The text in ASCII: `è` becomes `e'`, a character without an ASCII form `?`."""
    return "".join(_letter(letter) for letter in text)


def _letter(letter: str) -> str:
    if letter.isascii():
        return letter if letter.isprintable() else "?"
    plain = [part for part in unicodedata.normalize("NFKD", letter) if part.isascii()]
    return f"{''.join(plain)}'" if plain and plain[0].isalpha() else "?"


def _lines(sheet: Sheet) -> Iterator[str]:
    yield from (line.center(COLUMNS) for line in textwrap.wrap(ascii_of(sheet.house), COLUMNS))
    yield sheet.title.upper().center(COLUMNS)
    yield f"{sheet.table}  {sheet.game}".center(COLUMNS)
    yield sheet.number.center(COLUMNS)
    for warning in sheet.warnings:
        yield from (f"*** {line} ***".center(COLUMNS) for line in textwrap.wrap(warning, 32))
    yield "=" * COLUMNS
    for section in sheet.sections:
        yield from _section(section)
        yield "-" * COLUMNS
    yield from _section(sheet.proof)
    yield ""
    yield sheet.remarks.upper()
    yield from ("", "_" * COLUMNS) * REMARK_LINES
    for name in sheet.signatures:
        yield ""
        yield ""
        yield f"{name} ".ljust(COLUMNS, "_")


def _section(section: SheetSection) -> Iterator[str]:
    yield section.title.upper()
    if section.table is not None:
        for item in section.table.items:
            for left, right in item.narrow:
                yield from _line(left, right)
    for pair in section.pairs:
        yield from _line(pair.name, pair.value)
    for note in section.notes:
        yield from textwrap.wrap(note, COLUMNS)


def _line(left: str, right: str) -> Iterator[str]:
    """A left and a right text on one line, or on several if there is no space."""
    left, right = ascii_of(left), ascii_of(right)
    if len(left) + len(right) < COLUMNS:
        yield f"{left}{right.rjust(COLUMNS - len(left))}"
        return
    margin = " " * (len(left) - len(left.lstrip()))
    yield from textwrap.wrap(left, COLUMNS, subsequent_indent=margin, drop_whitespace=True)
    yield from (line.rjust(COLUMNS) for line in textwrap.wrap(right, COLUMNS))
