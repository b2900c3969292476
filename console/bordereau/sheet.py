"""A bordereau as people read it, before any layout: sections of pairs and of tables."""

from collections.abc import Iterable, Sequence

from msgspec import Struct


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
    table: str
    game: str
    warnings: tuple[str, ...]
    """At the top."""
    sections: tuple[SheetSection, ...]
    proof: SheetSection
    """At the foot: number and hash of the last record."""
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
