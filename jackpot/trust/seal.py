"""The seal: the newest record's number and hash, kept outside the ledger (decision 0003).

A file of two slots. The ledger must contain the sealed record. Otherwise the ledger, and a second
copy that agrees with it, are older than they once were, or another table's.
"""

from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from jackpot.failures import LedgerCorrupt
from jackpot.ledger.anchor import anchor_of
from jackpot.ledger.journal import Head
from jackpot.ledger.reading import hash_before, head_of, wall_of
from jackpot.ledger.schema import connect_for_reading, convert_disk_errors
from jackpot.ledger.two_slots import TwoSlots
from jackpot.named_files import open_regular
from jackpot.trust.counterpart import CounterpartLost, CounterpartReplaced, Noted


class Seal(Struct, frozen=True, omit_defaults=True):
    """The newest known record of a table's ledger; `wall`: its label for people.

    Where the table has a key, it is a signed head: `counter`, `key` and `signature` are its.
    """

    table: str
    seq: int
    hash: str
    wall: str
    counter: int = 0
    key: str = ""
    signature: str = ""

    @property
    def is_signed(self) -> bool:
        """Whether it says that it is signed."""
        return bool(self.key or self.signature)


def read_seal(path: Path) -> Seal | None:
    """The seal that a person names; None if there is none.

    Raises CounterpartReplaced if it is damaged, CounterpartLost if it cannot be read, or may never
    answer.
    """
    try:
        open_regular(path).close()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CounterpartLost(f"the seal {path} cannot be read: {error.strerror}") from error
    return read_own_seal(path)


def read_own_seal(path: Path) -> Seal | None:
    """The same of the table's own, in a thread of its own: a medium may answer late."""
    try:
        newest = TwoSlots(path).newest()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CounterpartLost(f"the seal {path} cannot be read: {error.strerror}") from error
    if newest is None:
        raise CounterpartReplaced(f"the seal {path} is damaged")
    try:
        return msgspec.convert(newest.content, Seal)
    except msgspec.ValidationError as error:
        raise CounterpartReplaced(f"the seal {path} is damaged: {error}") from error


def hold_against(seal: Seal, folder: Path, table: str) -> None:
    """Raise LedgerCorrupt unless the folder's ledger contains the sealed record.

    Raises LedgerUnavailable if the ledger cannot be read.
    """
    if seal.table != table:
        raise LedgerCorrupt(f"the seal is that of table {seal.table!r}, not of {table!r}")
    with closing(connect_for_reading(folder)) as connection, convert_disk_errors("read"):
        last, _ = head_of(connection)
        seen = f"had been seen at {seal.wall}" if seal.wall else "had been seen"
        if last < seal.seq:
            raise LedgerCorrupt(f"the ledger ends at record {last}; record {seal.seq} {seen}")
        if seal.seq < anchor_of(connection).seq:
            raise LedgerCorrupt(
                f"record {seal.seq} {seen}; the ledger has it no more, it is in the archive"
            )
        if hash_before(connection, seal.seq + 1).hex() != seal.hash:
            raise LedgerCorrupt(f"record {seal.seq} is not the one that {seen}")


def newest_noted(folder: Path) -> Noted:
    """The newest record of a folder's ledger. Raises LedgerUnavailable, LedgerCorrupt."""
    with closing(connect_for_reading(folder)) as connection, convert_disk_errors("read"):
        seq, digest = head_of(connection)
        return Noted(Head(seq, digest.hex()), wall_of(connection, seq))


def set_aside(path: Path) -> Path:
    """Rename a file to the first free `NAME.damaged-N`; returns its new path. Raises OSError."""
    kept = free_name(path)
    path.rename(kept)
    return kept


def free_name(path: Path) -> Path:
    """The first `NAME.damaged-N`, from N = 1, that is free, as is its log's name."""
    number = 1
    while _is_taken(kept := path.with_name(f"{path.name}.damaged-{number}")):
        number += 1
    return kept


def _is_taken(path: Path) -> bool:
    return path.exists() or path.with_name(f"{path.name}-wal").exists()
