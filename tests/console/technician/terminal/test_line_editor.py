"""The line as it is typed: what keys do to it, what a screen shows of it, and what that costs."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.rules.structs import replace
from console.technician.terminal.keys import Key, Press
from console.technician.terminal.line_editor import (
    LEAST_ROOM,
    LINES,
    LONGEST,
    MOST_LISTED,
    EditedLine,
    EditResult,
    History,
    TypedText,
    change_prompt,
    open_line,
    press_key,
    redraw,
)
from console.technician.terminal.row_painter import BELL
from tests.console.technician.terminal.screen import Screen

PROMPT = "banco> "
NAMES = ("status", "status all", "stop", "watch")
HISTORY = History(("status", "watch seat 3 and seat 4", "lamp 3 on"))

MOVES = (Key.LEFT, Key.RIGHT, Key.HOME, Key.END, Key.WORD_LEFT, Key.WORD_RIGHT)
ERASES = (Key.BACKSPACE, Key.DELETE, Key.ERASE_WORD, Key.ERASE_BEFORE, Key.ERASE_AFTER)
OTHERS = (Key.UP, Key.DOWN, Key.TAB, Key.REDRAW, Key.ESCAPE)

letters = st.sampled_from("aab tx3")
presses = st.lists(
    st.one_of(letters, letters, letters, st.sampled_from([*MOVES, *ERASES, *OTHERS])),
    max_size=120,
)


def complete(typed: str) -> Sequence[str]:
    return [name for name in NAMES if name.startswith(typed)]


class Keyboard:
    """Somebody in front of a screen, typing a line."""

    def __init__(self, line: EditedLine | None = None, *, dumb: bool = False) -> None:
        line = line or EditedLine(PROMPT, history=HISTORY, complete=complete)
        self.screen = Screen(line.columns, dumb=dumb)
        self.line, sent = open_line(replace(line, escapes=not dumb))
        self.screen.feed(sent)
        self.led = EditResult.ON
        self.costs: list[int] = []

    def type(self, *keys: Press) -> "Keyboard":
        for key in keys:
            self.line, sent, self.led = press_key(self.line, key)
            self.screen.feed(sent)
            self.costs.append(len(sent))
        return self

    def compare_screen(self) -> None:
        row, column = self.screen.line, self.screen.column
        typed = self.line.typed
        text = "*" * len(typed.text) if self.line.hidden else typed.text
        assert row.rstrip() == self.line.shown.text.rstrip()
        assert column == self.line.shown.column < self.screen.columns
        prompt = self.line.prompt[-max(1, self.line.columns - 1 - LEAST_ROOM) :]
        lead = "<" if row.startswith("<") else prompt
        start = typed.cursor - (column - len(lead))
        assert start == 0 or lead == "<"
        seen = row[len(lead) :].rstrip()
        rest = text[start:]
        if seen.endswith(">") and len(rest) > len(seen):
            seen, rest = seen[:-1], rest[: len(seen) - 1]
        assert seen.rstrip() == rest.rstrip()


# What keys do to the text: an editor of a few lines, with the text cut in two at the cursor


def type_plainly(keys: Sequence[Press]) -> tuple[str, str]:
    before, after = "", ""
    for key in keys:
        before, after = after_key(before, after, key)
    return before, after


def after_key(before: str, after: str, key: Press) -> tuple[str, str]:
    if isinstance(key, str):
        return (before + key, after) if len(before + after) < LONGEST else (before, after)
    text = before + after
    last_word = before.rstrip(" ").rpartition(" ")[2]
    to_word = before[: len(before.rstrip(" ")) - len(last_word)]
    blanks = after[: len(after) - len(after.lstrip(" "))]
    word = blanks + after[len(blanks) :].partition(" ")[0]
    return {
        Key.LEFT: (before[:-1], before[-1:] + after),
        Key.RIGHT: (before + after[:1], after[1:]),
        Key.HOME: ("", text),
        Key.END: (text, ""),
        Key.WORD_LEFT: (to_word, text[len(to_word) :]),
        Key.WORD_RIGHT: (before + word, after[len(word) :]),
        Key.BACKSPACE: (before[:-1], after),
        Key.DELETE: (before, after[1:]),
        Key.ERASE_WORD: (to_word, after),
        Key.ERASE_BEFORE: ("", after),
        Key.ERASE_AFTER: (before, ""),
    }[key]


@given(
    st.lists(st.one_of(letters, letters, st.sampled_from([*MOVES, *ERASES])), max_size=250),
    st.booleans(),
)
def test_keys_edit_the_text(keys: list[Press], dumb: bool) -> None:
    typed = Keyboard(dumb=dumb).type(*keys).line.typed
    before, after = type_plainly(keys)
    assert typed == TypedText(before + after, len(before))


def test_words() -> None:
    keyboard = Keyboard().type(*"lamp 3  on", Key.WORD_LEFT)
    assert keyboard.line.typed.cursor == len("lamp 3  ")
    keyboard.type(Key.WORD_LEFT)
    assert keyboard.line.typed.cursor == len("lamp ")
    keyboard.type(Key.WORD_RIGHT)
    assert keyboard.line.typed.cursor == len("lamp 3")
    keyboard.type(Key.ERASE_WORD)
    assert keyboard.line.typed == TypedText("lamp   on", len("lamp "))


# What a screen shows


@given(presses, st.booleans(), st.sampled_from([20, 24, 40, 80]), st.booleans())
@settings(max_examples=300)
def test_a_screen_shows_what_is_typed(
    keys: list[Press], dumb: bool, columns: int, hidden: bool
) -> None:
    line = EditedLine(PROMPT, columns, hidden, history=HISTORY, complete=complete)
    keyboard = Keyboard(line, dumb=dumb)
    for key in keys:
        keyboard.type(key)
        keyboard.compare_screen()
        assert len(keyboard.line.typed.text) <= LONGEST


@given(presses, presses, st.text("abc> ", max_size=90), st.booleans(), st.booleans())
def test_a_prompt_may_change_under_what_is_typed(
    first: list[Press], then: list[Press], prompt: str, above: bool, dumb: bool
) -> None:
    keyboard = Keyboard(dumb=dumb).type(*first)
    typed = keyboard.line.typed
    lines = ["cs-1 PLAYING key R faults: none"] * above
    keyboard.line, sent = change_prompt(keyboard.line, lines, prompt)
    keyboard.screen.feed(sent)
    assert keyboard.line.typed == typed
    assert keyboard.screen.line.rstrip() == keyboard.line.shown.text.rstrip()
    if above:
        assert keyboard.screen.rows[keyboard.screen.row - 1].rstrip() == lines[0]
    keyboard.type(*then)
    assert keyboard.screen.line.rstrip() == keyboard.line.shown.text.rstrip()
    assert keyboard.screen.column == keyboard.line.shown.column


@given(presses, st.booleans())
def test_a_row_that_noise_has_spoilt_can_be_had_again(keys: list[Press], dumb: bool) -> None:
    keyboard = Keyboard(dumb=dumb).type(*keys)
    keyboard.screen.feed(b"\rsomething else\b\b\b")
    keyboard.type(Key.REDRAW).compare_screen()


def test_a_pin_is_shown_as_stars() -> None:
    keyboard = Keyboard(EditedLine("PIN: ", hidden=True))
    keyboard.type(*"2580", Key.LEFT, Key.BACKSPACE, "9")
    assert keyboard.screen.text == "PIN: ****"
    assert keyboard.line.typed.text == "2590"


def test_a_long_line_is_shown_in_part() -> None:
    keyboard = Keyboard(EditedLine(PROMPT, 40)).type(*"0123456789" * 6)
    assert keyboard.screen.line.rstrip().startswith("<")
    keyboard.type(Key.HOME)
    assert keyboard.screen.line == PROMPT + "0123456789" * 3 + "0>"


def test_a_prompt_leaves_room_to_type() -> None:
    keyboard = Keyboard(EditedLine("x" * 100 + "> ", 80)).type(*"status")
    assert keyboard.screen.line.endswith("xxx> status")


# History, completion, and how a line ends


def test_the_arrows_bring_back_what_was_typed() -> None:
    keyboard = Keyboard().type(*"draft", Key.UP)
    assert keyboard.line.typed.text == "lamp 3 on"
    keyboard.type(Key.UP, Key.UP)
    assert keyboard.line.typed.text == "status"
    assert keyboard.type(Key.UP).costs[-1] == len(BELL)
    keyboard.type(Key.DOWN, Key.DOWN, Key.DOWN)
    assert keyboard.line.typed.text == "draft"
    assert keyboard.type(Key.DOWN).costs[-1] == len(BELL)


def test_the_history_keeps_no_line_twice_in_a_row_no_blank_and_no_pin() -> None:
    history = History()
    for line in ("status", " status ", "", "  ", "2580", "25 80", "watch", "status"):
        history = history.with_line(line)
    assert history.lines == ("status", "watch", "status")


@given(st.lists(st.text("ab1", max_size=4), max_size=3 * LINES))
def test_the_history_is_bounded(lines: list[str]) -> None:
    history = History()
    for line in lines:
        history = history.with_line(line)
        assert len(history.lines) <= LINES
        assert all(one != other for one, other in pairwise(history.lines))


def test_tab_completes_as_far_as_it_is_certain() -> None:
    keyboard = Keyboard().type("s", Key.TAB)
    assert keyboard.line.typed.text == "st"
    keyboard.type("o", Key.TAB)
    assert keyboard.line.typed.text == "stop "


def test_tab_completes_before_the_cursor_and_keeps_what_stands_after_it() -> None:
    keyboard = Keyboard().type(*"wa 3", Key.LEFT, Key.LEFT, Key.TAB)
    assert keyboard.line.typed == TypedText("watch 3", len("watch"))


def test_a_second_tab_lists_what_there_is() -> None:
    keyboard = Keyboard().type(*"st", Key.TAB)
    assert keyboard.screen.bells == 1
    keyboard.type(Key.TAB)
    assert keyboard.screen.text == "banco> st\nstatus      status all  stop\nbanco> st"
    keyboard.type("x", Key.TAB, Key.TAB)
    assert keyboard.screen.line == "banco> stx"


def test_a_list_is_bounded() -> None:
    many = [f"seat {number}" for number in range(1000)]
    line = EditedLine(PROMPT, complete=lambda _: many)
    keyboard = Keyboard(line).type(*"seat ", Key.TAB, Key.TAB)
    assert "... (1000)" in keyboard.screen.text
    assert len(keyboard.screen.text.split()) < MOST_LISTED + 10


def test_a_question_completes_nothing_and_recalls_nothing() -> None:
    keyboard = Keyboard(EditedLine("Name: ")).type("s", Key.TAB, Key.UP)
    assert keyboard.screen.text == "Name: s"
    assert keyboard.screen.bells == 2


def test_a_bell_rings_for_the_character_too_many() -> None:
    keyboard = Keyboard().type(*"x" * LONGEST)
    assert keyboard.screen.bells == 0
    keyboard.type("x")
    assert keyboard.screen.bells == 1
    assert keyboard.line.typed.text == "x" * LONGEST


@pytest.mark.parametrize(
    ("keys", "led"),
    [
        ([*"status", Key.ENTER], EditResult.ENTERED),
        ([*"status", Key.LEFT, Key.LEFT, Key.ENTER], EditResult.ENTERED),
        ([*"sta", Key.INTERRUPT], EditResult.INTERRUPTED),
        ([Key.END_OF_INPUT], EditResult.ENDED),
        (["s", Key.END_OF_INPUT], EditResult.ON),
    ],
)
def test_how_a_line_ends(keys: list[Press], led: EditResult) -> None:
    keyboard = Keyboard().type(*keys)
    assert keyboard.led is led
    assert keyboard.screen.column == 0 or led is EditResult.ON


# What a key costs


@pytest.mark.parametrize("dumb", [True, False])
def test_a_character_typed_at_the_end_costs_one_byte(dumb: bool) -> None:
    assert set(Keyboard(dumb=dumb).type(*"lamp 3 on; display").costs) == {1}
    hidden = Keyboard(EditedLine("PIN: ", hidden=True), dumb=dumb)
    assert set(hidden.type(*"2580").costs) == {1}


@pytest.mark.parametrize(("dumb", "longest"), [(True, 18), (False, LONGEST)])
def test_no_edit_within_a_line_costs_40_bytes(dumb: bool, longest: int) -> None:
    """With escapes whatever its length; without, what follows the cursor is written again."""
    chance = Random(3)
    keys: list[Press] = ["a", " ", *MOVES, Key.BACKSPACE, Key.DELETE, Key.ERASE_WORD]
    keyboard = Keyboard(EditedLine(PROMPT), dumb=dumb)
    keyboard.type(*"lamp 3 on alert of"[:longest])
    for _ in range(3000):
        key: Press = chance.choice(keys)
        if not (isinstance(key, str) and len(keyboard.line.typed.text) >= longest):
            keyboard.type(key)
    assert max(keyboard.costs) < 40


def test_redrawn_and_opened_show_the_same() -> None:
    line, _ = open_line(EditedLine(PROMPT, typed=TypedText("status", 3)))
    again, sent = redraw(line)
    assert again == line
    assert sent.startswith(b"\r\n" + PROMPT.encode() + b"status")
