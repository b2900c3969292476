"""What the reading shoe is told, and what becomes of it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.angel_eye.commands import CLEAR_ERROR, LOCK, UNLOCK, CommandQueue
from firmware_bridge.angel_eye.framing import AngelEyeAnswer
from firmware_bridge.frame_trace import FrameTrace
from firmware_bridge.memory_line import memory_wire
from tests.firmware_bridge.line_users import IgnoringUser

WITH_STX = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
WITHOUT_STX = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 39")


class CommandRig:
    """A commander on a wire whose other end writes down what it hears."""

    def __init__(self) -> None:
        self.loop = VirtualLoop()
        self.line, end = memory_wire(self.loop)
        self.heard: list[bytes] = []
        self.answers: list[AngelEyeAnswer | None] = []
        end.on_received = self.heard.append
        self.line.start(IgnoringUser())
        self.loop.run_for(0.01)
        self.commander = CommandQueue(self.loop, self.line, FrameTrace(self.loop.time))

    def lock(self) -> None:
        self.commander.give(LOCK, self.answers.append)
        self.loop.run_for(0.01)

    def answer(self, code: int) -> None:
        self.commander.on_answer(AngelEyeAnswer(code))
        self.loop.run_for(0.01)


@pytest.fixture
def rig() -> Iterator[CommandRig]:
    rig = CommandRig()
    yield rig
    rig.commander.close()
    rig.line.close()
    rig.loop.close()


def test_the_published_example_and_the_published_text() -> None:
    assert LOCK.to_bytes() == WITH_STX
    assert LOCK.to_bytes(check_from_stx=False) == WITHOUT_STX
    assert UNLOCK.to_bytes()[3:7] == b"LK01"
    assert CLEAR_ERROR.to_bytes()[3:7] == b"EC00"


def test_an_accepted_command_is_sent_once(rig: CommandRig) -> None:
    rig.lock()
    rig.answer(0)
    rig.loop.run_for(10)
    assert rig.heard == [WITH_STX]
    assert rig.answers == [AngelEyeAnswer(0)]


def test_without_an_answer_it_is_given_up_after_three_retries_of_a_second(rig: CommandRig) -> None:
    rig.lock()
    rig.loop.run_for(2.95)
    assert len(rig.heard) == 3
    rig.loop.run_for(1)
    assert (rig.heard, rig.answers) == ([WITH_STX] * 4, [])
    rig.loop.run_for(10)
    assert (rig.heard, rig.answers) == ([WITH_STX] * 4, [None])


def test_a_wrong_check_is_tried_the_other_way_and_what_works_is_kept(rig: CommandRig) -> None:
    rig.lock()
    rig.answer(2)
    rig.answer(0)
    rig.lock()
    rig.answer(0)
    assert rig.heard == [WITH_STX, WITHOUT_STX, WITHOUT_STX]
    assert rig.answers == [AngelEyeAnswer(0)] * 2


def test_the_other_way_is_tried_once_and_left_if_it_does_not_work(rig: CommandRig) -> None:
    rig.lock()
    rig.answer(2)
    rig.answer(2)
    assert rig.heard == [WITH_STX, WITHOUT_STX]
    rig.loop.run_for(1)
    rig.answer(2)
    assert rig.heard == [WITH_STX, WITHOUT_STX, WITH_STX]
    rig.loop.run_for(1)
    assert rig.heard == [WITH_STX, WITHOUT_STX, WITH_STX, WITH_STX]
    rig.answer(0)
    assert rig.answers == [AngelEyeAnswer(0)]
    assert rig.commander.check_from_stx


@pytest.mark.parametrize("code", [1, 3, 21, 22])
def test_one_that_came_wrong_or_at_a_bad_time_is_sent_again(rig: CommandRig, code: int) -> None:
    rig.lock()
    rig.answer(code)
    assert len(rig.heard) == 1
    rig.loop.run_for(1)
    assert len(rig.heard) == 2
    rig.loop.run_for(10)
    assert rig.answers == [AngelEyeAnswer(code)], "the last word, when the retries are used up"


def test_a_wrong_format_is_given_up_at_once(rig: CommandRig) -> None:
    rig.lock()
    rig.answer(12)
    assert rig.answers == [AngelEyeAnswer(12)]
    assert rig.answers[0] is not None
    assert rig.answers[0].name == "wrong format"


def test_commands_wait_for_each_other_and_only_so_many(rig: CommandRig) -> None:
    rig.lock()
    for _ in range(7):
        rig.commander.give(UNLOCK, rig.answers.append)
    with pytest.raises(RuntimeError, match="8 commands wait"):
        rig.lock()
    assert rig.heard == [WITH_STX]
    rig.answer(0)
    assert rig.heard == [WITH_STX, UNLOCK.to_bytes()]
    rig.commander.drop_all()
    assert rig.answers == [AngelEyeAnswer(0)] + [None] * 7


def test_an_answer_nobody_awaits_is_no_answer_to_the_next_command(rig: CommandRig) -> None:
    rig.answer(0)
    assert rig.answers == []
    rig.lock()
    assert (rig.heard, rig.answers) == ([WITH_STX], [])


def test_the_commands_of_the_page() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "angel-eye.md").read_text("utf-8")
    rows = re.findall(r"^\| `(02 [^`]*)` \| (\w+)", page, re.MULTILINE)
    sent = {"lock": LOCK, "unlock": UNLOCK, "clear": CLEAR_ERROR}
    assert {word: bytes.fromhex(data) for data, word in rows} == {
        word: command.to_bytes() for word, command in sent.items()
    }
