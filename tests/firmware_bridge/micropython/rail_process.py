"""Rails' boards that run in MicroPython: each boot is a process with a terminal for its line.

They take the place of the board in `devices.sim.rail.SimulatedRail`, which has the tokens, the
gates and the tray:

    power = RailPower(lambda boot: ClockedRail(BoardKind.SLOT_RAIL, boot, loop, rail.run_board))
    rail = SimulatedRail(loop, BoardKind.SLOT_RAIL, state, remember)
    rail.fit_board(power.boot, power.stop)
    rail.put_token(3); rail.power(False); rail.lamps(); rail.gates()

Whatever is at the other end of `rail.cable` speaks with MicroPython: a terminal, a line in memory,
a socket. A token that falls covers the drop sensor's pin for 12 ms, then the tray's.
"""

import asyncio
import os
import pty
import select
import subprocess
import tty
from abc import ABC, abstractmethod
from collections.abc import Callable

from firmware_bridge.board_link.protocol import BoardKind
from tests.firmware_bridge.micropython.passing_tokens import TRAY, PassingTokens
from tests.firmware_bridge.micropython.program import ENVIRONMENT, command

READ_SIZE = 4096
DEADLINE_S = 10.0
"""Within so long MicroPython starts, answers, or ends."""

BOARD_SERIAL = "MPY-0001"

KINDS = {
    "slot": BoardKind.SLOT_RAIL,
    "sensor": BoardKind.SENSOR_RAIL,
    "cctalk": BoardKind.CCTALK_SLOTS,
}
"""The rails by their names in the configuration."""


class MicroPythonRail(ABC):
    """One boot of a board, a `devices.sim.rail.RailBoard` that alone knows its counters."""

    def __init__(self, kind: BoardKind, boot: int, *mode: str) -> None:
        self.lamps = 0
        self.gates = 0
        self.drops = [0] * 7
        self.tray = 0
        self.served = [0] * 7
        self.dead_lamps = 0
        self._occupied = 0
        self._tokens = PassingTokens()
        self._line, far_end = pty.openpty()
        tty.setraw(far_end)
        os.set_blocking(self._line, False)
        os.set_blocking(far_end, False)
        program = command("rail_program.py", str(int(kind)), str(boot), BOARD_SERIAL, str(far_end))
        self._process = subprocess.Popen(
            [*program, *mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(far_end,),
            env=ENVIRONMENT,
            bufsize=0,
        )
        os.close(far_end)

    @property
    def _pins(self) -> str:
        levels = self._tokens.levels
        return f"{self._occupied} {levels & ~(1 << TRAY)} {levels >> TRAY} {self.dead_lamps}"

    # What happens to the board

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

    def receive(self, data: bytes, now_ms: int) -> None:
        """Put bytes on its line; what the terminal does not take is lost, as on a wire."""
        del now_ms
        os.write(self._line, data)

    @abstractmethod
    def advance(self, now_ms: int) -> bytes:
        """Let it do what is due; what it has sent."""

    @abstractmethod
    def next_wake(self, now_ms: int) -> int:
        """When `advance` is due next, if nothing happens before."""

    def close(self) -> None:
        """Take its power: the process ends."""
        self._process.kill()
        self._process.wait(DEADLINE_S)
        for end in (self._process.stdin, self._process.stdout):
            assert end is not None
            end.close()
        os.close(self._line)

    def _write(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text.encode() + b"\n")

    @property
    def _answers(self) -> int:
        assert self._process.stdout is not None
        return self._process.stdout.fileno()


class SteppedRail(MicroPythonRail):
    """A board whose time is handed in: nothing depends on how fast this machine is."""

    def __init__(self, kind: BoardKind, boot: int) -> None:
        super().__init__(kind, boot, "by-hand")
        self._unread = 0  # bytes on its line that it has not been told of
        self._wake = 0

    def receive(self, data: bytes, now_ms: int) -> None:
        """See `MicroPythonRail.receive`."""
        super().receive(data, now_ms)
        self._unread += len(data)

    def advance(self, now_ms: int) -> bytes:
        """See `MicroPythonRail.advance`."""
        self._tokens.advance(now_ms)
        self._write(f"{now_ms} {self._unread} {self._pins}")
        self._unread = 0
        answer = b""
        while not answer.endswith(b"\n"):
            answer += _read(self._answers)
        sent, self.lamps, self.gates, self._wake = map(int, answer.split())
        data = b""
        while len(data) < sent:
            data += _read(self._line)
        return data

    def next_wake(self, now_ms: int) -> int:
        """See `MicroPythonRail.next_wake`."""
        moves = self._tokens.next_wake(now_ms)
        return self._wake if moves is None else min(moves, self._wake)


class ClockedRail(MicroPythonRail):
    """A board with a clock of its own; it calls `on_news` when it has sent or shown something."""

    def __init__(
        self,
        kind: BoardKind,
        boot: int,
        loop: asyncio.AbstractEventLoop,
        on_news: Callable[[], None],
    ) -> None:
        super().__init__(kind, boot)
        os.set_blocking(self._answers, False)
        self._loop = loop
        self._shown_pins = ""
        self._rest = b""
        for end in (self._line, self._answers):
            loop.add_reader(end, on_news)

    def advance(self, now_ms: int) -> bytes:
        """See `MicroPythonRail.advance`: it goes on by itself, only its pins are moved."""
        self._tokens.advance(now_ms)
        if self._pins != self._shown_pins:
            self._shown_pins = self._pins
            self._write(self._pins)
        *lines, self._rest = (self._rest + _read_now(self._answers)).split(b"\n")
        if lines:
            self.lamps, self.gates = map(int, lines[-1].split())
        return _read_now(self._line)

    def next_wake(self, now_ms: int) -> int:
        """See `MicroPythonRail.next_wake`: when a token moves."""
        moves = self._tokens.next_wake(now_ms)
        return now_ms + 1000 if moves is None else moves

    def close(self) -> None:
        """See `MicroPythonRail.close`."""
        for end in (self._line, self._answers):
            self._loop.remove_reader(end)
        super().close()


class RailPower:
    """Starts the boards of a rail, each boot a process, and ends them with the power."""

    def __init__(self, start: Callable[[int], MicroPythonRail]) -> None:
        self._start = start
        self._board: MicroPythonRail | None = None

    def boot(self, number: int) -> MicroPythonRail:
        """The board of this boot; the one before is off."""
        self.stop()
        self._board = self._start(number)
        return self._board

    def stop(self) -> None:
        """Take the power."""
        board, self._board = self._board, None
        if board is not None:
            board.close()


def _read(end: int) -> bytes:
    """Something from this end. Raises TimeoutError when nothing comes, EOFError at its end."""
    if not select.select([end], [], [], DEADLINE_S)[0]:
        raise TimeoutError(f"MicroPython gave no answer within {DEADLINE_S} s")
    data = os.read(end, READ_SIZE)
    if not data:
        raise EOFError("MicroPython has ended; its message is on standard error")
    return data


def _read_now(end: int) -> bytes:
    """What there is at this end."""
    try:
        return os.read(end, READ_SIZE)
    except BlockingIOError:
        return b""
