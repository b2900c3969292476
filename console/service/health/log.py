"""The service's log: to systemd's journal, or in plain lines to standard error.

A thread writes the lines, so that the event loop never waits. Lines that are not taken are lost,
and counted.
"""

import logging
import math
import os
import select
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from logging.handlers import QueueHandler
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TypeVar

from msgspec import Struct

from console.service.health.log_ring import LogLine, LogRing

MOST = 10
WITHIN_S = 30.0

REMEMBERED = 256
"""The most kinds of lines that are counted; for a further one, the oldest span ends early."""

LineKind = tuple[str, int]
"""Where a log line comes from: source file and line number."""

T = TypeVar("T")


class OmittedLines(Struct):
    """The lines of one kind in one span of time."""

    since: float
    """The span's beginning, in seconds."""
    example: str
    """The first line's text."""
    level: int
    written: int = 0
    count: int = 0
    """Lines left out."""


class RateLimit:
    """Counts lines of each kind; times are seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._spans: dict[LineKind, OmittedLines] = {}  # in the order in which they began

    def admits(self, kind: LineKind, level: int, now: float) -> bool:
        """Whether one more line is to be written. Call `pop_ended` first."""
        span = self._spans.get(kind)
        if span is None:
            span = self._spans[kind] = OmittedLines(now, "", level)
        if span.written < MOST:
            span.written += 1
            return True
        span.count += 1
        return False

    def set_example(self, kind: LineKind, text: str) -> None:
        """Keep the text of an admitted line as the example."""
        span = self._spans.get(kind)
        if span is not None and not span.example:
            span.example = text

    def pop_ended(self, now: float) -> list[OmittedLines]:
        """Remove the spans that are over; returns those with lines left out."""
        over = [kind for kind, span in self._spans.items() if now - span.since >= WITHIN_S]
        if len(self._spans) - len(over) >= REMEMBERED:
            over.append(next(kind for kind in self._spans if kind not in over))
        omitted = [self._spans.pop(kind) for kind in over]
        return [span for span in omitted if span.count]


WAITING_LINES = 1000

STUCK_S = 0.5
"""How often it checks for the end while the file takes nothing."""

IDLE_S = 5.0
"""How often it looks for lines left out while there is nothing to write."""

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
            if select.select((), (self._descriptor,), (), 0 if closing else STUCK_S)[1]:
                return True
            if closing:
                return False


STANDARD_ERROR = 2

LONGEST_TEXT = 8000
"""Characters of one text, such as a traceback; a longer one keeps only its end."""

PRIORITIES = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (logging.INFO, 6),
    (logging.NOTSET, 7),
)
"""The priority in a line's prefix `<N>`, by the least level (sd-daemon(3))."""


def is_journal(descriptor: int, environment: Mapping[str, str]) -> bool:
    """Whether this descriptor is systemd's journal, according to JOURNAL_STREAM."""
    there = os.fstat(descriptor)
    return environment.get("JOURNAL_STREAM") == f"{there.st_dev}:{there.st_ino}"


class LogHandler(QueueHandler):
    """Puts every log record into the ring, and into the queue of the writing thread."""

    def __init__(self, writer: LineWriter, ring: LogRing, *, prefixed: bool) -> None:
        super().__init__(writer.lines)
        self.ring = ring
        self.enabled = True  # a picture that fills the terminal wants no line in it
        self._writer = writer
        self._prefixed = prefixed
        self._limit = RateLimit()
        self._not_taken = 0

    @property
    def lines_lost(self) -> int:
        """How many lines were not written, because nothing took them."""
        return self._not_taken + self._writer.not_written

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record, unless there were too many like it. Never waits."""
        self.log_omitted()
        kind, now = (record.pathname, record.lineno), time.monotonic()
        if record.levelno >= logging.CRITICAL or self._limit.admits(kind, record.levelno, now):
            super().emit(record)

    def enqueue(self, record: logging.LogRecord) -> None:
        """Queue a record whose text is complete."""
        text = record.getMessage()[-LONGEST_TEXT:]
        self._limit.set_example((record.pathname, record.lineno), text)
        self._take(record.levelno, f"{record.name}: {text}", record.created)

    def log_omitted(self, *, all_spans: bool = False) -> None:
        """Log how many lines were left out in the spans that are over, or in all spans."""
        self.acquire()
        try:
            for over in self._limit.pop_ended(math.inf if all_spans else time.monotonic()):
                text = f"{over.count} more like this were left out: {over.example}"
                self._take(over.level, text, time.time())
        finally:
            self.release()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 logging's own name
        """Log that a record's text cannot be formatted; this does not end the table."""
        text = f"{record.name}: a line cannot be made of {record.msg!r} and its arguments"
        self._take(logging.ERROR, text, record.created)

    def format_text(self, text: str, level: int) -> str:
        """A text as this log writes it: with a priority before each line, or as it is."""
        if not self._prefixed:
            return text
        priority = next(number for least, number in PRIORITIES if level >= least)
        return "\n".join(f"<{priority}>{line}" for line in text.splitlines())

    def _take(self, level: int, text: str, created: float) -> None:
        name = logging.getLevelName(level)
        wall = datetime.fromtimestamp(created, UTC).isoformat(timespec="milliseconds")
        for line in text.splitlines():
            self.ring.add(LogLine(wall, name, line))
        if not self.enabled:
            return
        try:
            self._writer.lines.put_nowait(
                self.format_text(text if self._prefixed else f"{name} {text}", level)
            )
        except Full:
            self._not_taken += 1


@contextmanager
def keep_log(
    descriptor: int = STANDARD_ERROR, environment: Mapping[str, str] = os.environ
) -> Iterator[LogHandler]:
    """Write everything that is logged meanwhile, from level INFO, to this file descriptor."""
    prefixed = is_journal(descriptor, environment)
    writer = LineWriter(descriptor)
    journal = LogHandler(writer, LogRing(), prefixed=prefixed)
    writer.start(idle=journal.log_omitted, lost=lambda: journal.lines_lost)
    root = logging.getLogger()
    before = root.level
    root.addHandler(journal)
    root.setLevel(logging.INFO)
    try:
        yield journal
    finally:
        root.removeHandler(journal)
        root.setLevel(before)
        journal.log_omitted(all_spans=True)
        journal.close()
        writer.close()
