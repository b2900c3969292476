"""Real programs on pseudo-terminals, as somebody in front of them sees them; and a table's process.

Everything waits for what is to come, with a deadline, and never for a time to pass.
"""

import json
import os
import select
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from tests.console.technician.terminal.screen import Screen
from tests.deadlines import DEADLINE_S

ROOT = Path(__file__).resolve().parents[4]
BANCO = (sys.executable, "-m", "console")

OWN_SIGNALS = ("env", "--default-signal=HUP")
"""The tests may run under nohup."""

ON_ITS_TERMINAL = 'exec "$@" <"$0" >"$0" 2>"$0"'
"""The first terminal that a session's leader opens becomes its controlling one."""


def environment(folder: Path, **more: str) -> dict[str, str]:
    """For a program of ours, or one that starts it: its files are kept in `folder`."""
    mine = {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(folder), "TERM": "xterm"}
    mine["PYTHON_COLORS"] = "0"  # a traceback's, since 3.13
    return {**os.environ, **mine, **more}


class TerminalUser:
    """Types at a terminal and reads it; `sent` is all that was received, `screen` shows it."""

    def __init__(self, terminal: int, screen: Screen) -> None:
        self.terminal = terminal
        os.set_blocking(terminal, False)
        self.screen = screen
        self.sent = b""

    def type(self, text: str | bytes) -> None:
        """Type, and read on while there is no room for more."""
        data = text.encode() if isinstance(text, str) else text
        end = time.monotonic() + DEADLINE_S
        while data and time.monotonic() < end:
            self.read(0)
            _, writable, _ = select.select([], [self.terminal], [], 0.1)
            if writable:
                data = data[os.write(self.terminal, data[:1024]) :]
        assert not data, "it takes no keys"

    def read(self, seconds: float) -> bool:
        """Read what comes within so long; whether there was anything."""
        readable, _, _ = select.select([self.terminal], [], [], seconds)
        if not readable:
            return False
        data = os.read(self.terminal, 65536)
        self.sent += data
        self.screen.feed(data)
        return True

    def until(self, wanted: str | Callable[[Screen], bool]) -> str:
        """Wait until a text is on the screen, or it is as wanted; what it shows then."""
        end = time.monotonic() + DEADLINE_S
        while not (wanted(self.screen) if callable(wanted) else wanted in self.screen.all):
            if not self.read(0.1) and time.monotonic() > end:
                raise AssertionError(f"not {wanted!r} on:\n{self.screen.text}")
        return self.screen.text

    def wait_for_prompt(self, after: str = "", name: str = "banco") -> str:
        """Wait for the next prompt; the screen since the last one, which is then forgotten.

        `after`: what must have been told before it.
        """
        shown = self.until(
            lambda screen: screen.line == f"{name}> " and after in screen.text and screen.row > 0
        )
        self.screen.forget()
        return shown


class Program(TerminalUser):
    """A program on a pseudo-terminal of its own, which is its controlling one."""

    def __init__(
        self,
        command: Sequence[str],
        surroundings: Mapping[str, str],
        *,
        columns: int = 80,
        rows: int = 24,
        dumb: bool = False,
    ) -> None:
        ours, self._theirs = os.openpty()  # theirs stays open: its last words can be read
        termios.tcsetwinsize(self._theirs, (rows, columns))
        super().__init__(ours, Screen(columns, dumb=dumb))
        self.settings = termios.tcgetattr(self._theirs)
        self.process = subprocess.Popen(
            [*OWN_SIGNALS, "sh", "-c", ON_ITS_TERMINAL, os.ttyname(self._theirs), *command],
            env=surroundings,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(DEADLINE_S)
        self.hang_up()

    def wait_for_end(self) -> int:
        """Wait for its end, reading on; its exit status."""
        end = time.monotonic() + DEADLINE_S
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.1)
        while self.read(0):
            pass
        return self.process.wait(0)

    def resize(self, columns: int, rows: int) -> None:
        """The window changes its size."""
        self.screen.columns = columns
        termios.tcsetwinsize(self._theirs, (rows, columns))

    def hang_up(self) -> None:
        """The terminal is gone."""
        if self.terminal >= 0:
            os.close(self._theirs)
            os.close(self.terminal)
            self.terminal = -1

    def settings_now(self) -> list[Any]:
        """Of the terminal: `settings` is what they were before the program began."""
        return termios.tcgetattr(self._theirs)


class PortUser(TerminalUser):
    """A user of a port, given by its descriptor or opened by its path, without a program."""

    def __init__(self, port: int) -> None:
        super().__init__(port, Screen())

    @classmethod
    def of(cls, path: str) -> Self:
        """Who opens the port at this path."""
        return cls(os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.terminal)


class TableProcess:
    """`banco run --sim --json` as a process."""

    def __init__(self, process: "subprocess.Popen[bytes]", complaints: Path) -> None:
        self.process = process
        self.complaints = complaints
        self._rest = b""

    def do(self, *acts: str) -> dict[str, Any]:
        """Have these acts done; the table after the last of them."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{act}\n" for act in acts).encode())
        self.process.stdin.flush()
        snapshot: dict[str, Any] = {}
        for _ in acts:
            snapshot = self.read_snapshot()
        return snapshot

    def until(self, wanted: Callable[[dict[str, Any]], bool], *acts: str) -> dict[str, Any]:
        """Have these acts done, and let time pass until the table is as wanted.

        On a busy machine an act may not be settled when it is answered.
        """
        snapshot = self.do(*acts)
        end = time.monotonic() + DEADLINE_S
        while not wanted(snapshot):
            assert time.monotonic() < end, f"it stays {snapshot}"
            snapshot = self.do("wait 10ms")
        return snapshot

    def read_snapshot(self) -> dict[str, Any]:
        """The next line it prints."""
        assert self.process.stdout is not None
        while b"\n" not in self._rest:
            readable, _, _ = select.select([self.process.stdout], [], [], DEADLINE_S)
            assert readable, "the table says nothing"
            data = os.read(self.process.stdout.fileno(), 65536)
            assert data, f"the table has ended: {self.complaints.read_text('utf-8')}"
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        snapshot: dict[str, Any] = json.loads(line)
        return snapshot


@contextmanager
def running_table(folder: Path, *arguments: str) -> Iterator[TableProcess]:
    """A simulated table without configuration, whose devices are up; its files are in `folder`."""
    with (folder / "table.log").open("ab") as complaints:
        process = subprocess.Popen(
            [*BANCO, "run", "--sim", "--json", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=environment(folder),
        )
    with process:
        table = TableProcess(process, folder / "table.log")
        try:
            table.read_snapshot()
            yield table
        finally:
            process.kill()


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """`banco diag --sim` with these arguments, for ever; what it logs goes to `diag.log`."""
    with (folder / "diag.log").open("ab") as complaints:
        process = subprocess.Popen(
            [*BANCO, "diag", "--sim", "--language", "en", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=environment(folder),
        )
    with process:
        try:
            yield process
        finally:
            had_ended = process.poll()
            process.kill()
        assert had_ended is None, (folder / "diag.log").read_text("utf-8")


@contextmanager
def serving_pty(folder: Path) -> Iterator[tuple[str, int]]:
    """`banco diag --pty`: the path of its pseudo-terminal, and its process's number."""
    with serving(folder, "--pty") as process:
        assert process.stdout is not None
        readable, _, _ = select.select([process.stdout], [], [], DEADLINE_S)
        assert readable, "it makes no pseudo-terminal"
        yield process.stdout.readline().decode().strip(), process.pid


def count_ended_sessions(folder: Path) -> int:
    """How many sessions are over, by the line's log."""
    return (folder / "diag.log").read_text("utf-8").count("the session is over")


def wait_for_ended_sessions(folder: Path, times: int) -> None:
    """Wait until so many sessions are over."""
    end = time.monotonic() + DEADLINE_S
    while count_ended_sessions(folder) < times:
        assert time.monotonic() < end
        select.select([], [], [], 0.02)  # the log is another process's: it wakes nobody
