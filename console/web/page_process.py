"""Runs the process that serves a simulation's pages, and starts it again when it has ended.

Its failures never reach the table.
"""

import logging
import os
from asyncio import AbstractEventLoop
from collections.abc import Callable

from msgspec import Struct

from console.child_process import ChildListener, ChildProcess, ChildProgram
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

log = logging.getLogger(__name__)

NO_AUTHORITIES = {"SSL_CERT_FILE": os.devnull, "SSL_CERT_DIR": os.devnull}
"""The process calls nobody. Without these, aiohttp reads every certificate authority at its import,
a quarter of its start."""

PAGES = ChildProgram(
    what="the pages' process",
    module="console.web.serving",
    longest_line=LONGEST_MESSAGE,
    most_waiting=4 * LONGEST_MESSAGE,
    first_again_s=1.0,
    latest_again_s=30.0,
    environment=NO_AUTHORITIES,
)

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
        listener: ProcessListener,
    ) -> None:
        self.on_started: Callable[[], None] = lambda: None
        """A process has been started and has been sent the opening."""
        self.on_ready: Callable[[], None] = lambda: None
        """The process has taken every message."""
        self._opening = opening
        self._listener = listener
        hears = ChildListener(self._on_line, self._on_error_line)
        self._child = ChildProcess(loop, PAGES, hears, self._open, self._on_ended, self._on_ready)

    @property
    def ready(self) -> bool:
        """Whether the process runs and has taken every message."""
        return self._child.ready

    @property
    def pid(self) -> int | None:
        """The process id; None while there is no process."""
        return self._child.pid

    def send(self, message: ToPages) -> None:
        """Send a message, if the process runs."""
        if self._child.pid is not None:
            self._child.send(encode_message(message))

    def start(self) -> None:
        """Start the process. Raises OSError."""
        self._child.start()

    async def end(self) -> None:
        """Close its input, so that it ends; kill it if it does not."""
        await self._child.end()

    def _open(self) -> None:
        self.send(self._opening)
        self.on_started()

    def _on_ready(self) -> None:
        self.on_ready()

    def _on_line(self, line: bytes) -> None:
        try:
            message = decode_from_pages(line)
        except ValueError as error:
            log.error("the pages' process has sent an invalid message: %s", error)
            self._child.kill()
            return
        self._listener.on_message(message)

    def _on_error_line(self, line: bytes) -> None:
        self._listener.on_complaint(line.decode(errors="replace"))

    def _on_ended(self, status: int, again_s: float) -> None:
        why = WHY.get(status, "their process has ended with status {status}").format(
            address=self._opening.listening.address,
            port=self._opening.listening.port,
            status=status,
        )
        log.error("the pages are not served: %s; tried again in %.0f s", why, again_s)
