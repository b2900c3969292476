"""A bordereau as PDF: A4, with the fonts every reader has. Needs fpdf2 (extra `report`)."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from fpdf import FPDF
from fpdf.enums import XPos, YPos

from console.bordereau.sheet import Item, Pair, Sheet, SheetSection, Table
from console.bordereau.words import Wording

MARGIN, GAP, LINE, SMALL = 15.0, 8.0, 4.4, 3.6
"""Millimetres: margin of the page, gap between columns, height of a line, of a table's line."""

FOOT, SIGNED, REMARK_LINES = 7.0, 56.0, 3
"""Millimetres of the foot of a page, and of remarks and signatures; lines for remarks."""

HASH_LINES = 2
"""What a hash takes among the lines of the proof."""

COLUMNS = 2
INK, PALE, RULE, ALARM = (33, 37, 41), (108, 117, 125), (206, 212, 218), (176, 0, 32)
ACROSS = (240, 222, 225)
BAND = (15, 61, 46)
"""The green of a table's cloth."""

FONT = "helvetica"
LATIN = "cp1252"
"""The encoding of the font's letters."""

MADE = datetime(2000, 1, 1, tzinfo=UTC)
"""A fixed date, so that the same record always makes the same file."""


def pdf_of(sheet: Sheet, say: Wording) -> bytes:
    """The PDF file's content."""
    page = _Page(sheet, say)
    page.signatures()
    for wide, sections in groupby(sheet.sections, lambda section: section.table is not None):
        if wide:
            for section in sections:
                page.wide(section)
        else:
            page.grid(list(sections))
    page.proof()
    return bytes(page.output())


class _Page(FPDF):
    def __init__(self, sheet: Sheet, say: Wording) -> None:
        super().__init__(format="A4")
        self._sheet = sheet
        self._say = say
        self.set_margin(MARGIN)
        self.set_auto_page_break(True, MARGIN + FOOT)
        self.set_creation_date(MADE)
        self.set_title(_latin(f"{sheet.title} {sheet.table}"))
        self.set_lang(say.language.value)
        self.alias_nb_pages()
        self.add_page()
        self._body = self.get_y()

    def header(self) -> None:
        """The band at the top of each page. On the first page it is higher, with the warnings."""
        first = self.page_no() == 1
        self.set_fill_color(*BAND)
        self.rect(0, 0, self.w, 24 if first else 12, style="F")
        self.set_text_color(255, 255, 255)
        self.set_xy(MARGIN, 6 if first else 3)
        self._font(18 if first else 10, bold=True)
        self.cell(self.epw / 2, 11 if first else 6, _latin(self._sheet.title))
        self._font(12 if first else 9)
        table = f"{self._sheet.table}  ·  {self._sheet.game}"
        self.cell(self.epw / 2, 11 if first else 6, _latin(table), align="R")
        self._across()
        self.set_xy(MARGIN, 27 if first else 17)
        if first:
            self._font(9, colour=PALE)
            self.cell(self.epw * 0.7, 5, _latin(self._sheet.house))
            self.cell(
                0, 5, _latin(self._sheet.number), align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT
            )
            self.ln(1)
        for warning in self._sheet.warnings if first else ():
            self._font(11, bold=True, colour=ALARM)
            self.set_draw_color(*ALARM)
            self.cell(
                0, 8, _latin(warning), border=1, align="C", new_x=XPos.LMARGIN, new_y=YPos.NEXT
            )
            self.ln(2)

    def footer(self) -> None:
        """Document, page, the last record's number and whole hash, on every page."""
        self.set_y(-MARGIN - FOOT + 4)
        self._rule()
        self.ln(1.5)
        proof = self._sheet.proof
        self._font(7.5, colour=PALE)
        text = f"{self._sheet.number}  ·  {proof.title}"
        self.cell(self.epw - 20, SMALL, _latin(text))
        self.cell(20, SMALL, f"{self.page_no()} / {{nb}}", align="R")
        self.ln(SMALL)
        self.set_font("courier", size=7.5)
        self.cell(0, SMALL, " ".join(proof.notes[:HASH_LINES]))

    def proof(self) -> None:
        """The last record's number, its whole hash and signature."""
        notes = self._sheet.proof.notes
        self._room(LINE * len(notes) + 10)
        self._title(self._sheet.proof.title, self.epw)
        self.set_text_color(*INK)
        self.set_font("courier", size=8)
        for note in notes:
            self.cell(0, SMALL, _latin(note), new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _across(self) -> None:
        """A pale word from corner to corner, under everything that is written after it."""
        if not self._sheet.across:
            return
        self.set_font(FONT, style="B", size=86)
        self.set_text_color(*ACROSS)
        word = _latin(self._sheet.across)
        middle = (self.w / 2, self.h / 2)
        with self.rotation(52, *middle):
            self.text(middle[0] - self.get_string_width(word) / 2, middle[1] + 10, word)

    def grid(self, sections: Sequence[SheetSection]) -> None:
        """Sections of pairs side by side."""
        width = (self.epw - GAP) / COLUMNS
        for at in range(0, len(sections), COLUMNS):
            beside = sections[at : at + COLUMNS]
            self._room(max(_height(section) for section in beside))
            top, lowest = self.get_y(), 0.0
            for column, section in enumerate(beside):
                self.set_xy(MARGIN + column * (width + GAP), top)
                self._pairs(section, width)
                lowest = max(lowest, self.get_y())
            self.set_xy(MARGIN, lowest + 3)

    def wide(self, section: SheetSection) -> None:
        """A section whose rows take the whole width."""
        self._room(20)
        self._title(section.title, self.epw)
        if section.table is not None and section.table.items:
            self._rows(section.table)
        for pair in section.pairs:
            self._pair(pair, self.epw, value=40)
        self._notes(section, self.epw)
        self.ln(3)

    def signatures(self) -> None:
        """Remarks and signatures at the foot of the first page, where nothing else is written."""
        top = self.h - MARGIN - FOOT - SIGNED
        self.set_xy(MARGIN, top)
        self._title(self._sheet.remarks, self.epw)
        self.set_draw_color(*RULE)
        for line in range(1, REMARK_LINES + 1):
            self.line(MARGIN, top + 6 + 7 * line, self.w - MARGIN, top + 6 + 7 * line)
        names = self._sheet.signatures
        width = (self.epw - GAP * (len(names) - 1)) / len(names)
        self.set_draw_color(*INK)
        top = self.h - MARGIN - FOOT - 6
        for at, name in enumerate(names):
            left = MARGIN + at * (width + GAP)
            self.line(left, top, left + width, top)
            self.set_xy(left, top + 1)
            self._font(8, colour=PALE)
            self.cell(width, SMALL, _latin(name))
        self.set_xy(MARGIN, self._body)
        self.set_auto_page_break(True, MARGIN + FOOT + SIGNED)

    def add_page(self, *arguments: Any, **options: Any) -> None:
        """The next page; only the first one has signatures."""
        super().add_page(*arguments, **options)
        if self.page_no() > 1:
            self.set_auto_page_break(True, MARGIN + FOOT)

    def _pairs(self, section: SheetSection, width: float) -> None:
        left = self.get_x()
        self._title(section.title, width)
        for pair in section.pairs:
            self.set_x(left)
            self._pair(pair, width, value=width * 0.6)
        self.set_x(left)
        self._notes(section, width)

    def _pair(self, pair: Pair, width: float, *, value: float) -> None:
        left = self.get_x()
        self._font(9, colour=PALE)
        self.cell(width - value, LINE, _latin(pair.name))
        self._font(9, bold=pair.strong)
        self.cell(value, LINE, _latin(pair.value), align="R")
        self.set_xy(left, self.get_y() + LINE)

    def _notes(self, section: SheetSection, width: float) -> None:
        left = self.get_x()
        self._font(9)
        for note in section.notes:
            self.set_x(left)
            self.multi_cell(width, LINE, _latin(note), align="L", new_x=XPos.LEFT, new_y=YPos.NEXT)

    def _title(self, title: str, width: float) -> None:
        left = self.get_x()
        self._font(10, bold=True, colour=BAND)
        self.cell(width, LINE + 1, _latin(title))
        self.set_xy(left, self.get_y() + LINE + 1)
        self._rule(width)
        self.set_xy(left, self.get_y() + 1)

    def _rows(self, table: Table) -> None:
        whole = sum(column.width for column in table.columns)
        widths = [self.epw * column.width / whole for column in table.columns]
        right = [column.right for column in table.columns]
        heads = [column.head for column in table.columns]
        self._row(heads, widths, right, colour=PALE)
        for item in table.items:
            if self.will_page_break(SMALL * _lines_of(self, item, widths)):
                self.add_page()
                self._row(heads, widths, right, colour=PALE)
            self._row(item.cells, widths, right, bold=item.strong)

    def _row(
        self,
        cells: Sequence[str],
        widths: Sequence[float],
        right: Sequence[bool],
        *,
        bold: bool = False,
        colour: tuple[int, int, int] = INK,
    ) -> None:
        left, top, lowest = self.get_x(), self.get_y(), 0.0
        self._font(7.5, bold=bold, colour=colour)
        for cell, width, is_right in zip(cells, widths, right, strict=True):
            self.set_xy(left, top)
            align = "R" if is_right else "L"
            self.multi_cell(width, SMALL, _latin(cell), align=align, new_y=YPos.NEXT)
            lowest = max(lowest, self.get_y())
            left += width
        self.set_xy(MARGIN, lowest + 0.4)

    def _room(self, height: float) -> None:
        if self.will_page_break(height):
            self.add_page()

    def _rule(self, width: float | None = None) -> None:
        self.set_draw_color(*RULE)
        left = self.get_x()
        self.line(left, self.get_y(), left + (width or self.epw), self.get_y())

    def _font(
        self, size: float, *, bold: bool = False, colour: tuple[int, int, int] | None = None
    ) -> None:
        self.set_font(FONT, style="B" if bold else "", size=size)
        if self._in_body or colour is not None:
            self.set_text_color(*(colour or INK))

    @property
    def _in_body(self) -> bool:
        return self.get_y() >= MARGIN


def _height(section: SheetSection) -> float:
    return LINE * (len(section.pairs) + len(section.notes)) + 10


def _lines_of(page: FPDF, item: Item, widths: Sequence[float]) -> int:
    return max(
        _count_lines(page, cell, width) for cell, width in zip(item.cells, widths, strict=True)
    )


def _count_lines(page: FPDF, cell: str, width: float) -> int:
    space = max(1.0, width - 2 * page.c_margin)
    return 1 + int(page.get_string_width(_latin(cell)) / space)


def _latin(text: str) -> str:
    """The text in the font's letters; each other letter becomes a question mark."""
    return text.encode(LATIN, "replace").decode(LATIN)
