"""Rails' boards that run in MicroPython, in the place of the board in `devices.sim.rail`.

    rail = SimulatedRail(loop, BoardKind.SLOT_RAIL, state, remember)
    power = RailPower(lambda boot: ClockedRail(BoardKind.SLOT_RAIL, boot, loop, rail.run_board))
    rail.fit_board(power.boot, power.stop)
    rail.put_token(3); rail.power(False); rail.lamps(); rail.gates()

`SimulatedRail` has the tokens, the gates and the tray. Whatever is at the other end of `rail.cable`
speaks with MicroPython: a terminal, a line in memory, a socket. A token that falls covers the drop
sensor's pin for 12 ms, then the tray's. With `key_file` the board speaks version 2 as well.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.board_session.protocol import BoardKind
from tests.firmware_bridge.micropython.board_process import (
    BoardPower,
    BoardProcess,
    ClockedProcess,
    SteppedProcess,
)
from tests.firmware_bridge.micropython.passing_tokens import TRAY, PassingTokens

KINDS = {
    "slot": BoardKind.SLOT_RAIL,
    "sensor": BoardKind.SENSOR_RAIL,
    "cctalk": BoardKind.CCTALK_SLOTS,
}
"""The rails by their names in the configuration."""


class MicroPythonRail:
    """One boot of a board, a `devices.sim.rail.RailBoard` that alone knows its counters."""

    def __init__(self, process: BoardProcess) -> None:
        self.lamps = 0
        self.gates = 0
        self.drops = [0] * 7
        self.tray = 0
        self.served = [0] * 7
        self.dead_lamps = 0
        self._notices = 0
        self._occupied = 0
        self._tokens = PassingTokens()
        self.process = process

    def sense(self, occupied: int) -> None:
        """Set the levels of the seats' sensors."""
        self._occupied = occupied

    def count_drop(self, seat: int) -> None:
        """Let a token pass the drop sensor of a seat (1 to 7)."""
        self._tokens.add(seat - 1)

    def count_in_tray(self) -> None:
        """Let a token pass the tray's mouth, behind those that are there."""
        self._tokens.add(TRAY)

    def set_dead_lamps(self, dead: int) -> None:
        """Let these seats' lamps draw no current."""
        self.dead_lamps = dead

    def set_notices(self, notices: int) -> None:
        """Let the board say that this is wrong with itself: bits 1 to 7."""
        self._notices = notices

    def receive(self, data: bytes, now_ms: int) -> None:
        """Put bytes on its line."""
        del now_ms
        self.process.receive(data)

    def advance(self, now_ms: int) -> bytes:
        """Move its pins, and let it do what is due; what it has sent."""
        self._tokens.advance(now_ms)
        levels = self._tokens.levels
        drops, tray = levels & ~(1 << TRAY), levels >> TRAY
        pins = f"{self._occupied} {drops} {tray} {self.dead_lamps} {self._notices}"
        sent = self.process.run(pins, now_ms)
        if self.process.outputs:
            self.lamps, self.gates = self.process.outputs
        return sent

    @property
    def at_rest(self) -> bool:
        """Whether no token is on its way past a sensor."""
        return self._tokens.next_wake(0) is None

    def next_wake(self, now_ms: int) -> int:
        """When the board or a token is due next, if nothing happens before."""
        wake, moves = self.process.next_wake(now_ms), self._tokens.next_wake(now_ms)
        return wake if moves is None else min(moves, wake)

    def close(self) -> None:
        """Take its power."""
        self.process.close()


RailPower = BoardPower[MicroPythonRail]


class SteppedRail(MicroPythonRail):
    """A rail's board whose time is handed in."""

    def __init__(self, kind: BoardKind, boot: int) -> None:
        super().__init__(SteppedProcess(kind, boot))


class ClockedRail(MicroPythonRail):
    """A rail's board with a clock of its own: see `ClockedProcess`."""

    def __init__(
        self,
        kind: BoardKind,
        boot: int,
        loop: asyncio.AbstractEventLoop,
        on_news: Callable[[], None],
        key_file: Path | None = None,
    ) -> None:
        super().__init__(ClockedProcess(kind, boot, loop, on_news, key_file))
