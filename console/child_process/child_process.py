"""Runs a process beside the service, and starts it again when it has ended.

Its failures never reach the table.
"""

import asyncio
import logging
import os
import subprocess
import sys
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

from msgspec import Struct, field

import console
from console.child_process.pipes import LinesIn, LinesOut

log = logging.getLogger(__name__)

KEPT_OF_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "TZ", "PYTHONFAULTHANDLER")
"""The variables of the service's environment that a process gets."""

CHECK_EVERY_S = 0.5
CHECK_KILLED_EVERY_S = 0.02
WELL_AFTER_S = 60.0
"""A process that has lived this long counts as healthy: the next restart is not delayed."""

STUCK_AFTER_S = 30.0
"""A process that reads nothing for this long is restarted."""

END_S = 2.0
"""How long it may take to end by itself before it is killed."""


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
    """How long after its end it is started again; twice as long each time."""
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
        deadline = self._loop.time() + END_S
        while process.poll() is None and self._loop.time() < deadline:
            await asyncio.sleep(END_S / 100)
        if process.poll() is None:
            log.warning("%s does not end by itself; it is killed", self._program.what)
            process.kill()
            process.wait()

    def end_at_once(self) -> None:
        """Kill it, and do not start it again."""
        process = self._process
        self._stop_checks()
        self._let_go()
        if process is not None:
            process.kill()
            process.wait()

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
