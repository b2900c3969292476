"""Ctrl-C, a pause of the output, and what is typed ahead: whatever the command is doing."""

import asyncio

from console.technician.talk import Interrupted
from console.technician.terminal.session import PAUSED_S
from console.technician.terminal.terminal import Terminal
from devices.sim.virtual_time import VirtualLoop
from tests.console.technician.terminal.terminal_users import echo_commands
from tests.console.technician.terminal.typist import CTRL_C, CTRL_Q, CTRL_S, UP, typist


def test_ctrl_c_ends_a_command_that_waits_for_something_else(loop: VirtualLoop) -> None:
    ended: list[str] = []

    async def hang() -> None:
        try:
            await asyncio.sleep(1000)
        finally:
            ended.append("let go")

    async def user(terminal: Terminal) -> None:
        try:
            await terminal.attend(asyncio.ensure_future(hang()))
        except Interrupted:
            ended.append("interrupted")

    with typist(loop, user) as anna:
        anna.wait(5)
        anna.type(CTRL_C)
        anna.wait(0.5)
        assert ended == ["let go", "interrupted"]
        assert anna.screen.text == "^C\n"


def test_a_command_that_heeds_ctrl_c_ends_as_it_likes(loop: VirtualLoop) -> None:
    lines: list[str] = []

    async def wait_for_interrupt(terminal: Terminal) -> None:
        try:
            await terminal.key(1000)
        except Interrupted:
            lines.append("heard")
        await asyncio.sleep(2)
        lines.append("put away")

    async def user(terminal: Terminal) -> None:
        await terminal.attend(asyncio.ensure_future(wait_for_interrupt(terminal)))
        lines.append("done")

    with typist(loop, user) as anna:
        anna.type(CTRL_C)
        anna.wait(3)
    assert lines == ["heard", "put away", "done"]


def test_ctrl_c_throws_away_what_was_still_to_be_printed(loop: VirtualLoop) -> None:
    async def user(terminal: Terminal) -> None:
        terminal.session.notice(*["x" * 70] * 100)
        await echo_commands(terminal)

    with typist(loop, user, pace=960) as anna:
        assert anna.terminal.session.waiting > 6000
        anna.type(CTRL_C)
        anna.wait(0.3)
        assert anna.screen.text.endswith("banco>")
        assert anna.screen.text.count("x") < 1000


def test_output_is_paused_and_goes_on(loop: VirtualLoop) -> None:
    async def user(terminal: Terminal) -> None:
        for number in range(1000):
            await terminal.say(f"second {number}")
            await asyncio.sleep(1)
            await terminal.key(0)

    with typist(loop, user) as anna:
        anna.wait(3)
        anna.type(CTRL_S)
        before = anna.screen.text
        anna.wait(10)
        assert anna.screen.text == before
        anna.type(CTRL_Q)
        anna.wait(1)
        assert "second 12" in anna.screen.text
        for any_key in (" ", UP):
            anna.type(CTRL_S)
            anna.wait(5)
            before = anna.screen.text
            anna.type(any_key)
            anna.wait(1)
            assert len(anna.screen.text) > len(before)


def test_a_pause_that_was_noise_ends_by_itself(loop: VirtualLoop) -> None:
    with typist(loop, echo_commands) as anna:
        anna.type(CTRL_S)
        anna.terminal.session.put(b"hello")
        anna.wait(PAUSED_S - 1)
        assert "hello" not in anna.screen.text
        anna.wait(1)
        assert "hello" in anna.screen.text


def test_typing_ahead_is_bounded_and_a_bell_tells(loop: VirtualLoop) -> None:
    async def user(terminal: Terminal) -> None:
        await asyncio.sleep(5)
        await echo_commands(terminal)

    with typist(loop, user) as anna:
        anna.type("status\r" + "x" * 2000 + "\r")
        assert anna.screen.bells == 1
        anna.wait(6)
        assert "you said 'status'" in anna.screen.text
        anna.type(CTRL_C, "faults\r")
        assert "you said 'faults'" in anna.read()
