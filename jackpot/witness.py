"""What the ledger is held against: its second copy, its seal (docs/dev/decisions/0007).

A witness is written behind the commits, never before one has returned, and read at a start. It is
used by one thread at a time.
"""

from dataclasses import dataclass
from typing import Protocol

from jackpot.journal import Head


class WitnessLost(Exception):
    """A witness cannot be read or written; the text says why. The table goes on without it."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A record that has been committed; `wall` is its label for people."""

    head: Head
    wall: str


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison found that agrees: `at`, the record up to which the witness goes.

    `anew`: it was made just now, so it could say nothing of what was before.
    """

    at: int
    anew: bool = False


class Witness(Protocol):
    """Something outside the ledger that knows what the ledger once contained."""

    @property
    def name(self) -> str:
        """Its kind: `copy` or `seal`."""

    def compare(self) -> Compared:
        """Hold the ledger against it; it is made if there is none.

        Raises LedgerCorrupt where the ledger was set back or changed, WitnessLost.
        """

    def newest(self) -> int:
        """The newest record of the table that it has seen; 0: none. Nothing is written.

        Raises WitnessLost.
        """

    def follow(self, noted: Noted) -> int:
        """Write it on towards this record; the record it has come to, perhaps not all the way.

        Raises LedgerCorrupt where the ledger's records do not fit on, WitnessLost.
        """

    def close(self) -> None:
        """Close its files; everything written is already synced. Raises WitnessLost."""
