"""Keys out of bytes: every terminal's way to say an arrow, and noise."""

import tracemalloc
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.technician.terminal.keys import (
    LONGEST_SEQUENCE,
    LONGEST_STRING,
    SEQUENCE_S,
    Key,
    KeyReader,
    Press,
)

CONTROLS = {
    "A": Key.HOME,
    "B": Key.LEFT,
    "C": Key.INTERRUPT,
    "D": Key.END_OF_INPUT,
    "E": Key.END,
    "F": Key.RIGHT,
    "K": Key.ERASE_AFTER,
    "L": Key.REDRAW,
    "N": Key.DOWN,
    "P": Key.UP,
    "Q": Key.GO_ON,
    "S": Key.PAUSE,
    "U": Key.ERASE_BEFORE,
    "W": Key.ERASE_WORD,
}

SEQUENCES = {
    "\x1b[A": Key.UP,
    "\x1b[B": Key.DOWN,
    "\x1b[C": Key.RIGHT,
    "\x1b[D": Key.LEFT,
    "\x1bOA": Key.UP,
    "\x1bOB": Key.DOWN,
    "\x1bOC": Key.RIGHT,
    "\x1bOD": Key.LEFT,
    "\x1b[H": Key.HOME,
    "\x1bOH": Key.HOME,
    "\x1b[1~": Key.HOME,
    "\x1b[7~": Key.HOME,
    "\x1b[F": Key.END,
    "\x1bOF": Key.END,
    "\x1b[4~": Key.END,
    "\x1b[8~": Key.END,
    "\x1b[3~": Key.DELETE,
    "\x1b[1;5C": Key.WORD_RIGHT,
    "\x1b[1;5D": Key.WORD_LEFT,
    "\x1b[1;3D": Key.WORD_LEFT,
    "\x1bb": Key.WORD_LEFT,
    "\x1bf": Key.WORD_RIGHT,
    "\x1b\x7f": Key.ERASE_WORD,
}

MEANINGLESS = (
    "\x1b[2~",  # Insert
    "\x1b[5~",  # page up
    "\x1b[15~",  # F5
    "\x1b[[A",  # F1 of the Linux console
    "\x1bOP",  # F1 of a VT100
    "\x1b[?1;2c",  # what a terminal answers when it is asked what it is
    "\x1b]0;title\x07",
    "\x1bx",
    "\x1b[" + "1;" * 100 + "A",
    "\x00",  # a break
)

pieces = st.lists(
    st.one_of(
        st.binary(max_size=20),
        st.sampled_from([*SEQUENCES, *MEANINGLESS, "\x1b[", "\x1b]", "\r", "è"]).map(str.encode),
    ),
    max_size=20,
)


def keys(*data: bytes, now: float = 0.0) -> list[Press]:
    reader = KeyReader()
    return [press for piece in data for press in reader.feed(piece, now)]


def byte_by_byte(data: bytes) -> Iterable[bytes]:
    return (data[at : at + 1] for at in range(len(data)))


def test_printable_characters_stand_for_themselves() -> None:
    printable = bytes(range(0x20, 0x7F))
    assert keys(printable) == list(printable.decode())


@pytest.mark.parametrize("letter", CONTROLS)
def test_control_characters(letter: str) -> None:
    assert keys(bytes([ord(letter) - 0x40])) == [CONTROLS[letter]]


def test_backspace_is_what_either_kind_of_terminal_sends() -> None:
    assert keys(b"\b\x7f") == [Key.BACKSPACE, Key.BACKSPACE]


@pytest.mark.parametrize("enter", [b"\r", b"\n", b"\r\n", b"\r\0"])
def test_each_way_to_say_enter_is_one(enter: bytes) -> None:
    for data in ([b"a" + enter + b"b" + enter], byte_by_byte(b"a" + enter + b"b" + enter)):
        assert keys(*data) == ["a", Key.ENTER, "b", Key.ENTER]


def test_enter_twice_is_twice() -> None:
    assert keys(b"\r\r") == keys(b"\n\n") == keys(b"\r\n\r\n") == [Key.ENTER, Key.ENTER]


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_keys_that_send_a_sequence(sequence: str) -> None:
    data = sequence.encode()
    for taken in ([data + b"x"], byte_by_byte(data + b"x")):
        assert keys(*taken) == [SEQUENCES[sequence], "x"]


@pytest.mark.parametrize("sequence", MEANINGLESS)
def test_what_means_nothing_is_swallowed_whole(sequence: str) -> None:
    assert keys(sequence.encode() + b"x") == ["x"]


def test_who_sends_cursor_keys_understands_them() -> None:
    reader = KeyReader()
    reader.feed(b"abc\x1b\x1bb\x1b[5~\x1b[?1;2c", 0.0)
    assert not reader.moves_cursor
    reader.feed(b"\x1b[D", 0.0)
    assert reader.moves_cursor


def test_a_lone_escape_is_known_by_what_does_not_follow() -> None:
    reader = KeyReader()
    assert reader.feed(b"\x1b", 5.0) == []
    assert reader.deadline is not None
    assert reader.deadline == 5.0 + SEQUENCE_S
    assert reader.flush(5.0 + SEQUENCE_S / 2) == []
    assert reader.flush(5.0 + SEQUENCE_S) == [Key.ESCAPE]
    assert reader.feed(b"[A", 6.0) == ["[", "A"]
    assert reader.deadline is None


def test_half_a_sequence_is_given_up() -> None:
    reader = KeyReader()
    reader.feed(b"\x1b[1;", 5.0)
    assert reader.flush(5.0 + SEQUENCE_S) == []
    assert reader.feed(b"5", 6.0) == ["5"]


def test_a_control_character_ends_whatever_came_before() -> None:
    assert keys(b"\x1b[1;5\x03x") == [Key.INTERRUPT, "x"]
    assert keys(b"\x1b]0;noise\rx") == [Key.ENTER, "x"]
    assert keys(b"\x1b\rx") == [Key.ESCAPE, Key.ENTER, "x"]


def test_an_accent_is_written_as_the_display_writes_it() -> None:
    assert "".join(map(str, keys("perché più città".encode()))) == "perche' piu' citta'"
    for data in byte_by_byte("è".encode()), ["è".encode()]:
        assert keys(*data) == ["e", "'"]


def test_what_is_no_ascii_and_cannot_be_written_so_is_a_question_mark() -> None:
    assert keys("日本x".encode()) == ["?", "?", "x"]
    assert keys(b"\xe8x") == ["?", "x"]  # Latin-1
    assert keys(b"\xffx") == keys(b"\x80x") == ["?", "x"]


def test_half_a_letter_is_given_up() -> None:
    reader = KeyReader()
    assert reader.feed(b"\xc3", 5.0) == []
    assert reader.flush(5.0 + SEQUENCE_S) == ["?"]


@given(pieces, st.data())
def test_any_bytes_give_keys_and_no_more_is_kept_than_a_sequence(
    data: list[bytes], draw: st.DataObject
) -> None:
    reader, now = KeyReader(), 0.0
    for piece in data:
        now += draw.draw(st.floats(0, 2 * SEQUENCE_S))
        for press in [*reader.flush(now), *reader.feed(piece, now)]:
            assert isinstance(press, Key) or (len(press) == 1 and press.isascii())
            assert isinstance(press, Key) or press.isprintable()
        kept = vars(reader)
        assert len(kept["_sequence"]) <= LONGEST_SEQUENCE
        assert len(kept["_letter"]) <= 4
        assert kept["_swallowed"] <= LONGEST_STRING
    reader.flush(now + SEQUENCE_S)
    assert reader.feed(b"\rx", now + 1)[-1] == "x"


@given(pieces)
def test_how_bytes_are_cut_into_pieces_does_not_matter(data: list[bytes]) -> None:
    whole = b"".join(data)
    assert keys(*data) == keys(whole) == keys(*byte_by_byte(whole))


def test_an_endless_sequence_ends_and_costs_no_memory() -> None:
    reader = KeyReader()
    reader.feed(b"\x1b[", 0.0)
    typed = 0
    tracemalloc.start()
    try:
        for _ in range(1000):
            typed += len(reader.feed(b"1" * 100, 0.0))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert typed > 99_000
    assert peak < 50_000
