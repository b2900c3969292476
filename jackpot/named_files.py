"""Files that a person names: read if they are files, written if they are new.

See docs/explanation/threats.md.

What is no regular file may never answer: a pipe that nobody writes, a terminal, a device.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL, EISDIR
from pathlib import Path
from typing import BinaryIO

NO_FILE = "it is a pipe or a device, not a file"

_READING = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


def open_regular(file: Path) -> BinaryIO:
    """Open a file for reading. Raises OSError, also if it is a pipe, a device or a folder."""
    descriptor = os.open(file, _READING)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(file))
        raise OSError(EINVAL, NO_FILE, str(file))
    return open(descriptor, "rb")


def refuse_pipe(file: Path) -> None:
    """Raise OSError if it is a pipe or a device, for a library that opens the file by its name.

    A missing file and a folder are the library's to refuse.
    """
    with suppress(FileNotFoundError, NotADirectoryError):
        mode = file.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise OSError(EINVAL, NO_FILE, str(file))


def write_new(file: Path, content: bytes, mode: int = 0o666) -> None:
    """Write and sync a new file. Raises FileExistsError, OSError; no part of it is left."""
    descriptor = os.open(file, _WRITING, mode)
    try:
        with name_in_errors(file), open(descriptor, "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(descriptor)
    except OSError:
        file.unlink()
        raise


@contextmanager
def name_in_errors(file: Path) -> Iterator[None]:
    """Let an OSError name the file: that of a write says only that there is no space left."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(file)
        raise
