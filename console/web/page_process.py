"""Runs the process that serves the pages, and starts it again when it has ended.

Its failures never reach the table.
"""

import asyncio
import logging
import os
import subprocess
import sys
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from pathlib import Path
from typing import IO

from msgspec import Struct

import console
from console.web.messages import (
    ADDRESS_UNUSABLE,
    CERTIFICATE_UNUSABLE,
    LONGEST_MESSAGE,
    PORT_TAKEN,
    FromPages,
    PagesOpening,
    ToPages,
    decode_from_pages,
    encode_message,
)
from console.web.pipes import LinesIn, LinesOut

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-P", "-m", "console.web.serving")

KEPT_OF_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "TZ", "PYTHONFAULTHANDLER")
"""The variables of the service's environment that the process gets."""

NO_AUTHORITIES = {"SSL_CERT_FILE": os.devnull, "SSL_CERT_DIR": os.devnull}
"""The process calls nobody. Without these, aiohttp reads every certificate authority at its import,
a quarter of its start."""

CHECK_EVERY_S = 0.5
FIRST_AGAIN_S, LATEST_AGAIN_S = 1.0, 30.0
WELL_AFTER_S = 60.0
"""A process that has lived this long counts as healthy: the next restart is not delayed."""

STUCK_AFTER_S = 30.0
MOST_WAITING = 4 * LONGEST_MESSAGE
"""A process that reads nothing for this long, or has this many bytes waiting, is restarted."""

END_S = 2.0
"""How long it may take to end by itself before it is killed."""

WHY = {
    PORT_TAKEN: "another program uses {address} port {port}",
    ADDRESS_UNUSABLE: "{address} port {port} cannot be listened on",
    CERTIFICATE_UNUSABLE: "certificate or key cannot be used",
}


class ProcessListener(Struct, frozen=True):
    """Callbacks for what the process of a simulation sends."""

    on_message: Callable[[FromPages], None]
    on_complaint: Callable[[str], None]
    """Takes each line of its standard error."""


class PageProcess:
    """Keeps the process running."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        opening: PagesOpening,
        listener: ProcessListener | None,
    ) -> None:
        """`listener`: of a simulation; None: no pipe leads back from the process at all."""
        self.on_started: Callable[[], None] = lambda: None
        """A process has been started and has been sent the opening."""
        self.on_ready: Callable[[], None] = lambda: None
        """The process has taken every message."""
        self._loop = loop
        self._opening = opening
        self._listener = listener
        self._process: subprocess.Popen[bytes] | None = None
        self._out: LinesOut | None = None
        self._in: list[LinesIn] = []
        self._again_s = FIRST_AGAIN_S
        self._began = 0.0
        self._read = 0
        self._unread_checks = 0
        self._timer: TimerHandle | None = None

    @property
    def ready(self) -> bool:
        """Whether the process runs and has taken every message."""
        return self._out is not None and not self._out.waiting

    @property
    def pid(self) -> int | None:
        """The process id; None while there is no process."""
        return self._process.pid if self._process is not None else None

    def send(self, message: ToPages) -> None:
        """Send a message, if the process runs."""
        out = self._out
        if out is None:
            return
        out.send(encode_message(message))
        if out.waiting > MOST_WAITING:
            log.error("the pages' process does not take its answers; it is killed")
            self._kill()

    def start(self) -> None:
        """Start the process. Raises OSError."""
        has_listener = self._listener is not None
        self._process = process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if has_listener else subprocess.DEVNULL,
            stderr=subprocess.PIPE if has_listener else None,
            cwd="/",
            env=_environment(),
            process_group=0,  # no Ctrl-C; in its own session its niceness would have no effect
            bufsize=0,
        )
        self._began = self._loop.time()
        self._listen(process.stdout, self._on_line)
        self._listen(process.stderr, self._on_error_line)
        if process.stdin is not None:
            self._out = LinesOut(self._loop, process.stdin.fileno(), self._on_emptied, self._kill)
        self._read = self._unread_checks = 0
        self.send(self._opening)
        self._timer = self._loop.call_later(CHECK_EVERY_S, self._check)
        self.on_started()

    async def end(self) -> None:
        """Close its input, so that it ends; kill it if it does not."""
        if self._timer is not None:
            self._timer.cancel()
        process = self._process
        self._let_go()
        if process is None:
            return
        deadline = self._loop.time() + END_S
        while process.poll() is None and self._loop.time() < deadline:
            await asyncio.sleep(END_S / 100)
        if process.poll() is None:
            log.warning("the pages' process does not end by itself; it is killed")
            process.kill()
            process.wait()

    def _on_line(self, line: bytes) -> None:
        if self._listener is None:
            return
        try:
            message = decode_from_pages(line)
        except ValueError as error:
            log.error("the pages' process has sent an invalid message: %s", error)
            self._kill()
            return
        self._listener.on_message(message)

    def _on_error_line(self, line: bytes) -> None:
        if self._listener is not None:
            self._listener.on_complaint(line.decode(errors="replace"))

    def _listen(self, pipe: IO[bytes] | None, on_line: Callable[[bytes], None]) -> None:
        if pipe is not None:
            self._in.append(
                LinesIn(self._loop, pipe.fileno(), on_line, self._kill, LONGEST_MESSAGE)
            )

    def _on_emptied(self) -> None:
        self.on_ready()

    def _kill(self) -> None:
        """Kill the process: one of its pipes has ended, or it does not behave."""
        if self._process is not None:
            self._process.kill()
        if self._out is not None:
            self._out.close()
            self._out = None

    def _is_stuck(self) -> bool:
        """Whether it lives but has read nothing at any check for `STUCK_AFTER_S`.

        A pipe holds an hour of heartbeats. A slow start does not count while the pipe has room.
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
        if status is None:
            if self._is_stuck():
                log.error("the pages' process reads nothing any more; it is killed")
                self._kill()
            self._timer = self._loop.call_later(CHECK_EVERY_S, self._check)
            return
        if self._loop.time() - self._began >= WELL_AFTER_S:
            self._again_s = FIRST_AGAIN_S
        self._let_go()
        why = WHY.get(status, "their process has ended with status {status}").format(
            address=self._opening.listening.address,
            port=self._opening.listening.port,
            status=status,
        )
        log.error("the pages are not served: %s; tried again in %.0f s", why, self._again_s)
        self._timer = self._loop.call_later(self._again_s, self._start_again)
        self._again_s = min(2 * self._again_s, LATEST_AGAIN_S)

    def _start_again(self) -> None:
        try:
            self.start()
        except OSError as error:  # no process, no memory: the table works without pages
            log.error("the pages' process cannot be started: %s", error)
            self._timer = self._loop.call_later(LATEST_AGAIN_S, self._start_again)

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


def _environment() -> dict[str, str]:
    """The process's environment; PYTHONPATH makes it run the same program as the service."""
    kept = {name: os.environ[name] for name in KEPT_OF_ENVIRONMENT if name in os.environ}
    return kept | NO_AUTHORITIES | {"PYTHONPATH": str(Path(console.__file__).parent.parent)}
