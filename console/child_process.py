"""Runs a process beside the service, and starts it again when it has ended; speaks to it in lines.

Its failures never reach the table. Lines go over a pipe or a socket, on the event loop, without
blocking: one JSON object a line, of limited length.
"""

import asyncio
import fcntl
import logging
import os
import struct
import subprocess
import sys
import termios
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct, field

import console

CHUNK = 64 * 1024

log = logging.getLogger(__name__)

KEPT_OF_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "TZ", "PYTHONFAULTHANDLER")
"""The variables of the service's environment that a process gets."""

CHECK_EVERY_S = 5.0
"""Whether it is stuck; that it has ended is known from its pipes at once."""

CHECK_KILLED_EVERY_S = 0.02
WELL_AFTER_S = 60.0
"""A process that has lived this long counts as healthy: the next restart is not delayed."""

STUCK_AFTER_S = 30.0
"""A process that reads nothing for this long is restarted."""

END_S = 2.0
"""How long it may take to end by itself before it is killed."""

KILLED_WITHIN_S = 1.0
"""How long the end of a killed process is waited for. One that waits for a disk may take longer.

Short: the event loop stands still meanwhile.
"""


def kill_process(
    process: subprocess.Popen[bytes], what: str, within_s: float = KILLED_WITHIN_S
) -> None:
    """Kill it, and wait until it has ended. One that does not end is left, and logged as `what`."""
    process.kill()
    try:
        process.wait(within_s)
    except subprocess.TimeoutExpired:
        log_left(what, process.pid)


def log_left(what: str, pid: int) -> None:
    """Log that a killed process has not ended."""
    log.error("%s, process %d, has been killed and does not end; it is left", what, pid)


def encode_line(message: msgspec.Struct, longest: int) -> bytes:
    """The message as a line. Raises ValueError for more than `longest` bytes, its end included."""
    line = msgspec.json.encode(message) + b"\n"
    if len(line) > longest:
        raise ValueError(f"a message of {len(line)} bytes; at most {longest} are read")
    return line


class LinesOut:
    """Writes lines to a pipe; what the pipe does not take at once waits here."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        descriptor: int,
        on_emptied: Callable[[], None],
        on_broken: Callable[[], None],
    ) -> None:
        """`on_emptied`: nothing waits any more.

        `on_broken`: nobody reads any more; called once, and what is sent afterwards is lost.
        """
        self._loop = loop
        self._descriptor = descriptor
        self._on_emptied = on_emptied
        self._on_broken = on_broken
        self._unsent = bytearray()
        self._sent = 0
        self._open = True
        os.set_blocking(descriptor, False)

    @property
    def sent(self) -> int:
        """Bytes that the pipe has taken so far."""
        return self._sent

    @property
    def unread(self) -> int:
        """Bytes sent but not read yet: in the pipe, or waiting for space in it."""
        if not self._open:
            return 0
        (in_pipe,) = struct.unpack("i", fcntl.ioctl(self._descriptor, termios.FIONREAD, bytes(4)))
        return len(self._unsent) + int(in_pipe)

    @property
    def read(self) -> int:
        """Bytes that have been read so far."""
        return self._sent + len(self._unsent) - self.unread

    @property
    def waiting(self) -> int:
        """Bytes that the pipe has not taken yet."""
        return len(self._unsent)

    def send(self, data: bytes) -> None:
        """Send it, at once or as soon as there is space."""
        if not self._open:
            return
        begins = not self._unsent
        self._unsent += data
        if begins and self._push() and self._unsent:
            self._loop.add_writer(self._descriptor, self._on_writable)

    def close(self) -> None:
        """Stop writing; data that waits is not sent."""
        if self._open:
            self._open = False
            self._unsent.clear()
            self._loop.remove_writer(self._descriptor)

    def _on_writable(self) -> None:
        if self._push() and not self._unsent:
            self._loop.remove_writer(self._descriptor)
            self._on_emptied()

    def _push(self) -> bool:
        """Whether somebody still reads."""
        try:
            taken = os.write(self._descriptor, self._unsent)
        except BlockingIOError:
            return True
        except (BrokenPipeError, ConnectionResetError):
            self.close()
            self._on_broken()
            return False
        self._sent += taken
        del self._unsent[:taken]
        return True


class LinesIn:
    """Passes each line of a pipe to a callback; a line that is too long ends the reading."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        descriptor: int,
        on_line: Callable[[bytes], None],
        on_ended: Callable[[], None],
        longest: int,
    ) -> None:
        """`on_ended`: the pipe has ended, or a line was longer than `longest` bytes."""
        self._loop = loop
        self._descriptor = descriptor
        self._on_line = on_line
        self._on_ended = on_ended
        self._longest = longest
        self._rest = b""
        os.set_blocking(descriptor, False)
        loop.add_reader(descriptor, self._on_readable)

    def close(self) -> None:
        """Read no more."""
        self._loop.remove_reader(self._descriptor)

    def _on_readable(self) -> None:
        try:
            data = os.read(self._descriptor, CHUNK)
        except BlockingIOError:
            return
        except ConnectionResetError:  # a socket whose other side has gone
            data = b""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._on_line(line)
        if not data or len(self._rest) > self._longest:
            self.close()
            self._on_ended()


class ChildProgram(Struct, frozen=True):
    """What runs in a process of its own, and how it is treated."""

    what: str
    """For the log: `the pages' process`."""
    module: str
    longest_line: int
    """Bytes of a line that it may write."""
    most_waiting: int
    """Bytes that may wait for it; with more it is restarted."""
    first_again_s: float
    """The backoff: how long after its end it is started again; twice as long each time."""
    latest_again_s: float
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that it gets besides those kept of the service's."""


class ChildListener(Struct, frozen=True):
    """Callbacks for what a process writes."""

    on_line: Callable[[bytes], None]
    on_error_line: Callable[[bytes], None] | None = None
    """Takes each line of its standard error; None: it goes where the service's goes."""


class ChildProcess:
    """Keeps a process running."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        program: ChildProgram,
        listener: ChildListener,
        on_started: Callable[[], None],
        on_ended: Callable[[int, float], None],
        on_ready: Callable[[], None] = lambda: None,
    ) -> None:
        """`on_started`: a process has been started. `on_ended`: it has ended, with this exit status
        (below 0: by this signal), and is started again in so many seconds. `on_ready`: the process
        has taken every line.
        """
        self._loop = loop
        self._program = program
        self._listener = listener
        self._on_started = on_started
        self._on_ended = on_ended
        self._on_ready = on_ready
        self._process: subprocess.Popen[bytes] | None = None
        self._out: LinesOut | None = None
        self._in: list[LinesIn] = []
        self._again_s = program.first_again_s
        self._began = 0.0
        self._read = 0
        self._unread_checks = 0
        self._timer: TimerHandle | None = None

    @property
    def ready(self) -> bool:
        """Whether the process runs and has taken every line."""
        return self._out is not None and not self._out.waiting

    @property
    def pid(self) -> int | None:
        """The process id; None while there is no process."""
        return self._process.pid if self._process is not None else None

    def send(self, line: bytes) -> None:
        """Send a line, if the process runs."""
        out = self._out
        if out is None:
            return
        out.send(line)
        if out.waiting > self._program.most_waiting:
            log.error("%s does not take what it is sent; it is killed", self._program.what)
            self.kill()

    def start(self) -> None:
        """Start the process. Raises OSError."""
        listener = self._listener
        to_errors = listener.on_error_line
        self._process = process = subprocess.Popen(
            (sys.executable, "-P", "-m", self._program.module),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if to_errors is not None else None,
            cwd="/",
            env=_environment(self._program.environment),
            process_group=0,  # no Ctrl-C; in its own session its niceness would have no effect
            bufsize=0,
        )
        self._began = self._loop.time()
        self._listen(process.stdout, listener.on_line)
        if to_errors is not None:
            self._listen(process.stderr, to_errors)
        if process.stdin is not None:
            self._out = LinesOut(self._loop, process.stdin.fileno(), self._on_ready, self.kill)
        self._read = self._unread_checks = 0
        self._check_in(CHECK_EVERY_S)
        self._on_started()

    def kill(self) -> None:
        """Kill the process: one of its pipes has ended, or it does not behave."""
        if self._out is None:
            return
        self._out.close()
        self._out = None
        if self._process is not None:
            self._process.kill()
            self._check_in(CHECK_KILLED_EVERY_S)

    async def end(self) -> None:
        """Close its input, so that it ends; kill it if it does not."""
        process = self._process
        self._stop_checks()
        self._let_go()
        if process is None:
            return
        if await self._ends_within(process, END_S):
            return
        log.warning("%s does not end by itself; it is killed", self._program.what)
        process.kill()
        if not await self._ends_within(process, KILLED_WITHIN_S):
            log_left(self._program.what, process.pid)

    def end_at_once(self) -> None:
        """Kill it, and do not start it again. Blocks no longer than `KILLED_WITHIN_S`."""
        process = self._process
        self._stop_checks()
        self._let_go()
        if process is not None:
            kill_process(process, self._program.what)

    async def _ends_within(self, process: subprocess.Popen[bytes], seconds: float) -> bool:
        deadline = self._loop.time() + seconds
        while process.poll() is None and self._loop.time() < deadline:
            await asyncio.sleep(seconds / 100)
        return process.poll() is not None

    def _listen(self, pipe: IO[bytes] | None, on_line: Callable[[bytes], None]) -> None:
        if pipe is not None:
            longest = self._program.longest_line
            self._in.append(LinesIn(self._loop, pipe.fileno(), on_line, self.kill, longest))

    def _is_stuck(self) -> bool:
        """Whether it lives but has read nothing at any check for `STUCK_AFTER_S`.

        A pipe holds an hour of heartbeats. A slow start does not count while the pipe has space.
        Checks are counted, not seconds: while the service itself is held, nobody looks.
        """
        out = self._out
        begins = out is not None and not out.read and not out.waiting
        if out is not None and (begins or not out.unread or out.read != self._read):
            self._unread_checks, self._read = 0, out.read
        else:
            self._unread_checks += 1
        return self._unread_checks * CHECK_EVERY_S > STUCK_AFTER_S

    def _check(self) -> None:
        if self._process is None:
            return
        status = self._process.poll()
        if status is not None:
            self._start_later(status)
        elif self._out is None:
            self._check_in(CHECK_KILLED_EVERY_S)
        else:
            self._check_in(CHECK_EVERY_S)
            if self._is_stuck():
                log.error("%s reads nothing any more; it is killed", self._program.what)
                self.kill()

    def _start_later(self, status: int) -> None:
        if self._loop.time() - self._began >= WELL_AFTER_S:
            self._again_s = self._program.first_again_s
        self._let_go()
        self._timer = self._loop.call_later(self._again_s, self.start_or_retry)
        again_s, self._again_s = (
            self._again_s,
            min(2 * self._again_s, self._program.latest_again_s),
        )
        self._on_ended(status, again_s)

    def start_or_retry(self) -> None:
        """Start it; if that fails, again and again."""
        try:
            self.start()
        except OSError as error:  # no process, no memory: the table works without
            log.error("%s cannot be started: %s", self._program.what, error)
            self._timer = self._loop.call_later(self._program.latest_again_s, self.start_or_retry)

    def _check_in(self, seconds: float) -> None:
        self._stop_checks()
        self._timer = self._loop.call_later(seconds, self._check)

    def _stop_checks(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _let_go(self) -> None:
        if self._out is not None:
            self._out.close()
            self._out = None
        while self._in:
            self._in.pop().close()
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    """The process's environment; PYTHONPATH makes it run the same program as the service."""
    kept = {name: os.environ[name] for name in KEPT_OF_ENVIRONMENT if name in os.environ}
    return kept | dict(more) | {"PYTHONPATH": str(Path(console.__file__).parent.parent)}
