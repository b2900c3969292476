"""Signs a table's heads with its key, for the counterparts' threads (decision 0013)."""

from collections.abc import Callable
from threading import Lock

from jackpot.ledger.export_lines import Verifier
from jackpot.trust.counterpart import Noted
from jackpot.trust.key_stores.store import KeyStore
from jackpot.trust.signed_head import SignedHead, sign_head


class HeadSigner:
    """The table's key store, opened when it is first used, by one thread at a time.

    Opening asks a TPM, which takes its time: never call this on an act's way.
    """

    def __init__(self, table: str, open_store: Callable[[], KeyStore]) -> None:
        """`open_store` may raise KeyUnusable; then it is called again at the next use."""
        self._table = table
        self._open_store = open_store
        self._lock = Lock()
        self._store: KeyStore | None = None
        self._counter = 0

    @property
    def public(self) -> Verifier:
        """The table's public key. Raises KeyUnusable."""
        with self._lock:
            return self._open().public

    @property
    def store_name(self) -> str:
        """The store's kind, `tpm` or `file`. Raises KeyUnusable."""
        with self._lock:
            return self._open().name

    @property
    def counter(self) -> int:
        """The store's counter as it was last read or raised. Raises KeyUnusable."""
        with self._lock:
            self._open()
            return self._counter

    def sign(self, noted: Noted) -> SignedHead:
        """Sign a record with the counter as it is. Raises KeyUnusable."""
        with self._lock:
            store = self._open()
            return sign_head(store, noted, table=self._table, counter=self._counter)

    def sign_ahead(self, noted: Noted) -> SignedHead:
        """Sign a record with the counter's next value, before it is raised. Raises KeyUnusable.

        The seal has it before the counter is raised: power that goes in between leaves a seal that
        is one ahead, never one that is behind.
        """
        with self._lock:
            store = self._open()
            return sign_head(store, noted, table=self._table, counter=self._counter + 1)

    def raise_counter(self) -> int:
        """Raise the store's counter; the new value. Raises KeyUnusable."""
        with self._lock:
            store = self._open()
            self._store = None  # unless it is raised, it is read again
            self._counter = store.raise_counter()
            self._store = store
            return self._counter

    def _open(self) -> KeyStore:
        if self._store is None:
            store = self._open_store()
            self._counter = store.read_counter()
            self._store = store
        return self._store
