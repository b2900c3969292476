"""Boards that run in MicroPython: each boot is a process with a terminal for its line.

`SteppedProcess` has its time from the caller, so nothing depends on how fast this machine is;
`ClockedProcess` has a clock of its own. `rail_process` and `shuffler_process` wire them up.
"""

import asyncio
import os
import pty
import select
import subprocess
import tty
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from typing import Generic, Protocol, TypeVar

from firmware_bridge.board_session.protocol import BoardKind
from tests.deadlines import DEADLINE_S
from tests.firmware_bridge.micropython.program import ENVIRONMENT, command

READ_SIZE = 4096

BOARD_SERIAL = "MPY-0001"
IDLE_MS = 1000


class BoardProcess(ABC):
    """One boot of a board; `outputs` are its numbers (see `board_program`).

    With `key_file` it speaks version 2 as well, and its key is there.
    """

    def __init__(
        self, kind: BoardKind, boot: int, *mode: str, key_file: Path | None = None
    ) -> None:
        self.outputs: list[int] = []
        self._line, far_end = pty.openpty()
        tty.setraw(far_end)
        os.set_blocking(self._line, False)
        os.set_blocking(far_end, False)
        key = "-" if key_file is None else str(key_file)
        program = command(
            "board_program.py", str(int(kind)), str(boot), BOARD_SERIAL, str(far_end), key
        )
        self._process = subprocess.Popen(
            [*program, *mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(far_end,),
            env=ENVIRONMENT,
            bufsize=0,
        )
        os.close(far_end)

    def receive(self, data: bytes) -> None:
        """Put bytes on its line; what the terminal does not take is lost, as on a wire."""
        os.write(self._line, data)

    @abstractmethod
    def run(self, pins: str, now_ms: int) -> bytes:
        """Set its pins, and let it do what is due; what it has sent."""

    @abstractmethod
    def next_wake(self, now_ms: int) -> int:
        """When `run` is due next, if nothing happens before."""

    def halt(self) -> None:
        """Give it no processor until `go_on`, as a busy machine does."""
        self._process.send_signal(SIGSTOP)

    def go_on(self) -> None:
        """Let it run again."""
        self._process.send_signal(SIGCONT)

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


class SteppedProcess(BoardProcess):
    """A board whose time is handed in."""

    def __init__(self, kind: BoardKind, boot: int) -> None:
        super().__init__(kind, boot, "by-hand")
        self._unread = 0  # bytes on its line that it has not been told of
        self._shown_pins = ""
        self._wake = 0

    def receive(self, data: bytes) -> None:
        """See `BoardProcess.receive`."""
        super().receive(data)
        self._unread += len(data)

    def run(self, pins: str, now_ms: int) -> bytes:
        """See `BoardProcess.run`."""
        changed = "" if pins == self._shown_pins else pins
        self._write(f"{now_ms} {self._unread} {changed}")
        self._unread, self._shown_pins = 0, pins
        answer = b""
        while not answer.endswith(b"\n"):
            answer += _read(self._answers)
        sent, self._wake, *self.outputs = map(int, answer.split())
        data = b""
        while len(data) < sent:
            data += _read(self._line)
        return data

    def next_wake(self, now_ms: int) -> int:
        """See `BoardProcess.next_wake`."""
        del now_ms
        return self._wake


class ClockedProcess(BoardProcess):
    """A board with a clock of its own; it calls `on_news` when it has sent or shown something."""

    def __init__(
        self,
        kind: BoardKind,
        boot: int,
        loop: asyncio.AbstractEventLoop,
        on_news: Callable[[], None],
        key_file: Path | None = None,
    ) -> None:
        super().__init__(kind, boot, key_file=key_file)
        os.set_blocking(self._answers, False)
        self._loop = loop
        self._shown_pins = ""
        self._rest = b""
        for end in (self._line, self._answers):
            loop.add_reader(end, on_news)

    def run(self, pins: str, now_ms: int) -> bytes:
        """See `BoardProcess.run`: it goes on by itself, only its pins are set."""
        if pins != self._shown_pins:
            self._shown_pins = pins
            self._write(f"{now_ms} {pins}")
        *lines, self._rest = (self._rest + _read_now(self._answers)).split(b"\n")
        if lines:
            self.outputs = [int(number) for number in lines[-1].split()]
        return _read_now(self._line)

    def next_wake(self, now_ms: int) -> int:
        """See `BoardProcess.next_wake`: it wakes by itself."""
        return now_ms + IDLE_MS

    def close(self) -> None:
        """See `BoardProcess.close`."""
        for end in (self._line, self._answers):
            self._loop.remove_reader(end)
        super().close()


class _Closing(Protocol):
    def close(self) -> None: ...


Board = TypeVar("Board", bound=_Closing)


class BoardPower(Generic[Board]):
    """Starts the boards at one place, each boot a process, and ends them with the power."""

    def __init__(self, start: Callable[[int], Board]) -> None:
        self._start = start
        self._board: Board | None = None

    def boot(self, number: int) -> Board:
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
