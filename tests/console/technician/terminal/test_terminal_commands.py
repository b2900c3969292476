"""Commands typed at a terminal on a wire in memory, in virtual time."""

import asyncio
from collections.abc import Sequence

import pytest

from console.technician.terminal.terminal import Escapes
from devices.sim.virtual_time import VirtualLoop
from tests.console.technician.terminal.session_keys import SESSION
from tests.console.technician.terminal.terminal_users import STATE, complete_word, echo_commands
from tests.console.technician.terminal.typist import CTRL_C, CTRL_D, DOWN, LEFT, UP, typist


def test_commands_are_typed_and_answered(loop: VirtualLoop) -> None:
    with typist(loop, echo_commands) as anna:
        assert anna.screen.text == f"{STATE}\nbanco>"
        anna.type("sta\t\r")
        assert f"banco> status\nyou said 'status '\n{STATE}\nbanco>" in anna.screen.text
        anna.type("exit\r")
        assert not anna.is_served


def test_what_was_typed_comes_back_with_the_arrow(loop: VirtualLoop) -> None:
    with typist(loop, echo_commands) as anna:
        anna.type("watch key\r", "faults\r", UP, UP, LEFT, "e", "\r")
        assert "you said 'watch keey'" in anna.read()
        anna.type(UP, UP, DOWN, "\r")
        assert anna.read().count("you said 'watch keey'") == 1


def test_ctrl_c_empties_the_line_and_ctrl_d_ends_the_session(loop: VirtualLoop) -> None:
    with typist(loop, echo_commands) as anna:
        anna.type("declare round-void")
        anna.type(CTRL_C)
        assert anna.read().endswith(f"banco> declare round-void^C\n{STATE}\nbanco>")
        anna.type("faults\r")
        assert "you said 'faults'" in anna.read()
        anna.type(CTRL_D)
        assert not anna.is_served


def test_a_prompt_that_changes_is_printed_with_what_has_been_typed(loop: VirtualLoop) -> None:
    now = [STATE, "banco> "]

    async def changing() -> Sequence[str]:
        return tuple(now)

    with typist(loop, lambda terminal: terminal.command(changing, complete_word)) as anna:
        anna.type("sta")
        now[0] = "cs-1 BETTING key R"
        anna.wait(1.5)
        assert anna.screen.text == f"{STATE}\ncs-1 BETTING key R\nbanco> sta"
        now[1] = "anna> "
        anna.wait(1.5)
        assert anna.screen.text == f"{STATE}\ncs-1 BETTING key R\nanna> sta"
        anna.type()
        anna.wait(60)
        assert anna.sent == b""
        anna.type("tus")
        assert anna.sent == b"tus"


def test_a_prompt_that_takes_its_time_does_not_hold_the_keys(loop: VirtualLoop) -> None:
    asked = 0

    async def slow() -> Sequence[str]:
        nonlocal asked
        asked += 1
        if asked > 1:
            await asyncio.sleep(10)
        return (STATE, "banco> ")

    with typist(loop, lambda terminal: terminal.command(slow, complete_word)) as anna:
        anna.wait(2)
        anna.type("status")
        assert asked == 2
        assert anna.sent == b"status"


@pytest.mark.parametrize(("escapes", "average"), [(Escapes.ONCE_SENT, 3), (Escapes.NEVER, 5)])
def test_no_key_of_a_session_costs_40_bytes(
    loop: VirtualLoop, escapes: Escapes, average: float
) -> None:
    costs: list[int] = []
    with typist(loop, echo_commands, escapes=escapes) as anna:
        for keys in SESSION:
            for key in keys:
                anna.type(key)
                costs.append(len(anna.sent))
            anna.type("\r")
    assert "you said 'declare hand-void 5 returned'" in anna.screen.text
    assert max(costs) < 40
    assert sum(costs) / len(costs) < average
