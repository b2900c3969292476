"""A ledger's folder: claimed by one process at a time, owner of its files, synced."""

import fcntl
import os
import stat
from pathlib import Path

from jackpot.failures import LedgerInUse

CLAIM = "ledger.owner"
_BLOCK_BYTES = 1_000_000

CLAIM_MODE = 0o600
"""Whoever may read the file could lock it, and keep the table from starting."""


class FolderClaim:
    """An exclusive lock on a file in the folder; the kernel releases it even after kill -9."""

    def __init__(self, folder: Path) -> None:
        """Claim the folder. Raises LedgerInUse if it is claimed, OSError if that is impossible."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._descriptor = os.open(folder / CLAIM, flags, CLAIM_MODE)
        try:
            hand_over_open(self._descriptor, folder, CLAIM_MODE)
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
    """Give a file that root has made to the owner of its folder, who must be able to use it.

    Its mode becomes the folder's, without the right to execute, and with none for others, who may
    read no ledger. Without root nothing is done. A symbolic link is not followed. Raises OSError.
    """
    if os.geteuid() != 0:
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        hand_over_open(descriptor, path.parent)
    finally:
        os.close(descriptor)


def hand_over_open(descriptor: int, folder: Path, most: int = 0o7777) -> None:
    """The same for an open file; its mode is at most `most`. Raises OSError."""
    if os.geteuid() != 0:
        return
    owner, made = folder.stat(), os.fstat(descriptor)
    if (made.st_uid, made.st_gid) == (owner.st_uid, owner.st_gid):
        return
    os.fchown(descriptor, owner.st_uid, owner.st_gid)
    allowed = 0o2770 if stat.S_ISDIR(made.st_mode) else 0o660
    os.fchmod(descriptor, owner.st_mode & allowed & most)


def sync_folder(folder: Path) -> None:
    """Sync the folder, so that the names of new files are on the disk. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_again(path: Path) -> None:
    """Write a file's own bytes over themselves and sync them. Raises OSError.

    After a failed sync the kernel may read from memory what the disk never got, while the next sync
    succeeds. A missing file is ignored.
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
