"""The seal: the newest record's number and hash, kept outside the ledger (decision 0003).

A file of two slots. The ledger must contain the sealed record. Otherwise the ledger, and a second
copy that agrees with it, are older than they once were, or another table's.
"""

import logging
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from jackpot.anchor import anchor_of
from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.journal import Head
from jackpot.lag import describe_lag
from jackpot.named_files import open_regular
from jackpot.reading import hash_before, head_of, wall_of
from jackpot.schema import connect_for_reading, convert_disk_errors
from jackpot.two_slots import Content, TwoSlots
from jackpot.witness import Compared, Noted, WitnessLost, WitnessReplaced

if TYPE_CHECKING:
    from jackpot.seal_signing import SealSigning

log = logging.getLogger(__name__)


class SealDamaged(WitnessLost):
    """The seal's file is not a valid seal."""


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

    Raises SealDamaged, and WitnessLost if it cannot be read, or may never answer.
    """
    try:
        open_regular(path).close()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WitnessLost(f"the seal {path} cannot be read: {error.strerror}") from error
    return _read_own_seal(path)


def _read_own_seal(path: Path) -> Seal | None:
    """The same of the table's own, in a thread of its own: a medium may answer late."""
    try:
        newest = TwoSlots(path).newest()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WitnessLost(f"the seal {path} cannot be read: {error.strerror}") from error
    if newest is None:
        raise SealDamaged(f"the seal {path} is damaged")
    try:
        return msgspec.convert(newest.content, Seal)
    except msgspec.ValidationError as error:
        raise SealDamaged(f"the seal {path} is damaged: {error}") from error


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


class SealFile:
    """A table's seal: compared with the ledger in a folder, and written after its commits."""

    name = "seal"

    def __init__(
        self,
        path: Path,
        ledger: Path,
        table: str,
        *,
        durable: bool = True,
        signing: "SealSigning | None" = None,
    ) -> None:
        """`ledger`: the ledger's folder. The folder of `path` must exist.

        `signing`: signs it with the table's key.
        """
        self._path = path
        self._ledger = ledger
        self._table = table
        self._file = TwoSlots(path, durable=durable)
        self.signing = signing
        self._may_begin = False
        self._last: Seal | None = None  # as it was last read or written here

    def compare(self) -> Compared:
        """Compare the ledger with the seal, and the seal with the key.

        Without a seal the ledger is held against the key. A missing or damaged seal is replaced by
        one of the ledger's newest record, for a new ledger or after `begin_anew`; a damaged one is
        kept beside it. Raises LedgerCorrupt, WitnessReplaced, WitnessLost.
        """
        may_begin, self._may_begin = self._may_begin, False
        try:
            seal, why = self._read()
            if seal is not None:
                self._check_signature(seal)
                hold_against(seal, self._ledger, self._table)
                self._seal(Noted(Head(seal.seq, seal.hash), seal.wall), self._file.write)
                return Compared(seal.seq, older=self._describe_lag(seal))
            self._check_without_seal()
            newest = newest_noted(self._ledger)
        except LedgerUnavailable as error:
            raise WitnessLost(f"the seal {self._path} cannot be compared: {error}") from error
        anew = newest.head.seq > 0 or self._path.exists()
        if anew and not may_begin:
            raise WitnessReplaced(why)
        if self._path.exists():
            self._write(lambda: set_aside(self._path))
        self._seal(newest, self._file.make)
        return Compared(newest.head.seq, anew=anew)

    def _read(self) -> tuple[Seal | None, str]:
        """The seal, or why there is none. Raises LedgerCorrupt, LedgerUnavailable, WitnessLost."""
        try:
            self._check_folder()
            return _read_own_seal(self._path), f"there is no seal {self._path}"
        except SealDamaged as error:
            return None, str(error)
        except WitnessLost:
            self._check_without_seal()
            raise

    def _check_without_seal(self) -> None:
        if self.signing is not None:
            self.signing.check_without_seal(self._ledger)

    def begin_anew(self) -> None:
        """Let the next comparison make it, whatever the ledger has."""
        self._may_begin = True

    def newest(self) -> int:
        """The number of the sealed record; 0 without a seal. Raises WitnessLost."""
        self._check_folder()
        seal = _read_own_seal(self._path)
        return seal.seq if seal is not None else 0

    def follow(self, noted: Noted) -> int:
        """Seal this record. Raises WitnessReplaced, WitnessLost."""
        self._check_folder()
        try:
            seal = _read_own_seal(self._path)
        except SealDamaged as error:
            raise WitnessReplaced(str(error)) from error
        if seal != self._last:
            how = "removed" if seal is None else "changed"
            raise WitnessReplaced(f"the seal {self._path} was {how} while the table ran")
        self._seal(noted, self._file.write)
        return noted.head.seq

    def close(self) -> None:
        """Do nothing: the file is never kept open."""

    def _check_folder(self) -> None:
        """Raise WitnessLost where the medium is not mounted."""
        try:
            there = self._path.parent.is_dir()
        except OSError as error:  # a medium that was pulled answers with an I/O error
            raise WitnessLost(f"the seal {self._path} cannot be read: {error.strerror}") from error
        if not there:
            raise WitnessLost(f"the folder of the seal {self._path} is not there")

    def _describe_lag(self, seal: Seal) -> str:
        with closing(connect_for_reading(self._ledger)) as ledger, convert_disk_errors("read"):
            lag = describe_lag(ledger, seal.seq)
        return f"the seal {self._path}: {lag}" if lag else ""

    def _check_signature(self, seal: Seal) -> None:
        if self.signing is not None:
            self.signing.check(seal)
        elif seal.is_signed:
            raise LedgerCorrupt(
                f"the seal is signed with the key {seal.key}, and the table has none now"
            )

    def _seal(self, noted: Noted, write: Callable[[Content], None]) -> None:
        def put(content: Content) -> None:
            write(content)
            self._last = msgspec.convert(content, Seal)

        if self.signing is None:
            seal = Seal(self._table, noted.head.seq, noted.head.hash, noted.wall)
            self._write(lambda: put(msgspec.to_builtins(seal)))
            return
        signing = self.signing
        self._write(lambda: signing.seal(noted, lambda head: put(asdict(head)), self._ledger))

    def _write(self, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError as error:
            raise WitnessLost(
                f"the seal {self._path} cannot be written: {error.strerror}"
            ) from error


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
