"""A key store for a table without a TPM: private key and counter are files in one folder.

Whoever reads the folder can sign as the table, and whoever writes it can set the counter back.
"""

from pathlib import Path
from typing import Final

from jackpot.failures import KeyUnusable
from jackpot.ledger.folder import sync_folder
from jackpot.ledger.two_slots import TwoSlots
from jackpot.trust.signing import PrivateKey, PublicKey, load_private, make_pair

KEY: Final = "table.key"
COUNTER: Final = "counter"


class FileStore:
    """Key and counter in a folder's files `table.key`, `table.key.pub` and `counter`."""

    name = "file"

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        """Read the key. Raises KeyUnusable."""
        self._counter = TwoSlots(folder / COUNTER, durable=durable)
        try:
            self._key: PrivateKey = load_private(folder / KEY)
        except (KeyUnusable, OSError) as error:
            raise KeyUnusable(f"the table's key cannot be read: {error}") from error
        self.read_counter()

    @property
    def public(self) -> PublicKey:
        """The public key."""
        return self._key.public

    def sign(self, signed: bytes) -> bytes:
        """The signature over these bytes."""
        return self._key.sign(signed)

    def read_counter(self) -> int:
        """The counter. Raises KeyUnusable."""
        try:
            newest = self._counter.newest()
        except OSError as error:
            raise KeyUnusable(
                f"the key's counter {self._counter.path} cannot be read: {error.strerror}"
            ) from error
        counter = newest.content.get("counter") if newest is not None else None
        if not isinstance(counter, int):
            raise KeyUnusable(f"the key's counter {self._counter.path} is damaged")
        return counter

    def raise_counter(self) -> int:
        """Add one to the counter. Raises KeyUnusable."""
        counter = self.read_counter() + 1
        try:
            self._counter.write({"counter": counter})
        except OSError as error:
            raise KeyUnusable(
                f"the key's counter {self._counter.path} cannot be written: {error.strerror}"
            ) from error
        return counter


def make_file_store(folder: Path) -> PublicKey:
    """Make key and counter in a folder, for its owner alone. Raises KeyUnusable, OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    public = make_pair(folder / KEY)
    TwoSlots(folder / COUNTER).make({"counter": 0})
    sync_folder(folder)
    return public
