"""A ledger's folder: one process at a time has it, its files are its owner's, names are synced."""

import fcntl
import os
import stat
from pathlib import Path

from jackpot.failures import LedgerInUse

_BLOCK_BYTES = 1_000_000


class FolderClaim:
    """An exclusive lock on a file in the folder; the kernel releases it even after kill -9."""

    def __init__(self, folder: Path) -> None:
        """Claim it. Raises LedgerInUse when another has it, OSError when none can."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._descriptor = os.open(folder / "ledger.owner", flags, 0o640)
        try:
            hand_over_open(self._descriptor, folder)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._descriptor)
            raise LedgerInUse(f"the ledger in {folder} is open already, elsewhere") from error
        except OSError:
            os.close(self._descriptor)
            raise

    def release(self) -> None:
        """Release the claim."""
        os.close(self._descriptor)


def hand_over(path: Path) -> None:
    """Give what root has made in a folder to the folder's owner, who must be able to use it.

    Its mode becomes the folder's, of a file without the right to execute. Where the process is not
    root's, nothing is done. A symbolic link is not followed. Raises OSError.
    """
    if os.geteuid() != 0:
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        hand_over_open(descriptor, path.parent)
    finally:
        os.close(descriptor)


def hand_over_open(descriptor: int, folder: Path) -> None:
    """The same for an open file. Raises OSError."""
    if os.geteuid() != 0:
        return
    owner, made = folder.stat(), os.fstat(descriptor)
    if (made.st_uid, made.st_gid) == (owner.st_uid, owner.st_gid):
        return
    os.fchown(descriptor, owner.st_uid, owner.st_gid)
    allowed = 0o777 if stat.S_ISDIR(made.st_mode) else 0o666
    os.fchmod(descriptor, owner.st_mode & allowed)


def sync_folder(folder: Path) -> None:
    """Sync the folder, so that the names of new files are on the disk. Raises OSError."""
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
