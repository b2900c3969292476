"""What a simulation has to say to the person in front of it: notices, and the log's warnings."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from console.service.health.log import LogHandler


def _on_standard_error(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Notices:
    """Shows notices on standard error, until a screen takes them."""

    def __init__(self) -> None:
        self.show: Callable[[str], None] = _on_standard_error

    @property
    def on_terminal(self) -> bool:
        """Whether a screen shows them, so that somebody sits in front of it."""
        return self.show is not _on_standard_error


class LogNotices(logging.Handler):
    """Shows each warning of the log as a line of the picture; statistics are left out."""

    def __init__(self, show: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._show = show

    def emit(self, record: logging.LogRecord) -> None:
        """Show it; called from any thread."""
        self._show(f"{record.levelname} {record.getMessage()}")


@contextmanager
def show_warnings(show: Callable[[str], None]) -> Iterator[None]:
    """Show the log's warnings by `show` meanwhile: on the terminal they would spoil the picture."""
    root = logging.getLogger()
    journals = [handler for handler in root.handlers if isinstance(handler, LogHandler)]
    handlers, root.handlers = root.handlers, [*journals, LogNotices(show)]
    for journal in journals:
        journal.enabled = False
    try:
        yield
    finally:
        for journal in journals:
            journal.enabled = True
        root.handlers = handlers
