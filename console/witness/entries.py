"""What the witness outside has of a table, and what it answers (console/witness/schema)."""

from collections.abc import Mapping
from enum import Enum
from typing import Protocol

from msgspec import Struct

from jackpot.trust.signed_head import SignedHead


class EntryKind(Enum):
    """Who says what an entry has."""

    HEAD = "head"
    """The table: it signed this record."""
    ADMISSION = "admission"
    """The house: from this record on, the heads of this key."""


class WitnessEntry(Struct, frozen=True):
    """An entry of a table; they are numbered without a gap."""

    table_name: str
    number: int
    kind: EntryKind
    seq: int
    hash: str
    counter: int
    key: str
    wall: str
    signature: str | None = None
    reason: str | None = None

    def head(self) -> SignedHead | None:
        """What the table signed; None of an admission."""
        if self.signature is None:
            return None
        return SignedHead(
            table=self.table_name,
            seq=self.seq,
            hash=self.hash,
            wall=self.wall,
            counter=self.counter,
            key=self.key,
            signature=self.signature,
        )


class RefusalCode(Enum):
    """Why the witness did not take a head; or what the table found out itself."""

    OLDER_RECORD = "OLDER_RECORD"
    OTHER_RECORD = "OTHER_RECORD"
    OLDER_COUNTER = "OLDER_COUNTER"
    WRONG_KEY = "WRONG_KEY"
    WRONG_TABLE = "WRONG_TABLE"
    NOT_ADMITTED = "NOT_ADMITTED"
    NOT_NEWEST = "NOT_NEWEST"
    TOO_FAR = "TOO_FAR"
    TOO_OFTEN = "TOO_OFTEN"
    PARTED = "PARTED"


SET_BACK: Mapping[RefusalCode, str] = {
    RefusalCode.OLDER_RECORD: "the witness outside has seen a later record than {seq}",
    RefusalCode.OTHER_RECORD: "the witness outside has seen another record {seq}",
    RefusalCode.OLDER_COUNTER: "the witness outside has seen a later counter than {counter}",
    RefusalCode.WRONG_KEY: "the witness outside knows another key of this table than {key}",
}
"""The refusals which show that the table was set back, or is another one."""


class Appended(Struct, frozen=True):
    """The answer to a head: the number of the table's newest entry, and why it is not this head."""

    number: int | None
    refused: RefusalCode | None = None


class HeadCalls(Protocol):
    """The witness as one table calls it. All may raise CounterpartLost."""

    def read_newest(self) -> WitnessEntry | None:
        """The table's newest entry; None for a table that was not admitted."""

    def append(self, head: SignedHead, after: int) -> Appended:
        """Append a head after the entry of this number; after CounterpartLost it may be there."""

    def report_parting(self, head: SignedHead) -> None:
        """Tell the house that the ledger with this head is not the one that it knows."""

    def close(self) -> None:
        """Close the connection; the next call makes another."""
