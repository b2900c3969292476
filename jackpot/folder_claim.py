"""One process at a time has a ledger's folder."""

import fcntl
import os
from pathlib import Path

from jackpot.failures import LedgerUnavailable


class FolderClaim:
    """An exclusive lock on a file in the folder; the kernel releases it even after kill -9."""

    def __init__(self, folder: Path) -> None:
        """Claim it. Raises LedgerUnavailable when another has it, OSError when none can."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        self._descriptor = os.open(folder / "ledger.owner", flags, 0o640)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._descriptor)
            raise LedgerUnavailable(f"the ledger in {folder} is open already, elsewhere") from error

    def release(self) -> None:
        """Let the next one have it."""
        os.close(self._descriptor)
