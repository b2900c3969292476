"""A bordereau as people read it, laid out by nobody yet: sections of pairs and of rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """A name and its value. `strong`: what the eye looks for."""

    name: str
    value: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """One row of a table: its cells for a wide page, and its lines for a narrow one."""

    cells: tuple[str, ...]
    narrow: tuple[tuple[str, str], ...]
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their heads. `widths`: the columns' parts of the page; `right`: figures."""

    heads: tuple[str, ...]
    widths: tuple[int, ...]
    right: frozenset[int]
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class SheetSection:
    """What stands under one title: pairs, a table, lines of text."""

    title: str
    pairs: tuple[Pair, ...] = ()
    table: Table | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole bordereau. `warnings` stand at the top. `proof`: the record's head at the foot."""

    title: str
    table: str
    game: str
    warnings: tuple[str, ...]
    sections: tuple[SheetSection, ...]
    proof: SheetSection
    signatures: tuple[str, ...]


def pairs_of(values: Iterable[tuple[str, str]]) -> tuple[Pair, ...]:
    """Names and values as pairs."""
    return tuple(Pair(name, value) for name, value in values)


def group_hash(digest: str, size: int = 4, a_line: int = 8) -> tuple[str, ...]:
    """A hash in groups that can be read out, in lines."""
    groups: Sequence[str] = [digest[at : at + size] for at in range(0, len(digest), size)]
    return tuple(" ".join(groups[at : at + a_line]) for at in range(0, len(groups), a_line))
