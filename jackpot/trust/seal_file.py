"""A table's seal file: compared with the ledger at a start, and written after its commits."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec.structs import asdict

from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.journal import Head
from jackpot.ledger.schema import connect_for_reading, convert_disk_errors
from jackpot.ledger.two_slots import Content, TwoSlots
from jackpot.trust.counterpart import (
    Compared,
    CounterpartLost,
    CounterpartReplaced,
    Noted,
    describe_lag,
)
from jackpot.trust.seal import Seal, hold_against, newest_noted, read_own_seal, set_aside
from jackpot.trust.seal_signing import SealSigning


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
        signing: SealSigning | None = None,
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
        kept beside it. Raises LedgerCorrupt, CounterpartReplaced, CounterpartLost.
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
            raise CounterpartLost(f"the seal {self._path} cannot be compared: {error}") from error
        anew = newest.head.seq > 0 or self._path.exists()
        if anew and not may_begin:
            raise CounterpartReplaced(why)
        if self._path.exists():
            self._write(lambda: set_aside(self._path))
        self._seal(newest, self._file.make)
        return Compared(newest.head.seq, anew=anew)

    def _read(self) -> tuple[Seal | None, str]:
        """The seal, or why there is none.

        Raises LedgerCorrupt, LedgerUnavailable, CounterpartLost.
        """
        try:
            self._check_folder()
            return read_own_seal(self._path), f"there is no seal {self._path}"
        except CounterpartReplaced as error:
            return None, str(error)
        except CounterpartLost:
            self._check_without_seal()
            raise

    def _check_without_seal(self) -> None:
        if self.signing is not None:
            self.signing.check_without_seal(self._ledger)

    def begin_anew(self) -> None:
        """Let the next comparison make it, whatever the ledger has."""
        self._may_begin = True

    def newest(self) -> int:
        """The number of the sealed record; 0 without a seal. Raises CounterpartLost."""
        self._check_folder()
        seal = read_own_seal(self._path)
        return seal.seq if seal is not None else 0

    def follow(self, noted: Noted) -> int:
        """Seal this record. Raises CounterpartReplaced, CounterpartLost."""
        self._check_folder()
        seal = read_own_seal(self._path)
        if seal != self._last:
            how = "removed" if seal is None else "changed"
            raise CounterpartReplaced(f"the seal {self._path} was {how} while the table ran")
        self._seal(noted, self._file.write)
        return noted.head.seq

    def close(self) -> None:
        """Do nothing: the file is never kept open."""

    def _check_folder(self) -> None:
        """Raise CounterpartLost where the medium is not mounted."""
        try:
            there = self._path.parent.is_dir()
        except OSError as error:  # a medium that was pulled answers with an I/O error
            raise CounterpartLost(
                f"the seal {self._path} cannot be read: {error.strerror}"
            ) from error
        if not there:
            raise CounterpartLost(f"the folder of the seal {self._path} is not there")

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
            raise CounterpartLost(
                f"the seal {self._path} cannot be written: {error.strerror}"
            ) from error
