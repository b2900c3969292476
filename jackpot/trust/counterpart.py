"""Counterparts of the ledger: its second copy, its seal, and one outside (decisions 0003, 0013).

A counterpart is written after each commit has returned, and read at a start. It is used by one
thread at a time.
"""

import sqlite3
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from jackpot.failures import Unavailable
from jackpot.ledger.journal import Head

LAG_MS = 60_000
"""The longest that a counterpart may be behind unreported. It is at most a second behind, a power
cut costs it seconds, and one that was lost for longer has been reported."""

_AFTER = "SELECT boot, at_ms FROM journal WHERE seq > ? ORDER BY seq"


class CounterpartLost(Unavailable):
    """A counterpart cannot be read or written; the text says why. The table works without it."""


class CounterpartReplaced(CounterpartLost):
    """It is not the one that followed the ledger: missing, damaged, or changed by somebody else.

    It is not made anew before that is on record.
    """


class Noted(Struct, frozen=True):
    """A committed record; `wall` is its label for people.

    `closes_night`: the night ends with it or shortly before. `asked`: somebody asks for a signed
    head of it, or of a later one.
    """

    head: Head
    wall: str
    closes_night: bool = False
    asked: bool = False

    def stands_for(self, earlier: "Noted") -> "Noted":
        """The same, noted in place of an earlier one too, which nobody has written yet."""
        return replace(
            self,
            closes_night=self.closes_night or earlier.closes_night,
            asked=self.asked or earlier.asked,
        )


class Compared(Struct, frozen=True):
    """A comparison that agrees: `at` is the counterpart's newest record.

    `anew`: it was just made, so it knows nothing older. `older`: why it has fewer records than it
    once had; "" if it has not.
    """

    at: int
    anew: bool = False
    older: str = ""


class Counterpart(Protocol):
    """Something outside the ledger that knows what the ledger once contained."""

    @property
    def name(self) -> str:
        """Its kind: `copy`, `seal`, or `witness` for the one outside."""

    def compare(self) -> Compared:
        """Compare the ledger with it, which shows an older copy; for a new ledger it is made.

        Raises LedgerCorrupt if the ledger was set back or changed; CounterpartReplaced;
        CounterpartLost.
        """

    def begin_anew(self) -> None:
        """Let the next comparison make it anew, whatever the ledger holds: why is on record."""

    def newest(self) -> int:
        """The number of the newest record of the table that it knows; 0: none. Nothing is written.

        Raises CounterpartLost.
        """

    def follow(self, noted: Noted) -> int:
        """Bring it up to this record, or as near as it gets.

        Returns the number of its newest record, perhaps an earlier one. Raises LedgerCorrupt if the
        ledger's records do not fit, CounterpartReplaced, CounterpartLost.
        """

    def close(self) -> None:
        """Close its files; everything written is synced already. Raises CounterpartLost."""


def describe_lag(ledger: sqlite3.Connection, at: int) -> str:
    """Why a counterpart whose newest record is `at` is older than it may be; "" if it is not.

    Counts the time between the records after it, boot by boot. Raises sqlite3.Error.
    """
    elapsed_ms, boot, first, last = 0, -1, 0, 0
    for record_boot, at_ms in ledger.execute(_AFTER, (at,)):
        if record_boot != boot:
            elapsed_ms, boot, first = elapsed_ms + last - first, record_boot, at_ms
        last = at_ms
        if elapsed_ms + last - first > LAG_MS:
            return (
                f"it ends at record {at}, and the table has run for more than {LAG_MS // 1000} s "
                "since: it is older than it was"
            )
    return ""
