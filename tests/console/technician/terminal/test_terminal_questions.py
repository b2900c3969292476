"""Questions asked at a terminal: answered, confirmed, left, and no PIN is recalled."""

import asyncio

import pytest

from console.technician.talk import Interrupted
from console.technician.terminal.terminal import Terminal
from devices.sim.virtual_time import VirtualLoop
from tests.console.technician.terminal.terminal_users import Answers, echo_commands, record_answers
from tests.console.technician.terminal.typist import CTRL_C, CTRL_D, UP, typist


def test_a_question_is_answered(loop: VirtualLoop) -> None:
    answers: Answers = []
    user = record_answers(answers, lambda t: t.ask("Name: "), lambda t: t.ask("PIN: ", hidden=True))
    with typist(loop, user) as anna:
        anna.type(" anna \r", "2580\r")
    assert answers == ["anna", "2580"]
    assert anna.screen.text == "Name:  anna\nPIN: ****\n"


def test_no_pin_is_ever_recalled(loop: VirtualLoop) -> None:
    async def user(terminal: Terminal) -> None:
        await terminal.ask("PIN: ", hidden=True)
        await echo_commands(terminal)

    with typist(loop, user) as anna:
        anna.type("x2580\r", "2580\r", "status\r", UP, UP, "\r")
        assert "x2580" not in anna.screen.text
        assert anna.screen.text.count("2580") == 2  # typed where it was visible, and said


@pytest.mark.parametrize("typed", ["enter rossi 584731", "enter rossi 58 47 31", "rossi584731"])
def test_a_pin_typed_behind_its_name_is_not_there_for_who_comes_next(
    typed: str, loop: VirtualLoop
) -> None:
    with typist(loop, echo_commands) as anna:
        anna.type("replay 12345\r", f"{typed}\r")
        anna.read()
        anna.type(UP)
        assert "replay 12345" in anna.read()


@pytest.mark.parametrize(
    ("typed", "confirmed"),
    [
        *(("y", True), ("YES", True), ("s", True), ("sì", True), ("Si", True)),
        *(("n", False), ("", False), ("NO", False), ("yess", None), ("2580", None)),
    ],
)
def test_what_confirms(loop: VirtualLoop, typed: str, confirmed: bool | None) -> None:
    answers: Answers = []
    with typist(loop, record_answers(answers, lambda t: t.confirm("Declare it?"))) as anna:
        anna.type(typed, "\r")
    assert answers == [confirmed]


def test_what_was_typed_before_the_question_does_not_confirm_it(loop: VirtualLoop) -> None:
    answers: Answers = []
    user = record_answers(answers, lambda _: asyncio.sleep(1), lambda t: t.confirm("Declare it?"))
    with typist(loop, user) as anna:
        anna.type("y\r")
        anna.wait(2)
        assert answers == [None]
        anna.type("y\r")
    assert answers == [None, True]


def test_what_is_typed_in_a_pause_is_kept(loop: VirtualLoop) -> None:
    answers: Answers = []
    user = record_answers(answers, lambda t: t.pause(2), lambda t: t.ask("Name: "))
    with typist(loop, user) as anna:
        anna.type("anna\r")
        anna.wait(1.5)
        assert answers == []
        anna.wait(1)
    assert answers == [None, "anna"]


def test_a_pause_may_be_ended(loop: VirtualLoop) -> None:
    answers: Answers = []
    with typist(loop, record_answers(answers, lambda t: t.pause(2))) as anna:
        anna.type(CTRL_C)
        assert answers == [Interrupted]


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D])
def test_a_question_may_be_left(loop: VirtualLoop, key: str) -> None:
    answers: Answers = []
    with typist(loop, record_answers(answers, lambda t: t.ask("Name: "))) as anna:
        anna.type(key)
        assert answers == [Interrupted]


def test_a_question_nobody_answers_is_left(loop: VirtualLoop) -> None:
    answers: Answers = []
    with typist(loop, record_answers(answers, lambda t: t.ask("Name: ", seconds=120))) as anna:
        anna.type("ann")
        anna.wait(119)
        assert answers == []
        anna.wait(1)
        assert answers == [Interrupted]


def test_a_question_longer_than_the_row_is_asked_above_it(loop: VirtualLoop) -> None:
    question = "why " * 20
    answers: Answers = []
    with typist(loop, record_answers(answers, lambda t: t.ask(question))) as anna:
        anna.type("because\r")
    assert anna.screen.text.endswith("> because\n")
    assert answers == ["because"]


def test_single_keys(loop: VirtualLoop) -> None:
    answers: Answers = []
    questions = [lambda t: t.key(1.0)] * 5
    with typist(loop, record_answers(answers, *questions)) as anna:
        anna.type("q", " ", "\r", "\x1b")
        anna.wait(2)
    assert answers == ["q", " ", "\r", "\x1b", None]
