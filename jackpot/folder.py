"""A ledger's folder: one process at a time has it, and its names reach the disk."""

import fcntl
import os
from pathlib import Path

from jackpot.failures import LedgerInUse

_BLOCK_BYTES = 1_000_000


class FolderClaim:
    """An exclusive lock on a file in the folder; the kernel releases it even after kill -9."""

    def __init__(self, folder: Path) -> None:
        """Claim it. Raises LedgerInUse when another has it, OSError when none can."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        self._descriptor = os.open(folder / "ledger.owner", flags, 0o640)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._descriptor)
            raise LedgerInUse(f"the ledger in {folder} is open already, elsewhere") from error

    def release(self) -> None:
        """Let the next one have it."""
        os.close(self._descriptor)


def sync_folder(folder: Path) -> None:
    """Put the names of new files on the disk. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_again(path: Path) -> None:
    """Write a file's own bytes over themselves and sync them. Raises OSError.

    After a sync that failed, the kernel may go on reading from memory what the disk never got, and
    the next sync says that all is well. A file that is not there is left so.
    """
    if not path.exists():
        return
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        place = 0
        while block := os.pread(descriptor, _BLOCK_BYTES, place):
            place += os.pwrite(descriptor, block, place)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
