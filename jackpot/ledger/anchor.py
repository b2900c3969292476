"""The anchor: where a ledger's journal begins, after the archived records (decision 0003)."""

import sqlite3
from hashlib import sha256

from msgspec import Struct, field

from jackpot.failures import LedgerCorrupt
from jackpot.ledger.columns import rows_of
from jackpot.ledger.journal import GENESIS, balances_in
from jackpot.money.accounts import Balances

ARCHIVED = "archived"
"""The kind of the record that notes an archive."""

_ANCHOR = """
    SELECT anchor_seq, anchor_hash, anchor_balances, anchor_identities, anchor_file, anchor_wall
    FROM meta"""
_KINDS = (int, bytes, str, bytes, bytes, str)
_IDENTITIES = """
    SELECT identity, seq, digest FROM identity WHERE identity > ? AND seq <= ?
    ORDER BY identity LIMIT ?"""
_ALL = -1
_NO_IDENTITIES = sha256().digest()


class Anchor(Struct, frozen=True):
    """The last archived record."""

    seq: int = 0  # 0: nothing is archived
    hash: bytes = GENESIS
    balances: Balances = field(default_factory=Balances)  # after that record
    identities: bytes = _NO_IDENTITIES  # SHA-256 over the archived transactions' identities
    file: bytes = b""  # SHA-256 of the last archive's file
    wall: str = ""  # when they were archived: a wall-clock label


UNARCHIVED = Anchor()
"""The anchor of a ledger without an archive."""


def anchor_of(connection: sqlite3.Connection) -> Anchor:
    """The ledger's anchor. Raises LedgerCorrupt if it is missing or invalid."""
    found = connection.execute(_ANCHOR).fetchone()
    if found is None:
        raise LedgerCorrupt("it does not say which record was the last")
    if tuple(map(type, found)) != _KINDS:  # a damaged page may hold anything
        raise LedgerCorrupt("it does not say after which record it begins")
    seq, digest, balances, identities, file, wall = found
    try:
        stated = balances_in(balances)
    except ValueError as error:
        raise LedgerCorrupt(f"the balances after record {seq}, the archived: {error}") from error
    anchor = Anchor(seq, digest, stated, identities, file, wall)
    if anchor.seq <= 0 and anchor != UNARCHIVED:
        raise LedgerCorrupt("before record 1 there is no other, and no money")
    return anchor


def digest_archived_identities(connection: sqlite3.Connection, last: int) -> bytes:
    """The SHA-256 over all identities up to the record `last`."""
    archived = ArchivedIdentities(last)
    archived.page(connection, _ALL)
    return archived.digest


class ArchivedIdentities:
    """The same digest, computed a page at a time."""

    def __init__(self, last: int) -> None:
        self._last = last
        self._after = ""
        self._digest = sha256()

    @property
    def digest(self) -> bytes:
        """The SHA-256 over the identities read so far."""
        return self._digest.digest()

    def page(self, connection: sqlite3.Connection, most: int) -> bool:
        """Read at most `most` more; True if these were the last. Raises LedgerCorrupt."""
        count = 0
        rows = connection.execute(_IDENTITIES, (self._after, self._last, most))
        for identity, seq, known in rows_of(rows, (str, int, bytes), "an archived transaction"):
            self._digest.update(b"%d %s %s\n" % (seq, known.hex().encode(), identity.encode()))
            self._after = identity
            count += 1
        return count != most
