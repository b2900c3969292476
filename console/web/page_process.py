"""The process that serves the pages: started, told, heard, and started again when it has ended.

The table does not notice what becomes of it.
"""

import asyncio
import logging
import os
import subprocess
import sys
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from pathlib import Path

import console
from console.web.messages import (
    ADDRESS_UNUSABLE,
    CERTIFICATE_UNUSABLE,
    LONGEST_MESSAGE,
    PORT_TAKEN,
    FromPages,
    Opening,
    ToPages,
    asked_by_pages,
    message_line,
)
from console.web.pipes import LinesIn, LinesOut

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-P", "-m", "console.web.serving")

KEPT_OF_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "TZ", "PYTHONFAULTHANDLER")
"""All that the process needs to know of the service's environment."""

CHECK_EVERY_S = 0.5
FIRST_AGAIN_S, LATEST_AGAIN_S = 1.0, 30.0
WELL_AFTER_S = 60.0
"""A process that has lived so long has begun well: the next one is not kept waiting."""

END_S = 2.0
"""So long it may take to end by itself; then it is killed."""

WHY = {
    PORT_TAKEN: "another program uses {address} port {port}",
    ADDRESS_UNUSABLE: "{address} port {port} cannot be listened on",
    CERTIFICATE_UNUSABLE: "certificate or key cannot be used",
}


class PageProcess:
    """Keeps the process. `hears`: what it asks; None: it has no way to ask anything.

    `anew`: a process is there that knows nothing yet. `taken`: it has taken all it was told.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        opening: Opening,
        hears: Callable[[FromPages], None] | None,
    ) -> None:
        self.anew: Callable[[], None] = lambda: None
        self.taken: Callable[[], None] = lambda: None
        self._loop = loop
        self._opening = opening
        self._hears = hears
        self._process: subprocess.Popen[bytes] | None = None
        self._out: LinesOut | None = None
        self._in: LinesIn | None = None
        self._again_s = FIRST_AGAIN_S
        self._began = 0.0
        self._timer: TimerHandle | None = None

    @property
    def ready(self) -> bool:
        """Whether it is there and has taken all that it was told."""
        return self._out is not None and not self._out.waiting

    @property
    def pid(self) -> int | None:
        """Its number; None while it is not there."""
        return self._process.pid if self._process is not None else None

    def tell(self, message: ToPages) -> None:
        """Tell it, if it is there."""
        if self._out is not None:
            self._out.send(message_line(message))

    def start(self) -> None:
        """Start it. Raises OSError."""
        self._process = process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if self._hears is not None else subprocess.DEVNULL,
            cwd="/",
            env=_environment(),
            start_new_session=True,
            bufsize=0,
        )
        self._began = self._loop.time()
        if process.stdin is not None:
            self._out = LinesOut(self._loop, process.stdin.fileno(), self._emptied, self._hung_up)
        if process.stdout is not None:
            descriptor = process.stdout.fileno()
            self._in = LinesIn(self._loop, descriptor, self._heard, self._hung_up, LONGEST_MESSAGE)
        self.tell(self._opening)
        self._timer = self._loop.call_later(CHECK_EVERY_S, self._check)
        self.anew()

    async def end(self) -> None:
        """End it: by the end of its input, else by force."""
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

    def _heard(self, line: bytes) -> None:
        if self._hears is None:
            return
        try:
            asked = asked_by_pages(line)
        except ValueError as error:
            log.error("the pages' process has said what is not understood: %s", error)
            self._hung_up()
            return
        self._hears(asked)

    def _emptied(self) -> None:
        self.taken()

    def _hung_up(self) -> None:
        """One of the pipes has ended: the process is done with, even if it still lives."""
        if self._process is not None:
            self._process.kill()
        self._leave_pipes()

    def _check(self) -> None:
        if self._process is None:
            return
        status = self._process.poll()
        if status is None:
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
        except OSError as error:  # no process, no memory: the table goes on without pages
            log.error("the pages' process cannot be started: %s", error)
            self._timer = self._loop.call_later(LATEST_AGAIN_S, self._start_again)

    def _leave_pipes(self) -> None:
        if self._out is not None:
            self._out.close()
            self._out = None
        if self._in is not None:
            self._in.close()
            self._in = None

    def _let_go(self) -> None:
        self._leave_pipes()
        process, self._process = self._process, None
        for pipe in (process.stdin, process.stdout) if process is not None else ():
            if pipe is not None:
                pipe.close()


def _environment() -> dict[str, str]:
    """It runs the program of which the service is; where that is found is told, not guessed."""
    kept = {name: os.environ[name] for name in KEPT_OF_ENVIRONMENT if name in os.environ}
    return kept | {"PYTHONPATH": str(Path(console.__file__).parent.parent)}
