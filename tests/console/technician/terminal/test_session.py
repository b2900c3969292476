"""A session at a terminal ends: by time, by the cable, by a terminal that does not read."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from console.technician.talk import Hung
from console.technician.terminal.session import IDLE_S, READS_NOTHING
from console.technician.terminal.terminal import Terminal
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.line import LineUser
from tests.console.technician.terminal.terminal_users import (
    LISTING,
    STATE,
    Answers,
    complete_word,
    echo_commands,
    prompt,
    record_answers,
    show_pictures,
)
from tests.console.technician.terminal.typist import LEFT, typist


def test_half_an_hour_without_a_key_ends_the_session(loop: VirtualLoop) -> None:
    answers: Answers = []
    with typist(loop, record_answers(answers, lambda t: t.command(prompt, complete_word))) as anna:
        anna.wait(IDLE_S - 10)
        anna.type("s")
        anna.wait(IDLE_S - 10)
        assert answers == []
        anna.wait(11)
        assert answers == [Hung]


def test_a_live_picture_ends_after_half_an_hour_too(loop: VirtualLoop) -> None:
    answers: Answers = []
    with typist(loop, record_answers(answers, show_pictures([("x",)]))) as anna:
        anna.wait(IDLE_S + 1)
        assert answers == [Hung]


@pytest.mark.parametrize(
    "question",
    [
        lambda t: t.command(prompt, complete_word),
        lambda t: t.ask("Name: "),
        lambda t: t.key(1000),
        lambda t: t.say(*LISTING),
        lambda t: t.attend(asyncio.ensure_future(asyncio.sleep(1000))),
    ],
)
def test_a_cable_pulled_ends_whatever_waits(
    loop: VirtualLoop, question: Callable[[Terminal], Awaitable[object]]
) -> None:
    answers: Answers = []
    with typist(loop, record_answers(answers, question)) as anna:
        anna.unplug()
        anna.wait(1)
        assert answers == [Hung]


def test_who_comes_back_begins_a_new_session(loop: VirtualLoop) -> None:
    ended: list[str] = []

    async def for_ever(terminal: Terminal) -> None:
        while True:
            try:
                await echo_commands(terminal)
            except Hung as hung:
                ended.append(str(hung))
            await terminal.wait_for_user(at_once=False, greeting="banco - Enter")

    with typist(loop, for_ever) as anna:
        anna.type("half a comm")
        anna.unplug()
        assert ended == ["unplugged"]
        anna.wire.plug()
        anna.wait(1)
        assert anna.screen.line == ""
        assert "banco - Enter" in anna.read()
        anna.type("\r")
        assert anna.screen.text.endswith(f"{STATE}\nbanco>")
        anna.type("status\r")
        assert "you said 'status'" in anna.screen.text


def test_a_new_session_begins_with_a_whole_page(loop: VirtualLoop) -> None:
    """What the visitor before had left on his page is nobody's question now"""

    async def for_ever(terminal: Terminal) -> None:
        while True:
            with suppress(Hung):
                await terminal.say(*(f"line {number}" for number in range(20)))
                await terminal.pause(1000)
            await terminal.wait_for_user(at_once=True)

    with typist(loop, for_ever) as anna:
        anna.unplug()
        anna.read()
        anna.wire.plug()
        anna.wait(1)
        assert "-- more --" not in anna.screen.text


def test_escapes_are_sent_to_who_sends_them_and_forgotten_with_the_session(
    loop: VirtualLoop,
) -> None:
    async def for_ever(terminal: Terminal) -> None:
        while True:
            try:
                await echo_commands(terminal)
            except Hung:
                await terminal.wait_for_user(at_once=True)

    with typist(loop, for_ever) as anna:
        anna.type("lamp 3 on", "\x01", "x")
        assert b"\x1b" not in anna.sent
        anna.type(LEFT, "x")
        assert b"\x1b[@" in anna.sent
        anna.unplug()
        anna.wire.plug()
        anna.wait(1)
        anna.type("lamp 3 on", "\x01", "x")
        assert b"\x1b" not in anna.sent


class Stuffed:
    """A port that is open, and takes nothing: a terminal that does not read."""

    def __init__(self) -> None:
        self.user: LineUser | None = None
        self.dropped: list[str] = []

    def start(self, user: LineUser) -> None:
        self.user = user
        user.line_up()

    def send(self, _: bytes) -> bool:
        return False

    def drop(self, why: str) -> None:
        self.dropped.append(why)

    def close(self) -> None:
        self.user = None


def test_a_terminal_that_stops_reading_is_given_up(loop: VirtualLoop) -> None:
    answers: Answers = []
    port = Stuffed()
    terminal = Terminal(loop, port)

    async def flood(terminal: Terminal) -> None:
        while True:
            await terminal.say("x" * 70)
            await terminal.show(["x" * 70])

    async def serve() -> None:
        await terminal.wait_for_user(at_once=True)
        await record_answers(answers, flood)(terminal)

    terminal.session.open()
    serving = loop.create_task(serve())
    loop.run_for(29)
    assert answers == []
    assert 0 < terminal.session.waiting < 3000
    loop.run_for(2)
    assert answers == [Hung]
    assert port.dropped == [READS_NOTHING]
    assert terminal.session.waiting == 0
    terminal.session.close()
    assert serving.done()
