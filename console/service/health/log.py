"""The service's log: to systemd's journal, or in plain lines to standard error.

A thread writes the lines, so that the event loop never waits. Lines that are not taken are lost,
and counted.
"""

import logging
import math
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import QueueHandler
from queue import Full

from console.service.health.line_writer import LineWriter
from console.service.health.log_ring import LogLine, LogRing
from console.service.health.rate_limit import RateLimit

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
