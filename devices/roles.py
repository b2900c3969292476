"""The roles a cabinet's devices play: what they are told, what they report.

A driver turns bytes or pins into the events below and the orders below into bytes or pins.
No event says how a part is wired (docs/rules.md 1), and no driver knows of rounds or money.
All calls and all events happen on the event loop's thread.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from devices.card_reports import (
    CardBurnt,
    CardDrawn,
    CutCardOut,
    ReportsMissed,
    ResultReported,
    ShoeLoaded,
    ShoeSeen,
    ShoeTrouble,
    ShufflerOrders,
    ShufflerSeen,
)
from devices.device import Device
from devices.figures import DeviceFigures, InputFigures

SEATS = (1, 2, 3, 4, 5, 6, 7)
"""Seat 1 is at the croupier's left."""

NO_COUNTS = (0,) * len(SEATS)


class Button(Enum):
    """A button of the dealer panel; the five combination buttons are numbered from the left."""

    COIN_IN = "COIN_IN"
    GAME_OVER = "GAME_OVER"
    JPOT = "JPOT"
    COMBINATION_1 = "COMBINATION_1"
    COMBINATION_2 = "COMBINATION_2"
    COMBINATION_3 = "COMBINATION_3"
    COMBINATION_4 = "COMBINATION_4"
    COMBINATION_5 = "COMBINATION_5"


COMBINATION_BUTTONS = (
    Button.COMBINATION_1,
    Button.COMBINATION_2,
    Button.COMBINATION_3,
    Button.COMBINATION_4,
    Button.COMBINATION_5,
)


class KeyPosition(Enum):
    """Where the key selector stands: run, jackpot low, jackpot high, service."""

    R = "R"
    JPL = "JPL"
    JPH = "JPH"
    S = "S"


class Lamp(Enum):
    """What a lamp does. A seat LED of the panel knows no INVITE."""

    DARK = "DARK"
    INVITE = "INVITE"  # slow pulse
    ON = "ON"
    ALERT = "ALERT"  # fast blink


ALL_DARK = (Lamp.DARK,) * len(SEATS)


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button went down and stayed down for the settling time."""

    button: Button


@dataclass(frozen=True, slots=True)
class KeyMoved:
    """The key has stood alone at `position` for 20 ms; None: at no single contact for 20 ms."""

    position: KeyPosition | None


@dataclass(frozen=True, slots=True)
class KeyFound:
    """Where the key stood when the panel was first read, at start or back on its plug."""

    position: KeyPosition | None


@dataclass(frozen=True, slots=True)
class KeyUnreadable:
    """For 500 ms no key contact, or more than one, has been closed."""


@dataclass(frozen=True, slots=True)
class InspectorSeen:
    """The inspector's contact, where one is fitted: closed (present) or open."""

    present: bool


@dataclass(frozen=True, slots=True)
class RailSeen:
    """All the rail knows; reported first after every (re)connection, then whenever it differs.

    `occupied`: seats whose sensor sees something, token or card. `drops`: the running count of
    tokens dropped at each seat, `tray`: of those that passed the tray's mouth; both modulo 65536
    since the board's boot number `boot`. Rails that count nothing leave them at zero.
    `dead_lamps`: seats whose lamp draws no current when it should. `unknown`: how often since
    `boot` tokens may have gone in that `drops` does not count. `marks`: where the counters behind
    `drops` stand, for `CoinRail.resume` alone. `served`: the turn ordered, where gates stay closed
    because the board has served that turn before (0: they do not).
    """

    boot: int
    occupied: frozenset[int]
    drops: tuple[int, ...] = NO_COUNTS
    tray: int = 0
    dead_lamps: frozenset[int] = frozenset()
    unknown: int = 0
    changed: frozenset[int] = frozenset()  # acceptors that are not those enrolled
    marks: tuple[int, ...] = ()
    served: int = 0


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The device has been silent or unplugged for its time (1 s; the panel 200 ms)."""

    device: Device
    why: str


@dataclass(frozen=True, slots=True)
class LinkUp:
    """The device is there, its state has been reported and its outputs are written again."""

    device: Device


@dataclass(frozen=True, slots=True)
class FloodBegan:
    """The device reports more than can be kept: from now on only its newest reports are told."""

    device: Device


@dataclass(frozen=True, slots=True)
class FloodOver:
    """It reports no more than usual; `left_out` reports were not told since the flood began.

    What was told after them says all that they said.
    """

    device: Device
    left_out: int


Event = (
    ShufflerSeen
    | ShoeSeen
    | ShoeLoaded
    | CardDrawn
    | CardBurnt
    | CutCardOut
    | ResultReported
    | ShoeTrouble
    | ReportsMissed
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
)
Listener = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class PanelLights:
    """What the dealer panel shows: seat LEDs of seats 1 to 7, lit combination buttons 1 to 5."""

    seats: tuple[Lamp, ...] = ALL_DARK
    combinations: tuple[bool, ...] = (False,) * len(COMBINATION_BUTTONS)


@dataclass(frozen=True, slots=True)
class RailOrders:
    """What the rail should do: slot lamps of seats 1 to 7, and the gates that should be open.

    A gate opens once for each new `turn` (1 to 65535): the board closes it behind the first
    token, and does not open it again for the same turn, however often the order is repeated. One
    that it has served before it knew us opens no gate: `RailSeen.served` says so.
    `boot`: that of the board the gates were decided on; another one opens none.
    `open`: seats where a rail that swallows may take a token; elsewhere it returns them.
    """

    lamps: tuple[Lamp, ...] = ALL_DARK
    gates: frozenset[int] = frozenset()
    turn: int = 0
    open: frozenset[int] = frozenset()
    boot: int | None = None


@dataclass(frozen=True, slots=True)
class RailTraits:
    """What the round must know of a rail.

    `gates`: a token is accepted when its drop is counted (else at COIN IN, where it lies).
    `tray`: a counter at the tray's mouth must agree with the drops.
    `swallows`: a token is gone into the rail as it is put in, and `drops` counts it then; what
    the sensors see is only what lies on the slots, and tokens cannot be taken back.
    """

    gates: bool
    tray: bool
    swallows: bool = False


SLOT_TRAITS = RailTraits(gates=True, tray=True)
SENSOR_TRAITS = RailTraits(gates=False, tray=False)
ACCEPTOR_TRAITS = RailTraits(gates=False, tray=False, swallows=True)


RAIL_TRAITS: Mapping[str, RailTraits] = {
    "slot": SLOT_TRAITS,
    "sensor": SENSOR_TRAITS,
    "cctalk": ACCEPTOR_TRAITS,
}
"""The traits of a rail by its kind, as a configuration names it."""


@dataclass(frozen=True, slots=True)
class DisplayText:
    """The two lines of 20 characters, ASCII; shorter lines are filled with blanks."""

    lines: tuple[str, str] = field(default=("", ""))


class DealerPanel(Protocol):
    """Buttons, key, seat LEDs, combination lamps, inspector's contact, presence contact."""

    def start(self, listener: Listener) -> None:
        """Read the inputs, report KeyFound, InspectorSeen and LinkUp or LinkLost, then changes."""

    def show(self, lights: PanelLights) -> None:
        """Light exactly these."""

    def close(self) -> None:
        """Darken everything and let go of the pins."""

    def inputs(self) -> "tuple[InputFigures, ...]":
        """Every button and contact, in the order they are shown; none before `start`."""

    def figures(self, frames: int = 0, /) -> "tuple[DeviceFigures, ...]":
        """How it fares, at any time; with so many of each line's last frames (`FrameTrace`)."""


class CoinRail(Protocol):
    """The tokens: their sensors, lamps and gates."""

    traits: RailTraits

    def resume(self, seen: RailSeen | None) -> None:
        """Before `start`: count on from what was seen last, also over a restart; None: nothing."""

    def start(self, listener: Listener) -> None:
        """Seek the rail, without end; report RailSeen, LinkUp and LinkLost."""

    def show(self, orders: RailOrders) -> None:
        """Send these orders now, and again as often as the rail must be reminded."""

    def close(self) -> None:
        """Let go of the line at once."""

    def inputs(self) -> "tuple[InputFigures, ...]":
        """Its sensors and counters, seat 1 first; none before the rail has told any."""

    def figures(self, frames: int = 0, /) -> "tuple[DeviceFigures, ...]":
        """How it fares, at any time; with so many of each line's last frames (`FrameTrace`)."""


class Shuffler(Protocol):
    """The shuffler / dispenser, or the mixer."""

    def start(self, listener: Listener) -> None:
        """Seek the machine, without end; report ShufflerSeen, LinkUp and LinkLost."""

    def show(self, orders: ShufflerOrders) -> None:
        """Send these orders now, and again as often as the machine must be reminded."""

    def close(self) -> None:
        """Let go of the line at once."""

    def figures(self, frames: int = 0, /) -> "tuple[DeviceFigures, ...]":
        """How it fares, at any time; with so many of each line's last frames (`FrameTrace`)."""


class Shoe(Protocol):
    """The shoe: it only reports."""

    def start(self, listener: Listener) -> None:
        """Seek the shoe, without end; report what leaves it, LinkUp and LinkLost."""

    def close(self) -> None:
        """Let go of the line at once."""

    def figures(self, frames: int = 0, /) -> "tuple[DeviceFigures, ...]":
        """How it fares, at any time; with so many of each line's last frames (`FrameTrace`)."""


class Display(Protocol):
    """The two-line customer display."""

    def start(self, listener: Listener) -> None:
        """Seek the display, without end; report LinkUp and LinkLost."""

    def show(self, text: DisplayText) -> None:
        """Show these two lines; written again after every reconnection."""

    def close(self) -> None:
        """Let go of the line at once."""

    def figures(self, frames: int = 0, /) -> "tuple[DeviceFigures, ...]":
        """How it fares, at any time; with so many of each line's last frames (`FrameTrace`)."""
