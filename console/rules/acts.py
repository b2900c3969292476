"""The acts of a table: reports of its devices, declarations of people, and time passing.

Every act becomes one record of the journal, under its kind (docs/reference/rules.md, section 11).
"""

from enum import Enum
from typing import ClassVar, get_args

from msgspec import UNSET, Struct, UnsetType

from console.rules.board_marks import BoardEnrolled, BoardsExpected
from console.rules.codes import Duty, Fault
from console.rules.correction import Corrected
from console.rules.drive import Drive
from console.rules.link_state import (
    CentreAct,
    LinkAnswered,
    LinkBarred,
    LinkRejoined,
    LinkShown,
    LinkWelcomed,
    RecallBegan,
    RecallEnded,
)
from console.rules.poker_acts import ClockShown, DropCounted, PokerDeclaration
from console.rules.release_marks import ProgramChanged, ReleaseFound
from console.rules.settings import SettingChanged, Settings, SettingsFound
from devices.boards import BoardFound, BoardImage
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
from devices.door_reports import DoorsSeen
from devices.panel_reports import ContactSteady, ContactUnsteady
from devices.roles import (
    ButtonPressed,
    DeviceLost,
    DeviceUp,
    FloodBegan,
    FloodOver,
    InspectorSeen,
    KeyFound,
    KeyMoved,
    KeyPosition,
    KeyUnreadable,
    RailSeen,
    SensorSteady,
)


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


class PeopleChange(Enum):
    """What was changed."""

    ENROLLED = "enrolled"
    NEW_PIN = "new-pin"
    OWN_PIN = "own-pin"
    REMOVED = "removed"
    ERASED = "erased"
    """The name of somebody who is not enrolled any more; the number stays."""
    BY_HAND = "by-hand"
    """The file is another one, and no command of banco has written it."""


class PeopleChanged(Struct, frozen=True):
    """Somebody was enrolled or removed, or has another PIN.

    `by`: who confirmed it, or the user of the machine who did it, such as `uid 1000`. `whom`: the
    person's number. `number`: of the change; each is higher than the one before. `sha256`: of the
    list afterwards.
    """

    change: PeopleChange
    by: str
    whom: str
    duties: tuple[Duty, ...]
    number: int
    sha256: str


class PinTooOld(Struct, frozen=True):
    """Somebody gave a right PIN that is too old, and was not let in; `uid`: as in `Entered`."""

    who: str
    uid: int | None = None


class PartTested(Struct, frozen=True):
    """One part's result in a test of the cabinet; `passed` is None if it was not tested."""

    part: str
    passed: bool | None
    found: str


class SelfTested(Struct, frozen=True):
    """The technician has tested the cabinet, part by part."""

    who: str
    parts: tuple[PartTested, ...]


class Started(Struct, frozen=True):
    """The service has started: everything that only an unbroken run can know is forgotten."""

    configuration: str | UnsetType = UNSET
    """The SHA-256 of the configuration that it runs (docs/reference/configuration.md)."""
    release: ReleaseFound | UnsetType = UNSET
    """Unset where the program is no release, and in a simulation."""
    acknowledge: bool | UnsetType = UNSET
    """Whether two people must acknowledge another configuration before play."""


class Adopted(Struct, frozen=True):
    """Other settings are in force from now on; the first settings open the jackpot."""

    settings: Settings
    keeps_tokens: bool | UnsetType = UNSET
    """Whether the next count of the tray expects as many tokens as before, though their value
    changes. Earlier versions did not say so: they expected the money in tokens of the new value."""


class Reopened(Struct, frozen=True):
    """A failed ledger is open again; what the locked table has seen meanwhile."""

    key: KeyPosition | None
    inspector: bool
    faults: tuple[Fault, ...]
    changed: frozenset[int] = frozenset()
    """Seats that changed a card."""
    unfree: frozenset[int] = frozenset()
    """Of those, seats where the card is still there."""
    freed: frozenset[int] = frozenset()
    """Seats whose sensor was seen free."""
    since: str = ""
    """When the table was locked, a wall-clock label; nothing could be written then."""
    why: str = ""
    """Why the table was locked."""
    occupied: frozenset[int] = frozenset()
    """Seats whose sensor was last seen covered."""
    unproved: frozenset[int] = frozenset()
    """Seats that may have taken a token before a power cut."""


class Elapsed(Struct, frozen=True):
    """A deadline of the round has passed."""


class HandVoid(Struct, frozen=True):
    """The floor manager voids the hand of one seat; `returned`: its token goes back."""

    kind: ClassVar[str] = "hand-void"
    seat: int
    returned: bool
    who: str


class RoundVoid(Struct, frozen=True):
    """All hands are void, the cards are dealt again; the tokens stay."""

    kind: ClassVar[str] = "round-void"
    who: str


class LastHands(Struct, frozen=True):
    """The last hands of the night are announced ("ultime tre mani")."""

    kind: ClassVar[str] = "last-hands"
    hands: int
    who: str


class TrayCounted(Struct, frozen=True):
    """The tokens in the tray, counted by hand at closing."""

    kind: ClassVar[str] = "tray-counted"
    tokens: int
    who: str


class Cleared(Struct, frozen=True):
    """A technician declares a latched fault repaired.

    `mended`: a ledger was tested successfully. `second`: the other person, of `CLEARED_BY_TWO`.
    """

    fault: Fault
    who: str
    mended: bool = False
    second: str | UnsetType = UNSET


class DeckReplaced(Struct, frozen=True):
    """The next deck may have the same back as the last."""

    kind: ClassVar[str] = "deck-replaced"
    who: str


class CoupVoid(Struct, frozen=True):
    """The coup is void."""

    kind: ClassVar[str] = "coup-void"
    who: str


class CoupWithoutStakes(Struct, frozen=True):
    """The coup is dealt with cards already seen, and nobody has a stake in it."""

    kind: ClassVar[str] = "coup-without-stakes"
    who: str


class CardAnnulled(Struct, frozen=True):
    """The card drawn last left the shoe by error and was seen; it belongs to no hand."""

    kind: ClassVar[str] = "card-annulled"
    who: str


class ShoeReplaced(Struct, frozen=True):
    """The shoe is taken away with its cards; a coup in play is void."""

    kind: ClassVar[str] = "shoe-replaced"
    who: str


class AwardVerified(Struct, frozen=True):
    """Somebody has seen the winning hand of this seat, while its award is pending."""

    kind: ClassVar[str] = "award-verified"
    seat: int
    who: str


class DoorOpened(Struct, frozen=True):
    """Somebody says why the cabinet was opened; its doors are shut again."""

    kind: ClassVar[str] = "opened"
    reason: str
    who: str


class Entered(Struct, frozen=True):
    """Somebody has logged in by name and PIN, for these duties; `uid`: the process's user."""

    who: str
    duties: tuple[Duty, ...]
    uid: int | None = None


ENTRY_FORGOTTEN_S = 4 * 60 * 60
"""Wrong PINs are forgotten this long after their delay, too slowly to get in by guessing."""


class EntryRefused(Struct, frozen=True):
    """Somebody gave a name with a wrong PIN, for the `wrong`-th time in a row.

    `wait_s`: for so long no PIN is accepted for this name. `uid`: as in `Entered`.
    """

    who: str
    wrong: int
    wait_s: int
    uid: int | None = None


class Left(Struct, frozen=True):
    """Somebody has logged out; `why`: on request, the time was up, the line was cut."""

    who: str
    why: str


class OutputsDriven(Struct, frozen=True):
    """The technician drives outputs by hand, in SERVICE; None: releases them."""

    who: str
    drive: Drive | None


LineAct = (
    Entered
    | EntryRefused
    | Left
    | OutputsDriven
    | SettingChanged
    | SettingsFound
    | SelfTested
    | PeopleChanged
    | PinTooOld
)
"""Acts on the local line besides declaring and clearing."""

DeckDeclaration = DeckReplaced | CoupVoid | CoupWithoutStakes | CardAnnulled | ShoeReplaced
RoundDeclaration = HandVoid | RoundVoid | AwardVerified
Declaration = (
    RoundDeclaration | LastHands | TrayCounted | DeckDeclaration | PokerDeclaration | DoorOpened
)
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
    LedgerAct
    | Started
    | ProgramChanged
    | Adopted
    | Reopened
    | Elapsed
    | ButtonPressed
    | KeyMoved
    | KeyFound
    | KeyUnreadable
    | InspectorSeen
    | RailSeen
    | BoardsExpected
    | BoardFound
    | BoardImage
    | BoardEnrolled
    | DeviceLost
    | DeviceUp
    | FloodBegan
    | FloodOver
    | SensorSteady
    | ContactUnsteady
    | ContactSteady
    | DoorsSeen
    | CardReport
    | Declaration
    | Cleared
    | Corrected
    | LineAct
    | CentreAct
    | ClockShown
)

KINDS: dict[type[Act], str] = {
    Begun: "begun",
    Started: "started",
    ProgramChanged: "program-changed",
    HeadSigned: "head-signed",
    HeadAsked: "head-asked",
    WallClockSet: "wall-clock-set",
    Adopted: "settings",
    Reopened: "reopened",
    Elapsed: "time",
    ButtonPressed: "button",
    KeyMoved: "key",
    KeyFound: "key-found",
    KeyUnreadable: "key-unreadable",
    InspectorSeen: "inspector",
    RailSeen: "rail",
    BoardsExpected: "boards-expected",
    BoardFound: "board",
    BoardImage: "board-image",
    BoardEnrolled: "board-enrolled",
    DeviceLost: "device-lost",
    DeviceUp: "device-up",
    FloodBegan: "flood",
    FloodOver: "flood-over",
    SensorSteady: "sensor-steady",
    ContactUnsteady: "contact-unsteady",
    ContactSteady: "contact-steady",
    DoorsSeen: "doors",
    Cleared: "cleared",
    CounterpartChanged: "counterpart-changed",
    ShufflerSeen: "shuffler",
    ShoeSeen: "shoe",
    ShoeLoaded: "shoe-loaded",
    CardDrawn: "card",
    CardBurnt: "card-burnt",
    CutCardOut: "cut-card",
    ResultReported: "result",
    ShoeTrouble: "shoe-trouble",
    ReportsMissed: "reports-missed",
    Corrected: "corrected",
    Entered: "entered",
    EntryRefused: "entry-refused",
    Left: "left",
    OutputsDriven: "driven",
    SettingChanged: "setting-changed",
    SettingsFound: "settings-found",
    SelfTested: "self-tested",
    PeopleChanged: "people-changed",
    PinTooOld: "pin-too-old",
    LinkAnswered: "link-answered",
    LinkShown: "link-shown",
    ClockShown: "clock-shown",
    LinkWelcomed: "link-welcomed",
    LinkRejoined: "link-rejoined",
    LinkBarred: "link-barred",
    RecallBegan: "recall-began",
    RecallEnded: "recall-ended",
    **{act: act.kind for act in get_args(Declaration)},
}
"""The kind of each act's record in the journal; never reused for another meaning."""

CLOSES_NIGHT = (TrayCounted.kind, DropCounted.kind)
"""Counts that close the night: of the tray, and at a poker table of the rake box."""
