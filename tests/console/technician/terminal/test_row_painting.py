"""One row turned into another: what a screen shows afterwards, in how many bytes, dumb or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.technician.terminal.picture import repainted
from console.technician.terminal.row_painting import (
    Row,
    begun_anew,
    common_start,
    painted,
    painted_over,
)
from tests.console.technician.terminal.screen import Screen

texts = st.text("ab ", max_size=40)
rows = st.builds(lambda text, at: Row(text, min(at, len(text))), texts, st.integers(0, 40))


def showing(row: Row, *, dumb: bool) -> Screen:
    screen = Screen(dumb=dumb)
    screen.feed(begun_anew(row, escapes=not dumb))
    return screen


@given(rows, rows, st.booleans())
def test_a_screen_that_showed_the_one_row_shows_the_other(
    shown: Row, wanted: Row, dumb: bool
) -> None:
    for paint in (painted, painted_over):
        screen = showing(shown, dumb=dumb)
        before = screen.row
        screen.feed(paint(shown, wanted, escapes=not dumb))
        assert screen.line.rstrip() == wanted.text.rstrip()
        assert screen.column == wanted.column
        assert screen.row == before or paint is painted


@given(rows, rows)
def test_escapes_never_make_it_dearer(shown: Row, wanted: Row) -> None:
    dear, cheap = (painted_over(shown, wanted, escapes=escapes) for escapes in (False, True))
    assert len(cheap) <= len(dear)


@pytest.mark.parametrize(
    ("shown", "wanted", "dumb", "clever"),
    [
        (Row("status", 6), Row("status ", 7), b" ", b" "),
        (Row("stats", 4), Row("status", 5), b"us\b", b"us\b"),
        (Row("lamp on now", 5), Row("lamp 3 on now", 7), b"3 on now" + b"\b" * 6, b"\x1b[2@3 "),
        (Row("lamp 3 on now", 7), Row("lamp on now", 5), None, b"\b\b\x1b[2P"),
        (Row("watch", 5), Row("watc", 4), b"\b \b", b"\b \b"),
        (Row("watch", 5), Row("watch", 0), b"\r", b"\r"),
        (Row("watch", 0), Row("watch", 5), b"watch", b"\x1b[5C"),
    ],
)
def test_in_as_few_bytes_as_can_be(
    shown: Row, wanted: Row, dumb: bytes | None, clever: bytes
) -> None:
    for way, escapes in ((dumb, False), (clever, True)):
        if way is not None:
            assert len(painted_over(shown, wanted, escapes=escapes)) == len(way)


def test_all_begin_with_what_they_have_in_common() -> None:
    assert common_start(["status", "stop"]) == "st"
    assert common_start(["status"]) == "status"
    assert common_start(["a", "b"]) == common_start([]) == common_start(["", "a"]) == ""


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=8))
def test_a_picture_changes_in_place(lines: list[tuple[str, str]]) -> None:
    old, new = ([pair[which] for pair in lines] for which in (0, 1))
    screen = Screen()
    screen.feed(repainted((), old, in_place=False))
    screen.feed(repainted(old, new, in_place=True))
    assert [row.rstrip() for row in screen.rows[: len(new)]] == [text.rstrip() for text in new]
    assert (screen.row, screen.column) == (len(new), 0)
