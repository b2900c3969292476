"""Shufflers' boards that run in MicroPython, in the place of the board in `devices.sim.shuffler`.

    shuffler = SimulatedShuffler(loop, BoardKind.SHUFFLER, state, remember)
    power = ShufflerPower(
        lambda boot: ClockedShuffler(BoardKind.SHUFFLER, boot, loop, shuffler.run_board)
    )
    shuffler.fit_board(power.boot, power.stop)

`SimulatedShuffler` has the cards; the board decides what may be at the exit, and whether it opens.
With `key_file` the board speaks version 2 as well.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.board.interlock import Machine, Orders
from firmware_bridge.board_session.protocol import BoardKind
from tests.firmware_bridge.micropython.board_process import (
    BoardPower,
    BoardProcess,
    ClockedProcess,
    SteppedProcess,
)


class MicroPythonShuffler:
    """One boot of a board, a `devices.sim.shuffler.MachineBoard`."""

    def __init__(self, process: BoardProcess) -> None:
        self.orders = Orders()  # of which only the hand is known here
        self._due = 0
        self._exit_is_open = self._light = False
        self._pins = ""
        self._process = process

    def set_machine(self, machine: Machine) -> None:
        """Show it the machine's present state."""
        numbers = (
            machine.preparing, machine.prepared_back, machine.counted, machine.playing_back,
            machine.left, machine.hand, machine.dealt, machine.packets, machine.unloaded,
            machine.waiting, int(machine.unloading), machine.presses,
        )  # fmt: skip
        self._pins = " ".join(map(str, numbers))

    def packet_due(self) -> int:
        """The cards of the packet that belongs at the exit, as it said last; 0: none."""
        return self._due

    def exit_is_open(self) -> bool:
        """Whether it keeps the exit open."""
        return self._exit_is_open

    def ready_light(self) -> bool:
        """Whether it keeps a deck shuffler's green light lit."""
        return self._light

    def receive(self, data: bytes, now_ms: int) -> None:
        """Put bytes on its line."""
        del now_ms
        self._process.receive(data)

    def advance(self, now_ms: int) -> bytes:
        """Let it do what is due; what it has sent."""
        sent = self._process.run(self._pins, now_ms)
        if self._process.outputs:
            self._due, is_open, self.orders.hand, light = self._process.outputs
            self._exit_is_open, self._light = bool(is_open), bool(light)
        return sent

    def next_wake(self, now_ms: int) -> int:
        """When the board is due next, if nothing happens before."""
        return self._process.next_wake(now_ms)

    def close(self) -> None:
        """Take its power."""
        self._process.close()


ShufflerPower = BoardPower[MicroPythonShuffler]


class SteppedShuffler(MicroPythonShuffler):
    """A shuffler's board whose time is handed in."""

    def __init__(self, kind: BoardKind, boot: int) -> None:
        super().__init__(SteppedProcess(kind, boot))


class ClockedShuffler(MicroPythonShuffler):
    """A shuffler's board with a clock of its own: see `ClockedProcess`."""

    def __init__(
        self,
        kind: BoardKind,
        boot: int,
        loop: asyncio.AbstractEventLoop,
        on_news: Callable[[], None],
        key_file: Path | None = None,
    ) -> None:
        super().__init__(ClockedProcess(kind, boot, loop, on_news, key_file))
