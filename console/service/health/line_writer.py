"""A thread that writes log lines, so that nothing else waits for their reader."""

import os
import select
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Event, Thread

WAITING_LINES = 1000

IDLE_S = 0.5
"""How often it checks for the end while the file takes nothing or the queue is empty."""

CLOSE_S = 2.0
"""How long `close` waits for unwritten lines."""


class LineWriter:
    """Writes what is put into `lines` to a file descriptor, in order."""

    def __init__(self, descriptor: int) -> None:
        self.lines: Queue[str | None] = Queue(WAITING_LINES)
        self.not_written = 0
        self._descriptor = descriptor
        self._closing = Event()
        self._reported = 0

    def start(self, idle: Callable[[], None], lost: Callable[[], int]) -> None:
        """Start the thread.

        It calls `idle` when there is nothing to write; `lost` counts lost lines.
        """
        # A reader that has stalled must not keep a process alive that wants to end.
        self._thread = Thread(target=self._run, args=(idle, lost), name="log", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End, after writing the waiting lines for 2 s at most."""
        self._closing.set()
        with suppress(Full):  # full: it checks for the end by itself
            self.lines.put_nowait(None)
        self._thread.join(CLOSE_S)

    def _run(self, idle: Callable[[], None], lost: Callable[[], int]) -> None:
        while True:
            try:
                text = self.lines.get(timeout=IDLE_S)
            except Empty:
                if self._closing.is_set():
                    return
                idle()
                continue
            if text is None:
                return
            self.not_written += not self._write(text)
            self._report_lost(lost())

    def _report_lost(self, lost: int) -> None:
        """Write how many lines were lost, as soon as lines are taken again."""
        if lost > self._reported and self._write(f"{lost - self._reported} log lines were lost"):
            self._reported = lost

    def _write(self, text: str) -> bool:
        """Write a line; whether it was taken whole.

        Not if the reader is gone, or blocked until the end.
        """
        rest = f"{text}\n".encode(errors="backslashreplace")
        try:
            while rest and self._is_writable():
                with suppress(BlockingIOError):
                    rest = rest[os.write(self._descriptor, rest[: select.PIPE_BUF]) :]
        except OSError:
            return False
        return not rest

    def _is_writable(self) -> bool:
        """Wait until something can be written, or until the end."""
        while True:
            closing = self._closing.is_set()
            if select.select((), (self._descriptor,), (), 0 if closing else IDLE_S)[1]:
                return True
            if closing:
                return False
