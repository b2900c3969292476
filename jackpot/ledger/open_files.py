"""The files of an open ledger, which must stay the same ones under their names (decision 0013).

A file that is unlinked while it is open still takes every write, and is gone with the process; one
that is put in its place was written by somebody else.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from jackpot.failures import LedgerCorrupt

Inode = tuple[int, int]
"""Device and number."""


class OpenFiles:
    """Files as they were found; those that are missing are not expected later."""

    def __init__(self, paths: Iterable[Path]) -> None:
        """Note which files they are. Raises OSError."""
        found = ((str(path), find_inode(path)) for path in paths)
        self._found = {path: inode for path, inode in found if inode is not None}

    def check(self) -> None:
        """Raise LedgerCorrupt if one was removed or replaced, OSError if that cannot be seen."""
        for path, inode in self._found.items():
            now = find_inode(path)
            if now != inode:
                how = "removed" if now is None else "replaced"
                raise LedgerCorrupt(f"{path} was {how} while the table ran")


def find_inode(path: Path | str) -> Inode | None:
    """Which file has this name; None: none has. Raises OSError."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_dev, status.st_ino
