"""Checks an exported ledger from the file alone: signature, chain, postings, balances.

The file is not trusted. It is read a line at a time, and each problem names its line.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from jackpot.failures import LedgerCorrupt, Refused
from jackpot.ledger.export_lines import (
    END_BEGINS,
    FORMAT,
    LONGEST_LINE_BYTES,
    RECORD_BEGINS,
    SIGNATURE_BEGINS,
    VERSION,
    ExportEnd,
    ExportHeader,
    ExportSignature,
    RecordLine,
    Verifier,
    line_of,
    read_line,
    read_record,
)
from jackpot.ledger.journal import GENESIS, SNAPSHOT, Head, record_of, snapshot_balances
from jackpot.ledger.verification import MOST_PROBLEMS
from jackpot.money.accounts import Balances
from jackpot.named_files import open_regular
from jackpot.trust.heads_on_record import ExportedHeads, HeadsReport


class CheckedExport(Struct, frozen=True):
    """The content of the file as its records add up, and its problems."""

    header: ExportHeader
    records: int
    head: Head
    balances: Balances
    problems: tuple[str, ...]
    fingerprint: bytes
    """The SHA-256 of the whole file, as it was read here."""
    heads: HeadsReport | None = None
    """What the table's own key has signed, where that was asked."""

    @property
    def sound(self) -> bool:
        """Whether there is no problem."""
        return not self.problems


def check_export(file: Path, key: Verifier, table_key: Verifier | None = None) -> CheckedExport:
    """Check every line of the file, and its signature with this key.

    `table_key`: the table's own, for the signed heads among the records. Raises Refused,
    OSError, and sqlite3.Error if there is no room for a temporary file.
    """
    with open_regular(file) as opened, closing(_Identities()) as identities:
        first = opened.readline(LONGEST_LINE_BYTES)
        heads = ExportedHeads(table_key) if table_key is not None else None
        check = _Check(_header(first), identities, key, heads)
        check.take_header(first)
        for number, line in _lines(opened):
            check.take(number, line)
        return check.result()


def read_header(file: Path) -> ExportHeader:
    """What the first line of an export says, unchecked. Raises Refused, OSError."""
    with open_regular(file) as opened:
        return _header(opened.readline(LONGEST_LINE_BYTES))


def _header(line: bytes) -> ExportHeader:
    try:
        header = read_line(line, ExportHeader)
    except ValueError as error:
        raise Refused(f"line 1 is not the first of an export: {error}") from error
    if header.format != FORMAT:
        raise Refused(f"line 1: it is of the format {header.format}, not {FORMAT}")
    if header.version != VERSION:
        raise Refused(f"it is of version {header.version}; this program reads {VERSION}")
    return header


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 1
    while line := file.readline(LONGEST_LINE_BYTES):
        number += 1
        yield number, line


class _Identities:
    """The transactions' identities, in a temporary file when there are many."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("CREATE TABLE known (identity TEXT PRIMARY KEY) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def is_new(self, identity: str) -> bool:
        """Note an identity; returns whether it is new."""
        query = "INSERT OR IGNORE INTO known VALUES (?)"
        return self._database.execute(query, (identity,)).rowcount == 1

    def close(self) -> None:
        """Forget them all."""
        self._database.close()


class _Check:
    """One pass over the lines."""

    def __init__(
        self,
        header: ExportHeader,
        identities: _Identities,
        key: Verifier,
        heads: ExportedHeads | None,
    ) -> None:
        self._header = header
        self._identities = identities
        self._key = key
        self._heads = heads
        self._problems: list[str] = []
        self._digest = sha256()
        self._whole = sha256()
        self._records = 0
        self._seq = header.first - 1
        self._previous = header.previous
        self._balances = Balances()
        self._ended = False
        self._signed = False
        self._after_signature = False

    def take_header(self, line: bytes) -> None:
        """Take the header: begin with the balances before the first record."""
        self._digest.update(line)
        self._whole.update(line)
        try:
            self._balances = Balances.from_dict(self._header.balances)
            bytes.fromhex(self._header.previous)
        except ValueError as error:
            self._add(1, str(error))
            self._previous = GENESIS.hex()
        beginning = self._header.previous == GENESIS.hex() and self._balances == Balances()
        if self._header.first == 1 and not beginning:
            self._add(1, "before record 1 there is no other, and no money")

    def take(self, number: int, line: bytes) -> None:
        """Take the next line."""
        self._whole.update(line)
        if self._signed:
            self._go_on_after_signature(number)
        elif line.startswith(SIGNATURE_BEGINS):
            self._take_signature(number, line)
        else:
            self._digest.update(line)
            self._take_content(number, line)

    def result(self) -> CheckedExport:
        """The result, at the end of the file."""
        if not self._ended:
            self._problems.append("the file has no line that ends the records: it was cut off")
        if not self._signed:
            self._problems.append("the file has no signature: it was cut off, or never whole")
        head = Head(self._seq, self._previous)
        heads = self._heads.report(self._seq) if self._heads is not None else None
        problems = tuple([*self._problems, *(heads.problems if heads else ())][:MOST_PROBLEMS])
        whole = self._whole.digest()
        return CheckedExport(
            self._header, self._records, head, self._balances, problems, whole, heads
        )

    def _take_content(self, number: int, line: bytes) -> None:
        try:
            if line.startswith(END_BEGINS):
                self._take_end(number, read_line(line, ExportEnd))
            elif line.startswith(RECORD_BEGINS):
                self._take_record(number, read_record(line))
            else:
                self._add(number, "it is no line of an export")
        except ValueError as error:
            self._add(number, str(error))

    def _take_record(self, number: int, line: RecordLine) -> None:
        if self._ended:
            self._add(number, "a record after the line that ends the records")
        seq = self._seq + 1
        if line.row.seq != seq:
            self._add(number, f"record {seq} is missing (this one is {line.row.seq})")
        elif sha256(bytes.fromhex(self._previous) + line.text).hexdigest() != line.hash:
            changed = f"record {seq} was changed, or the one before it: its hash does not fit"
            self._add(number, changed)
        self._records += 1
        # Continue after the damage, so that each bad record is named by itself.
        self._seq = line.row.seq
        self._follow(number, line)
        self._previous = line.hash

    def _follow(self, number: int, line: RecordLine) -> None:
        previous, digest = bytes.fromhex(self._previous), bytes.fromhex(line.hash)
        try:
            record = record_of(line.row, line.movements, previous, digest)
            if self._heads is not None:
                self._heads.take(record)
            for transaction in record.transactions:
                self._balances = self._balances.after(transaction)
                if not self._identities.is_new(transaction.identity):
                    self._add(number, f"{transaction.identity} moves money a second time")
            if record.kind == SNAPSHOT and snapshot_balances(record) != self._balances:
                self._add(number, "the snapshot's balances are not the postings' sum")
        except (LedgerCorrupt, ValueError, RecursionError) as error:
            self._add(number, f"record {line.row.seq}: {error}")

    def _take_end(self, number: int, end: ExportEnd) -> None:
        if self._ended:
            self._add(number, "a second line that ends the records")
        self._ended = True
        if self._seq != self._header.last:
            self._add(number, f"the last record is {self._seq}, not {self._header.last} as told")
        stated = (end.records, end.seq, end.hash)
        if stated != (self._records, self._seq, self._previous):
            self._add(number, "number and hash of the last record are not those that are here")
        if end.balances != self._balances.to_dict():
            self._add(number, f"it says {end.balances}, the postings say {self._balances}")

    def _take_signature(self, number: int, line: bytes) -> None:
        self._signed = True
        try:
            end = read_line(line, ExportSignature)
            signature = bytes.fromhex(end.signature)
        except ValueError as error:
            self._add(number, f"the signature cannot be read: {error}")
            return
        if line_of(end) != line or signature.hex() != end.signature:
            self._add(number, "the signature is not written as an export's is")
        if end.key != self._key.fingerprint:
            self._add(number, f"signed with the key {end.key}, not {self._key.fingerprint}")
        if end.sha256 != self._digest.hexdigest():
            self._add(number, "what is before the signature is not what was signed")
        if not self._key.accepts(signature, self._digest.digest()):
            self._add(number, "the signature is not that of this key over this file")

    def _go_on_after_signature(self, number: int) -> None:
        if not self._after_signature:
            self._add(number, "the file goes on after its signature")
        self._after_signature = True

    def _add(self, number: int, problem: str) -> None:
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(f"line {number}: {problem}")
