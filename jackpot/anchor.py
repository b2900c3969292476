"""Where a ledger's journal begins: after what was archived (decision 0007)."""

import sqlite3
from dataclasses import dataclass, field
from hashlib import sha256

from jackpot.accounts import Balances
from jackpot.columns import rows_of
from jackpot.failures import LedgerCorrupt
from jackpot.journal import GENESIS, balances_in

ARCHIVED = "archived"
"""The kind of the record that tells of it."""

_ANCHOR = """
    SELECT anchor_seq, anchor_hash, anchor_balances, anchor_identities, anchor_file, anchor_wall
    FROM meta"""
_KINDS = (int, bytes, str, bytes, bytes, str)
_IDENTITIES = """
    SELECT identity, seq, digest FROM identity WHERE identity > ? AND seq <= ?
    ORDER BY identity LIMIT ?"""
_ALL = -1
_NO_IDENTITIES = sha256().digest()


@dataclass(frozen=True, slots=True)
class Anchor:
    """The last record that is in an archive, and the balances after it; 0: nothing is archived.

    `identities` is the SHA-256 over those that were archived, `file` that of the last archive's
    file, `wall` the wall clock's label when it was made.
    """

    seq: int = 0
    hash: bytes = GENESIS
    balances: Balances = field(default_factory=Balances)
    identities: bytes = _NO_IDENTITIES
    file: bytes = b""
    wall: str = ""


UNARCHIVED = Anchor()
"""The anchor of a ledger that has its first record."""


def anchor_of(connection: sqlite3.Connection) -> Anchor:
    """The ledger's anchor. Raises LedgerCorrupt where it has none that can be."""
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


def archived_identities(connection: sqlite3.Connection, last: int) -> bytes:
    """The SHA-256 over all identities that came up to the record `last`."""
    archived = ArchivedIdentities(last)
    archived.page(connection, _ALL)
    return archived.digest


class ArchivedIdentities:
    """The same, read a page at a time: none of them is ever changed."""

    def __init__(self, last: int) -> None:
        self._last = last
        self._after = ""
        self._digest = sha256()

    @property
    def digest(self) -> bytes:
        """The SHA-256 over those that were read."""
        return self._digest.digest()

    def page(self, connection: sqlite3.Connection, most: int) -> bool:
        """Read at most so many more; True: these were the last. Raises LedgerCorrupt."""
        count = 0
        rows = connection.execute(_IDENTITIES, (self._after, self._last, most))
        for identity, seq, known in rows_of(rows, (str, int, bytes), "an archived transaction"):
            self._digest.update(b"%d %s %s\n" % (seq, known.hex().encode(), identity.encode()))
            self._after = identity
            count += 1
        return count != most
