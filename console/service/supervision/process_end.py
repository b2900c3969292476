"""How every command ends: normally, by a signal, or because its output cannot be written.

The exit statuses common to all commands (docs/reference/exit-status.md); the service has its own in
`console.run` and `main_loop.RESTART`. Nothing heavy is imported.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from enum import IntEnum
from errno import EPIPE
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any, TextIO

from console.service.supervision.stop_signals import raise_on_signals
from jackpot.foreign_text import escape_controls, shorten

STANDARD_OUTPUT, STANDARD_ERROR = 1, 2

COLUMNS, ROWS = 80, 24
"""Of a terminal that does not say its size, as on a serial line."""

BY_SIGNAL = 128
"""The shell's exit status of a command ended by a signal is this plus the signal's number."""


class ExitStatus(IntEnum):
    """The exit statuses common to all commands."""

    NOT_WRITTEN = 74
    """The output could not be written: the disk is full, or the output closed (EX_IOERR)."""

    HUNG_UP = BY_SIGNAL + signal.SIGHUP
    INTERRUPTED = BY_SIGNAL + signal.SIGINT
    NOT_READ = BY_SIGNAL + signal.SIGPIPE
    TERMINATED = BY_SIGNAL + signal.SIGTERM


class NotWritten(Exception):
    """Standard output or standard error cannot be written.

    Not an OSError, so that no command takes it for an error of its own files.
    """

    def __init__(self, error: OSError, descriptor: int) -> None:
        name = "standard output" if descriptor == STANDARD_OUTPUT else "standard error"
        super().__init__(f"{name}: {error.strerror}")
        self.status = ExitStatus.NOT_READ if error.errno == EPIPE else ExitStatus.NOT_WRITTEN


def describe_failure(error: Exception) -> str:
    """What a person reads of an error; of the system's, the file and the reason, not its number."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    where = f"{error.filename}: " if error.filename is not None else ""
    return f"{where}{error.strerror}"


def run_to_end(command: Callable[[], int], *, acts_on_signals: bool = False) -> int:
    """Run a command; its exit status, or one of `ExitStatus`.

    `acts_on_signals`: once its loop runs. Until then they are held; others are ended by them.
    """
    with nullcontext() if acts_on_signals else raise_on_signals(), _watch_streams():
        try:
            return _run_and_flush(command)
        except NotWritten as lost:
            _discard_output()
            if lost.status is not ExitStatus.NOT_READ:
                with suppress(NotWritten):
                    print(f"banco: {lost}", file=sys.stderr)
            return lost.status
        except KeyboardInterrupt as interrupt:
            _discard_output()  # writing it may block for as long as a pager is open
            _leave_line()
            return BY_SIGNAL + getattr(interrupt, "number", signal.SIGINT)


def _run_and_flush(command: Callable[[], int]) -> int:
    """Run the command and flush its output. Raises NotWritten, SystemExit as argparse does."""
    try:
        status = command()
    except SystemExit:
        sys.stdout.flush()
        raise
    sys.stdout.flush()
    return status


def _discard_output() -> None:
    """Discard buffered output, and all that follows."""
    if isinstance(sys.stdout, _WatchedStream):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, STANDARD_OUTPUT)
        os.close(nowhere)


def _leave_line() -> None:
    """On a terminal, begin a new line after a question and `^C`."""
    with suppress(NotWritten):
        if sys.stderr.isatty():
            print(file=sys.stderr)


# Streams


def fit_terminal(text: str, stream: TextIO) -> str:
    """What a stream shows of an error, or a list of them: on a terminal at most half of its screen.

    An error then never loses its beginning. Its last line says how many lines are left out. What a
    file or another program reads is whole.
    """
    if not stream.isatty():
        return text
    from console.texts.language import find_locale_language
    from console.texts.layout import first_rows
    from console.texts.office_texts import LINES_LEFT_OUT

    columns, rows = os.get_terminal_size(stream.fileno())
    shown, left = first_rows(text, columns or COLUMNS, (rows or ROWS) // 2)
    if left:
        shown.append(LINES_LEFT_OUT.fill(left).in_(find_locale_language(os.environ)))
    return "\n".join(shown)


class _Descriptor(FileIO):
    """A descriptor of this process, left open at the end."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "w", closefd=False)

    def write(self, data: Any, /) -> int:
        """Write as FileIO does. Raises NotWritten."""
        try:
            return super().write(data)
        except OSError as error:
            raise NotWritten(error, self.fileno()) from error


class _WatchedStream(TextIOWrapper):
    """A standard stream whose writing raises NotWritten.

    What it cannot encode it escapes, and what would control a terminal: much of what is printed was
    typed, or stands in a file. Messages are short whatever they repeat.
    """

    def __init__(self, descriptor: int, instead_of: TextIO | None) -> None:
        at_once = descriptor == STANDARD_ERROR or os.isatty(descriptor)
        super().__init__(
            BufferedWriter(_Descriptor(descriptor)),
            encoding=instead_of.encoding if instead_of is not None else "utf-8",
            errors="backslashreplace",
            line_buffering=at_once or getattr(instead_of, "write_through", False),
        )
        self._has_messages = descriptor == STANDARD_ERROR

    def write(self, text: str, /) -> int:
        """Write the text as a terminal may get it. Raises NotWritten."""
        shown = fit_terminal(shorten(text), self) if self._has_messages else text
        super().write(escape_controls(shown))
        return len(text)


@contextmanager
def _watch_streams() -> Iterator[None]:
    """Let writing to standard output and error raise NotWritten, unless they were replaced."""
    _open_what_is_closed()
    before = sys.stdout, sys.stderr
    if sys.stdout is sys.__stdout__:
        sys.stdout = _WatchedStream(STANDARD_OUTPUT, sys.__stdout__)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _WatchedStream(STANDARD_ERROR, sys.__stderr__)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _open_what_is_closed() -> None:
    """Open a closed standard stream, so that no file of ours gets its number and our output.

    Reading such a stream finds its end, writing it is an error.
    """
    for descriptor in (0, STANDARD_OUTPUT, STANDARD_ERROR):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # the lowest free number is this one
