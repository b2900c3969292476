"""The files of an open ledger, which must stay the same ones under their names (decision 0013).

A file that is unlinked while it is open still takes every write, and is gone with the process; one
that is put in its place was written by somebody else.
"""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from jackpot.failures import LedgerCorrupt

Inode = tuple[int, int]
"""Device and number."""

Listing = tuple[int, int, int, int]
"""Which folder it is, and when a name in it last changed."""

SURE_AFTER_NS = 3_000_000_000
"""A folder's times tell two changes apart that are so far from each other: FAT counts in 2 s."""


class OpenFiles:
    """Files of a folder as they were found; those that are missing are not expected later.

    No name is removed or given to another file without the folder's times. So as long as they
    stand still, one look at the folder says it of all its files, and the time does not count.
    """

    def __init__(
        self,
        folder: Path,
        names: Iterable[str],
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Note which files they are; `clock`: monotonic nanoseconds. Raises OSError."""
        self._folder = str(folder)
        self._clock = clock
        self._listing: Listing | None = None
        self._sure_at: int | None = 0  # None: it is sure
        found = ((path, find_inode(path)) for path in (f"{folder}/{name}" for name in names))
        self._found = {path: inode for path, inode in found if inode is not None}

    def check(self) -> None:
        """Raise LedgerCorrupt if one was removed or replaced, OSError if that cannot be seen."""
        listing = read_listing(self._folder)
        if listing is None or listing != self._listing:
            self._sure_at = self._clock() + SURE_AFTER_NS
        elif self._sure_at is None:
            return
        elif self._clock() >= self._sure_at:
            self._sure_at = None
            return
        self._look_at_each()
        self._listing = listing

    def _look_at_each(self) -> None:
        for path, inode in self._found.items():
            now = find_inode(path)
            if now != inode:
                how = "removed" if now is None else "replaced"
                raise LedgerCorrupt(f"{path} was {how} while the table ran")


def read_listing(folder: str) -> Listing | None:
    """The folder as it is now; None: there is none of this name. Raises OSError."""
    try:
        status = os.stat(folder)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns


def find_inode(path: Path | str) -> Inode | None:
    """Which file has this name; None: none has. Raises OSError."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_dev, status.st_ino
