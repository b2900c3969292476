"""A picture that changes at a terminal: in place where it can, never faster than the wire."""

import asyncio
from collections.abc import Sequence

from console.technician.terminal.terminal import Escapes, Terminal
from devices.sim.virtual_time import VirtualLoop
from tests.console.technician.terminal.terminal_users import show_pictures
from tests.console.technician.terminal.typist import UP, typist


def test_a_picture_changes_in_place_where_the_terminal_can(loop: VirtualLoop) -> None:
    shown: list[Sequence[str]] = [("COIN IN  up", "edges 0", "S  off")]
    with typist(loop, show_pictures(shown)) as anna:
        anna.type(UP)
        anna.wait(1)
        assert anna.screen.text == "COIN IN  up\nedges 0\nS  off\n"
        anna.type()
        shown.append(("COIN IN  down", "edges 1", "S  off"))
        anna.wait(1)
        assert anna.screen.text == "COIN IN  down\nedges 1\nS  off\n"
        assert len(anna.sent) < 30
        assert anna.screen.row == 3


def test_without_escapes_what_changed_is_printed_below(loop: VirtualLoop) -> None:
    shown: list[Sequence[str]] = [("COIN IN  up", "S  off")]
    with typist(loop, show_pictures(shown), escapes=Escapes.NEVER) as anna:
        anna.type(UP)
        anna.wait(1)
        shown.append(("COIN IN  down", "S  off"))
        anna.wait(2)
        assert anna.screen.text == "COIN IN  up\nS  off\nCOIN IN  down\n"


def test_a_picture_is_left_out_while_the_last_one_is_still_on_its_way(loop: VirtualLoop) -> None:
    """At 9600 baud a picture of 20 lines takes 1.6 s: two in three are left out."""
    taken = 0

    async def user(terminal: Terminal) -> None:
        nonlocal taken
        while taken < 100:
            taken += 1
            await terminal.show([f"{taken:03}" + "x" * 74 for _ in range(20)])
            await asyncio.sleep(0.5)

    with typist(loop, user, pace=960) as anna:
        anna.wait(40)
        assert taken > 70
        pictures = anna.screen.text.count("\n") / 20
        assert 15 < pictures < 26
        assert anna.terminal.session.waiting < 2000
