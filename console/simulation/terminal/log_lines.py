"""The log while a picture fills the terminal: each warning is one line of the picture."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from console.service.health.log import LogHandler


class LogLines(logging.Handler):
    """Hands on each warning as one line; statistics do not belong in the picture."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        """Hand it on; called from any thread."""
        self._say(f"{record.levelname} {record.getMessage()}")


@contextmanager
def show_warnings(say: Callable[[str], None]) -> Iterator[None]:
    """Show warnings by `say` meanwhile: written to the terminal they would spoil the picture."""
    root = logging.getLogger()
    journals = [handler for handler in root.handlers if isinstance(handler, LogHandler)]
    handlers, root.handlers = root.handlers, [*journals, LogLines(say)]
    for journal in journals:
        journal.enabled = False
    try:
        yield
    finally:
        for journal in journals:
            journal.enabled = True
        root.handlers = handlers
