"""The acts a table knows: what its devices report, what people declare, and time passing.

Every act becomes one record of the journal (TABLE.md, section 11) under its kind.
"""

from dataclasses import dataclass

from console.codes import Fault
from console.settings import Settings
from devices.roles import (
    ButtonPressed,
    InspectorSeen,
    KeyFound,
    KeyMoved,
    KeyPosition,
    KeyUnreadable,
    LinkLost,
    LinkUp,
    RailSeen,
)


@dataclass(frozen=True, slots=True)
class Started:
    """The service has started: what only an unbroken run can know is forgotten."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """Other settings are in force from now on; the first ones open the jackpot."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class Reopened:
    """A ledger that had failed is open again: what the locked table has seen meanwhile."""

    key: KeyPosition | None
    inspector: bool
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Elapsed:
    """A deadline of the round has passed."""


@dataclass(frozen=True, slots=True)
class HandVoid:
    """The floor manager voids the hand of one seat; `returned`: its token goes back."""

    seat: int
    returned: bool
    who: str


@dataclass(frozen=True, slots=True)
class RoundVoid:
    """All hands are void, the cards are dealt again; the tokens stay."""

    who: str


@dataclass(frozen=True, slots=True)
class LastHands:
    """The last hands of the night are announced ("ultime tre mani")."""

    hands: int
    who: str


@dataclass(frozen=True, slots=True)
class TrayCounted:
    """The tokens in the tray, counted by hand at closing."""

    tokens: int
    who: str


@dataclass(frozen=True, slots=True)
class Cleared:
    """A technician declares a latched fault mended; `mended`: a ledger has stood the test."""

    fault: Fault
    who: str
    mended: bool = True


Declaration = HandVoid | RoundVoid | LastHands | TrayCounted
Act = (
    Started
    | Adopted
    | Reopened
    | Elapsed
    | ButtonPressed
    | KeyMoved
    | KeyFound
    | KeyUnreadable
    | InspectorSeen
    | RailSeen
    | LinkLost
    | LinkUp
    | Declaration
    | Cleared
)

KINDS: dict[type[Act], str] = {
    Started: "started",
    Adopted: "settings",
    Reopened: "reopened",
    Elapsed: "time",
    ButtonPressed: "button",
    KeyMoved: "key",
    KeyFound: "key-found",
    KeyUnreadable: "key-unreadable",
    InspectorSeen: "inspector",
    RailSeen: "rail",
    LinkLost: "link-lost",
    LinkUp: "link-up",
    HandVoid: "hand-void",
    RoundVoid: "round-void",
    LastHands: "last-hands",
    TrayCounted: "tray-counted",
    Cleared: "cleared",
}
"""The kind under which each act stands in the journal; never reused for another meaning."""
