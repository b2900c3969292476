"""The lines of an exported ledger: JSON, one object a line (docs/how-to/audit.md, decision 0003).

First a header, then the records, each with the exact text of its hash, then a line that ends them,
and last a signature over the SHA-256 of all bytes before it.
"""

import re
from typing import Final, NamedTuple, Protocol, TypeVar

import msgspec

from jackpot.ledger.journal import JournalRow, Movement, text_to_hash
from jackpot.ledger.reading import Stored

FORMAT: Final = "banco-ledger-export"
VERSION: Final = 1

LONGEST_LINE_BYTES: Final = 1_000_000
"""The longest line; records have some hundred bytes, snapshots some thousand."""

RECORD_BEGINS: Final = b'{"hash":'
END_BEGINS: Final = b'{"records":'
SIGNATURE_BEGINS: Final = b'{"signature":'

_RECORD = re.compile(rb'\{"hash":"([0-9a-f]{64})","hashed":(.+)\}\n')


class ExportHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: which records of which table, and what comes before them.

    `previous` is the hash to which the first record is chained; `balances` are those before it, in
    units; `written` is a wall-clock label.
    """

    format: str
    version: int
    table: str
    written: str
    first: int
    last: int
    previous: str
    balances: dict[str, int]


class ExportEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line after the records: their number, the last one, the balances after it."""

    records: int
    seq: int
    hash: str
    balances: dict[str, int]


class ExportSignature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the signature over `sha256` of all bytes before; in hexadecimal.

    `key` is the public key's fingerprint.
    """

    signature: str
    key: str
    sha256: str


class RecordLine(NamedTuple):
    """A record's line, not trusted yet: its hash, the hashed text, and the content."""

    hash: str
    text: bytes
    row: JournalRow
    movements: tuple[Movement, ...]


class Signer(Protocol):
    """The private key that signs an export."""

    @property
    def fingerprint(self) -> str:
        """The public key's fingerprint."""

    def sign(self, signed: bytes) -> bytes:
        """The signature over these bytes."""


class Verifier(Protocol):
    """The public key that checks a signature."""

    @property
    def fingerprint(self) -> str:
        """The key's fingerprint."""

    def accepts(self, signature: bytes, signed: bytes) -> bool:
        """Whether its private key made the signature over these bytes."""


_UNDECODABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

Line = TypeVar("Line", ExportHeader, ExportEnd, ExportSignature)

_encode = msgspec.json.Encoder().encode
_hashed = msgspec.json.Decoder(tuple[JournalRow, tuple[Movement, ...]])


def line_of(content: ExportHeader | ExportEnd | ExportSignature) -> bytes:
    """The line of this content."""
    return _encode(content) + b"\n"


def record_line(stored: Stored) -> bytes:
    """A stored record's line."""
    text = text_to_hash(stored.row, stored.money)
    return b'{"hash":"%s","hashed":%s}\n' % (stored.hash.hex().encode(), text)


def read_line(line: bytes, kind: type[Line]) -> Line:
    """The content of a line. Raises ValueError."""
    try:
        return msgspec.json.decode(line, type=kind)
    except _UNDECODABLE as error:
        raise ValueError(str(error)) from error


def read_record(line: bytes) -> RecordLine:
    """The record in a line. Raises ValueError."""
    found = _RECORD.fullmatch(line)
    if found is None:
        raise ValueError("it is not a hash and what it is made of, or it was cut off")
    try:
        row, movements = _hashed.decode(found[2])
    except _UNDECODABLE as error:
        raise ValueError(str(error)) from error
    return RecordLine(found[1].decode(), found[2], row, movements)
