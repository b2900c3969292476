"""The acts a table knows: what its devices report, what people declare, and time passing.

Every act becomes one record of the journal (docs/rules.md, section 11) under its kind.
"""

from dataclasses import dataclass

from console.rules.codes import Duty, Fault
from console.rules.correction import Corrected
from console.rules.drive import Drive
from console.rules.settings import Settings
from devices.card_reports import (
    CardBurnt,
    CardDrawn,
    CutCardOut,
    ReportsMissed,
    ResultReported,
    ShoeLoaded,
    ShoeSeen,
    ShoeTrouble,
    ShufflerSeen,
)
from devices.roles import (
    ButtonPressed,
    FloodBegan,
    FloodOver,
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
    """A ledger that had failed is open again: what the locked table has seen meanwhile.

    `changed`: seats that changed a card, `unfree`: those of them where it still lies; `freed`:
    seats whose sensor has been seen free, `occupied`: those where it was seen covered last.
    `unproved`: seats where a token may have gone in before the power was cut. `since`, a wall-clock
    label, and `why` the table was locked: at that time nothing could be written.
    """

    key: KeyPosition | None
    inspector: bool
    faults: tuple[Fault, ...]
    changed: frozenset[int] = frozenset()
    unfree: frozenset[int] = frozenset()
    freed: frozenset[int] = frozenset()
    since: str = ""
    why: str = ""
    occupied: frozenset[int] = frozenset()
    unproved: frozenset[int] = frozenset()


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
    mended: bool = False


@dataclass(frozen=True, slots=True)
class DeckReplaced:
    """The next deck may have the same back as the last."""

    who: str


@dataclass(frozen=True, slots=True)
class CoupVoid:
    """The coup is void."""

    who: str


@dataclass(frozen=True, slots=True)
class CoupWithoutStakes:
    """The coup is dealt with cards already seen, and nobody stakes on it."""

    who: str


@dataclass(frozen=True, slots=True)
class CardAnnulled:
    """The card drawn last left the shoe by error and was seen: it belongs to no hand."""

    who: str


@dataclass(frozen=True, slots=True)
class ShoeReplaced:
    """The shoe is taken away with what is in it, and the coup in play is void."""

    who: str


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody has given a name and its PIN on the local line, for the duties named."""

    who: str
    duties: tuple[Duty, ...]


@dataclass(frozen=True, slots=True)
class EntryRefused:
    """A name was given with a wrong PIN, `wrong` times since it was last right.

    `wait_s`: for so long no PIN is read for this name.
    """

    who: str
    wrong: int
    wait_s: int


@dataclass(frozen=True, slots=True)
class Left:
    """Who had entered has left; `why`: said so, time was up, the line was cut."""

    who: str
    why: str


@dataclass(frozen=True, slots=True)
class OutputsDriven:
    """The technician drives outputs by hand, in SERVICE; None: they are let go."""

    who: str
    drive: Drive | None


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """A setting was written for the next start of the service, which adopts it."""

    who: str
    key: str
    value: str
    before: str


@dataclass(frozen=True, slots=True)
class PartTested:
    """One part's result in a test of the cabinet; `passed` is None if it was not tested."""

    part: str
    passed: bool | None
    found: str


@dataclass(frozen=True, slots=True)
class SelfTested:
    """The technician has tested the cabinet, part by part."""

    who: str
    parts: tuple[PartTested, ...]


LineAct = Entered | EntryRefused | Left | OutputsDriven | SettingChanged | SelfTested
"""What is done on the local line beside declaring and clearing."""

DeckDeclaration = DeckReplaced | CoupVoid | CoupWithoutStakes | CardAnnulled | ShoeReplaced
Declaration = HandVoid | RoundVoid | LastHands | TrayCounted | DeckDeclaration
CardReport = (
    ShufflerSeen
    | ShoeSeen
    | ShoeLoaded
    | CardDrawn
    | CardBurnt
    | CutCardOut
    | ResultReported
    | ShoeTrouble
    | ReportsMissed
)
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
    | FloodBegan
    | FloodOver
    | CardReport
    | Declaration
    | Cleared
    | Corrected
    | LineAct
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
    FloodBegan: "flood",
    FloodOver: "flood-over",
    HandVoid: "hand-void",
    RoundVoid: "round-void",
    LastHands: "last-hands",
    TrayCounted: "tray-counted",
    Cleared: "cleared",
    ShufflerSeen: "shuffler",
    ShoeSeen: "shoe",
    ShoeLoaded: "shoe-loaded",
    CardDrawn: "card",
    CardBurnt: "card-burnt",
    CutCardOut: "cut-card",
    ResultReported: "result",
    ShoeTrouble: "shoe-trouble",
    ReportsMissed: "reports-missed",
    DeckReplaced: "deck-replaced",
    CoupVoid: "coup-void",
    CoupWithoutStakes: "coup-without-stakes",
    CardAnnulled: "card-annulled",
    ShoeReplaced: "shoe-replaced",
    Corrected: "corrected",
    Entered: "entered",
    EntryRefused: "entry-refused",
    Left: "left",
    OutputsDriven: "driven",
    SettingChanged: "setting-changed",
    SelfTested: "self-tested",
}
"""The kind under which each act stands in the journal; never reused for another meaning."""
