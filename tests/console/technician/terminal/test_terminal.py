"""A terminal on a wire in memory, in virtual time: commands, questions, pages, pictures."""

from collections.abc import Iterator, Sequence

import pytest

from console.technician.terminal import Terminal
from devices.sim.virtual_time import VirtualLoop
from tests.console.technician.terminal.typed import typist


@pytest.fixture
def loop() -> Iterator[VirtualLoop]:
    loop = VirtualLoop()
    yield loop
    loop.close()


async def prompt() -> Sequence[str]:
    return ("cs-1 PAUSED key R", "banco> ")


def words(typed: str) -> Sequence[str]:
    return [word for word in ("status", "stop", "watch") if word.startswith(typed)]


async def parrot(terminal: Terminal) -> None:
    """Says each command again, until `exit`."""
    while (line := await terminal.command(prompt, words)) != "exit":
        await terminal.say(f"you said {line!r}")


def test_commands_are_typed_and_answered(loop: VirtualLoop) -> None:
    with typist(loop, parrot) as anna:
        assert anna.screen.text == "cs-1 PAUSED key R\nbanco>"
        anna.types("sta\t\r")
        assert "banco> status\nyou said 'status '\ncs-1 PAUSED key R\nbanco>" in anna.screen.text
        anna.types("exit\r")
        assert not anna.is_served
