"""Where in a database file its structure lies, beside the content: the header, each page's header,
the places of its cells, and each cell's number, size and columns (https://sqlite.org/fileformat.html).

A bit there leads SQLite astray; one in the content changes what a record says, and no hash fits.
"""

from collections.abc import Iterator
from functools import cache

PAGE = 4096
_HEADER = 100
_INTERIOR_INDEX, _INTERIOR_TABLE, _LEAF_INDEX, _LEAF_TABLE = 2, 5, 10, 13
_INTERIOR = (_INTERIOR_INDEX, _INTERIOR_TABLE)


@cache
def structure_of(content: bytes) -> tuple[int, ...]:
    """The offsets of all its bytes."""
    offsets = set(range(_HEADER))
    for page in range(0, len(content), PAGE):
        offsets.update(_of_page(content, page))
    return tuple(sorted(offsets))


def _of_page(content: bytes, page: int) -> Iterator[int]:
    header = page if page else _HEADER
    kind = content[header]
    size = 12 if kind in _INTERIOR else 8
    yield from range(header, header + size)
    if kind not in (*_INTERIOR, _LEAF_INDEX, _LEAF_TABLE):
        return  # of a long record, or of no tree: what begins it is a page's number
    cells = int.from_bytes(content[header + 3 : header + 5], "big")
    for place in range(header + size, header + size + 2 * cells, 2):
        yield from (place, place + 1)
        cell = page + int.from_bytes(content[place : place + 2], "big")
        yield from range(cell, _end_of_structure(content, cell, kind))


def _end_of_structure(content: bytes, cell: int, kind: int) -> int:
    at = cell + (4 if kind in _INTERIOR else 0)
    _, at = _varint(content, at)  # a record's size; on an inner page of a table, its number
    if kind == _INTERIOR_TABLE:
        return at
    if kind == _LEAF_TABLE:
        _, at = _varint(content, at)
    return at + _varint(content, at)[0]


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends; here none has nine bytes."""
    value = 0
    while content[at] & 0x80:
        value = value << 7 | content[at] & 0x7F
        at += 1
    return value << 7 | content[at], at + 1
