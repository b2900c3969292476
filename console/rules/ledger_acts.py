"""Acts about the ledger itself: it is begun, its heads are signed (decision 0013)."""

from msgspec import Struct


class Begun(Struct, frozen=True):
    """Two people have begun the table's ledger: the first record of a real table."""

    who: str
    second: str


class CounterpartChanged(Struct, frozen=True):
    """The ledger's second copy or seal (`copy`, `seal`) is not the one it was, or is lost."""

    counterpart: str
    why: str


class HeadSigned(Struct, frozen=True):
    """The table's key has signed an earlier record: a signed head (decision 0013), for the record.

    `hash`, `key` and `signature` are hexadecimal; `wall` is that record's label for people.
    """

    table: str
    seq: int
    hash: str
    wall: str
    counter: int
    key: str
    signature: str
    store: str
    """Where the key is: `tpm` or `file`."""
    accepted: int = 0
    """The record of the seal without a signature that was accepted, once: the key is new."""


class HeadAsked(Struct, frozen=True):
    """Somebody asked for a signed head, to export the records."""


class WallClockSet(Struct, frozen=True):
    """The machine's clock was set by more than 2 s, or is behind the records at a start.

    `expected`: the label it would have had.
    """

    by_ms: int
    expected: str


LedgerAct = Begun | CounterpartChanged | HeadSigned | HeadAsked | WallClockSet
