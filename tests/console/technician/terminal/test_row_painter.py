"""One row turned into another: what a screen shows afterwards, in how many bytes, dumb or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.technician.terminal.row_painter import (
    TerminalRow,
    find_common_start,
    paint,
    paint_anew,
    paint_over,
    repaint,
)
from tests.console.technician.terminal.screen import Screen

texts = st.text("ab ", max_size=40)
rows = st.builds(lambda text, at: TerminalRow(text, min(at, len(text))), texts, st.integers(0, 40))


def showing(row: TerminalRow, *, dumb: bool) -> Screen:
    screen = Screen(dumb=dumb)
    screen.feed(paint_anew(row, escapes=not dumb))
    return screen


@given(rows, rows, st.booleans())
def test_a_screen_that_showed_the_one_row_shows_the_other(
    shown: TerminalRow, wanted: TerminalRow, dumb: bool
) -> None:
    for draw in (paint, paint_over):
        screen = showing(shown, dumb=dumb)
        before = screen.row
        screen.feed(draw(shown, wanted, escapes=not dumb))
        assert screen.line.rstrip() == wanted.text.rstrip()
        assert screen.column == wanted.column
        assert screen.row == before or draw is paint


@given(rows, rows)
def test_escapes_never_make_it_dearer(shown: TerminalRow, wanted: TerminalRow) -> None:
    dear, cheap = (paint_over(shown, wanted, escapes=escapes) for escapes in (False, True))
    assert len(cheap) <= len(dear)


@pytest.mark.parametrize(
    ("shown", "wanted", "dumb", "clever"),
    [
        (TerminalRow("status", 6), TerminalRow("status ", 7), b" ", b" "),
        (TerminalRow("stats", 4), TerminalRow("status", 5), b"us\b", b"us\b"),
        (
            TerminalRow("lamp on now", 5),
            TerminalRow("lamp 3 on now", 7),
            b"3 on now" + b"\b" * 6,
            b"\x1b[2@3 ",
        ),
        (TerminalRow("lamp 3 on now", 7), TerminalRow("lamp on now", 5), None, b"\b\b\x1b[2P"),
        (TerminalRow("watch", 5), TerminalRow("watc", 4), b"\b \b", b"\b \b"),
        (TerminalRow("watch", 5), TerminalRow("watch", 0), b"\r", b"\r"),
        (TerminalRow("watch", 0), TerminalRow("watch", 5), b"watch", b"\x1b[5C"),
    ],
)
def test_in_as_few_bytes_as_can_be(
    shown: TerminalRow, wanted: TerminalRow, dumb: bytes | None, clever: bytes
) -> None:
    for way, escapes in ((dumb, False), (clever, True)):
        if way is not None:
            assert len(paint_over(shown, wanted, escapes=escapes)) == len(way)


def test_all_begin_with_what_they_have_in_common() -> None:
    assert find_common_start(["status", "stop"]) == "st"
    assert find_common_start(["status"]) == "status"
    assert (
        find_common_start(["a", "b"]) == find_common_start([]) == find_common_start(["", "a"]) == ""
    )


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=8))
def test_a_picture_changes_in_place(lines: list[tuple[str, str]]) -> None:
    old, new = ([pair[which] for pair in lines] for which in (0, 1))
    screen = Screen()
    screen.feed(repaint((), old, in_place=False))
    screen.feed(repaint(old, new, in_place=True))
    assert [row.rstrip() for row in screen.rows[: len(new)]] == [text.rstrip() for text in new]
    assert (screen.row, screen.column) == (len(new), 0)
