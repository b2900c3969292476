"""A bordereau for a receipt printer: 40 columns of ASCII."""

import textwrap
import unicodedata
from collections.abc import Iterator

from console.bordereau.sheet import Sheet, SheetSection

COLUMNS = 40


def text_of(sheet: Sheet) -> str:
    """The whole sheet; each line ends with a line feed."""
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
    yield sheet.title.upper().center(COLUMNS)
    yield f"{sheet.table}  {sheet.game}".center(COLUMNS)
    for warning in sheet.warnings:
        yield from (f"*** {line} ***".center(COLUMNS) for line in textwrap.wrap(warning, 32))
    yield "=" * COLUMNS
    for section in sheet.sections:
        yield from _section(section)
        yield "-" * COLUMNS
    yield from _section(sheet.proof)
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
