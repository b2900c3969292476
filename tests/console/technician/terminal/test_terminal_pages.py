"""A long text comes a page at a time, and nothing typed is lost by it."""

import asyncio

from console.technician.talk import Interrupted
from console.technician.terminal.terminal import Size, Terminal
from devices.sim.virtual_time import VirtualLoop
from tests.console.technician.terminal.terminal_users import LISTING, Answers, record_answers
from tests.console.technician.terminal.typist import CTRL_C, LEFT, typist


def test_a_long_text_comes_a_page_at_a_time(loop: VirtualLoop) -> None:
    with typist(loop, lambda terminal: terminal.say(*LISTING)) as anna:
        assert anna.screen.text.endswith("line 22\n-- more --")
        anna.type("\r")
        assert anna.screen.text.endswith("line 23\n-- more --")
        anna.type(" ")
        assert anna.screen.text.endswith("line 45\n-- more --")
        for key in (LEFT, " ", " ", " "):
            anna.type(key)
        assert anna.screen.text.split() == " ".join(LISTING).split()


def test_a_page_is_as_high_as_the_terminal(loop: VirtualLoop) -> None:
    with typist(loop, lambda t: t.say(*LISTING), size=Size(80, 50)) as anna:
        assert anna.screen.text.endswith("line 48\n-- more --")
    narrow = Size(20, 24)
    with typist(loop, lambda t: t.say(*["x" * 30] * 50), size=narrow) as anna:
        assert anna.screen.text.count("x") == 11 * 30  # of two rows each


def test_q_ends_the_text_and_the_command(loop: VirtualLoop) -> None:
    for key in ("q", CTRL_C, "\x1b"):
        answers: Answers = []
        user = record_answers(answers, lambda t: t.say(*LISTING), lambda t: t.say("after"))
        with typist(loop, user) as anna:
            anna.type(key)
            assert answers == [Interrupted, None]
            assert ("more" in anna.screen.text) == (key == CTRL_C)
            assert anna.screen.text.endswith("after\n")


def test_what_is_typed_ahead_turns_no_page(loop: VirtualLoop) -> None:
    async def user(terminal: Terminal) -> None:
        await asyncio.sleep(1)
        await terminal.say(*LISTING)

    with typist(loop, user) as anna:
        anna.type("q   q")
        anna.wait(1)
        assert anna.screen.text.endswith("line 22\n-- more --")


def test_a_command_typed_at_the_question_ends_the_text_and_none_of_it_is_lost(
    loop: VirtualLoop,
) -> None:
    for keys in (("faults\r",), tuple("faults\r")):
        answers: Answers = []
        user = record_answers(answers, lambda t: t.say(*LISTING), lambda t: t.ask("banco> "))
        with typist(loop, user) as anna:
            anna.type(*keys)
            assert answers == [Interrupted, "faults"]
            assert anna.screen.text.endswith("line 22\nbanco> faults\n")


def test_a_command_typed_ahead_ends_a_long_text_too(loop: VirtualLoop) -> None:
    answers: Answers = []
    user = record_answers(
        answers,
        lambda _: asyncio.sleep(1),
        lambda t: t.say(*LISTING),
        lambda t: t.ask("banco> "),
    )
    with typist(loop, user) as anna:
        anna.type("\r q", "lines\r")
        anna.wait(1)
        assert answers == [None, Interrupted, "lines"]


def test_text_is_ascii_and_nothing_in_it_is_a_command_to_the_terminal(loop: VirtualLoop) -> None:
    text = "la chiave è in S: \x1b[2J 12 €\x07"
    with typist(loop, lambda terminal: terminal.say(text)) as anna:
        assert anna.screen.text == "la chiave e' in S: ?[2J 12 EUR?\n"
