"""The role of a key store: it signs with the table's key, and has a counter that never goes back.

A store is used by one thread at a time.
"""

from typing import Protocol

from jackpot.ledger.export_lines import Verifier


class KeyStore(Protocol):
    """The table's key and counter."""

    @property
    def name(self) -> str:
        """Its kind: `tpm` or `file`."""

    @property
    def public(self) -> Verifier:
        """The public key, with its fingerprint."""

    def sign(self, signed: bytes) -> bytes:
        """The Ed25519 signature over these bytes, 64 bytes. Raises KeyUnusable."""

    def read_counter(self) -> int:
        """The counter as it is. Raises KeyUnusable."""

    def raise_counter(self) -> int:
        """Add one to the counter, for good, before this returns; the new value.

        Raises KeyUnusable; then it may have been raised or not.
        """
