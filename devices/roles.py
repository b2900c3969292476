"""The roles of a cabinet's devices: the orders they take, the events they report.

A driver turns bytes or pins into the events below, and the orders below into bytes or pins. No
event depends on the wiring (docs/reference/rules.md, section 1), and no driver knows about rounds
or money. All calls and events happen on the event loop's thread.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Protocol

from msgspec import UNSET, Struct, UnsetType

from devices.boards import BoardFound, BoardImage, Boards
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
from devices.door_reports import DoorsSeen
from devices.figures import DeviceFigures, InputFigures
from devices.panel_reports import ContactSteady, ContactUnsteady

SEATS = (1, 2, 3, 4, 5, 6, 7)
"""Seat 1 is at the croupier's left."""

NO_COUNTS = (0,) * len(SEATS)

AWAITED_S = 5.0
"""After its start a device that has not answered yet is awaited for so long, and not lost."""


class Button(StrEnum):
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


class KeyPosition(StrEnum):
    """The key's positions: run, jackpot low, jackpot high, service."""

    R = "R"
    JPL = "JPL"
    JPH = "JPH"
    S = "S"


class Lamp(StrEnum):
    """A lamp's mode. A seat LED of the panel has no INVITE."""

    DARK = "DARK"
    INVITE = "INVITE"  # slow pulse
    ON = "ON"
    ALERT = "ALERT"  # fast blink


ALL_DARK = (Lamp.DARK,) * len(SEATS)


class ButtonPressed(Struct, frozen=True):
    """A button went down and stayed down for the settling time."""

    button: Button


class KeyMoved(Struct, frozen=True):
    """The key has been at `position` alone for 20 ms; None: at no single contact for 20 ms."""

    position: KeyPosition | None


class KeyFound(Struct, frozen=True):
    """The key's position when the panel was first read, at the start or after its plug was back."""

    position: KeyPosition | None


class KeyUnreadable(Struct, frozen=True):
    """No key contact, or more than one, has been closed for 500 ms."""


class InspectorSeen(Struct, frozen=True):
    """The inspector's contact, if one is fitted: closed (present) or open."""

    present: bool


class RailSeen(Struct, frozen=True):
    """The rail's whole state; reported after every (re)connection, then when it changes.

    Rails that count nothing leave the counters at zero.
    """

    boot: int
    """The board's boot number."""
    occupied: frozenset[int]
    """Seats whose sensor sees something, a token or a card."""
    drops: tuple[int, ...] = NO_COUNTS
    """Tokens dropped at each seat since the boot, modulo 65536."""
    tray: int = 0
    """Tokens that passed the tray's mouth since the boot, modulo 65536."""
    dead_lamps: frozenset[int] = frozenset()
    """Seats whose lamp draws no current although it should."""
    credits_lost: int = 0
    """How often since the boot tokens may have gone in that `drops` does not count."""
    changed: frozenset[int] = frozenset()
    """Seats where another acceptor than the enrolled one answers."""
    marks: tuple[int, ...] = ()
    """The positions of the counters behind `drops`; only for `CoinRail.resume`."""
    served: int = 0
    """The ordered turn, if gates stay closed because the board has served it before; otherwise
    0."""
    unsteady: frozenset[int] | UnsetType = UNSET
    """Seats whose sensor flaps; they are taken for free. Unset: none."""
    notices: frozenset[int] | UnsetType = UNSET
    """What the board says is wrong with itself, by number (docs/reference/wire-protocol.md). Unset:
    nothing."""


class DeviceLost(Struct, frozen=True):
    """The device was silent or unplugged for its time (1 s; the panel 200 ms).

    If it has not answered since the start, not before AWAITED_S.
    """

    device: Device
    why: str


class DeviceUp(Struct, frozen=True):
    """The device is there, its state was reported and its outputs are written again."""

    device: Device


class FloodBegan(Struct, frozen=True):
    """The device reports more than can be kept: from now on only its newest report is passed on."""

    device: Device


class FloodOver(Struct, frozen=True):
    """The flood is over; `left_out` reports were not passed on.

    The reports after them contain all that they contained.
    """

    device: Device
    left_out: int


class SensorSteady(Struct, frozen=True):
    """A seat's sensor that flapped is believed again; `left_out` changes were not reported."""

    seat: int
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
    | BoardFound
    | BoardImage
    | DeviceLost
    | DeviceUp
    | FloodBegan
    | FloodOver
    | SensorSteady
    | ContactUnsteady
    | ContactSteady
    | DoorsSeen
)
Listener = Callable[[Event], None]


class PanelLights(Struct, frozen=True):
    """The dealer panel's lights: seat LEDs of seats 1 to 7, lit combination buttons 1 to 5."""

    seats: tuple[Lamp, ...] = ALL_DARK
    combinations: tuple[bool, ...] = (False,) * len(COMBINATION_BUTTONS)


class RailOrders(Struct, frozen=True):
    """The rail's orders.

    A gate opens once for each new `turn`: the board closes it after the first token and does not
    open it again for the same turn, however often the order is repeated. If the board served the
    turn before, no gate opens and `RailSeen.served` reports it.
    """

    lamps: tuple[Lamp, ...] = ALL_DARK
    """The slot lamps of seats 1 to 7."""
    gates: frozenset[int] = frozenset()
    """Gates to be open."""
    turn: int = 0
    """From 1 to 65535."""
    accepting: frozenset[int] = frozenset()
    """Seats where a rail that swallows may take a token; elsewhere it returns them."""
    boot: int | None = None
    """The boot of the board for which the gates were decided; under another boot none opens."""
    boards: Boards | None = None
    """The boards for which all this was decided: others stay dark and shut. None: any."""


class RailTraits(Struct, frozen=True):
    """What the rules must know about a rail."""

    gates: bool
    """A token is accepted when its drop is counted; otherwise at COIN IN, where it lies."""
    tray: bool
    """A counter at the tray's mouth must agree with the drops."""
    swallows: bool = False
    """A token is gone as soon as it is put in, and `drops` counts it then. The sensors see only
    what lies on the slots, and tokens cannot be taken back."""


SLOT_TRAITS = RailTraits(gates=True, tray=True)
SENSOR_TRAITS = RailTraits(gates=False, tray=False)
ACCEPTOR_TRAITS = RailTraits(gates=False, tray=False, swallows=True)

ACCEPTOR_ADDRESSES = (11, 12, 13, 14, 15, 16, 17)
"""The ccTalk addresses of the acceptors, from seat 1, unless others are configured."""


RAIL_TRAITS: Mapping[str, RailTraits] = {
    "slot": SLOT_TRAITS,
    "sensor": SENSOR_TRAITS,
    "cctalk": ACCEPTOR_TRAITS,
}
"""The traits of a rail, by its kind in the configuration."""


DISPLAY_COLUMNS = 20


class DisplayText(Struct, frozen=True):
    """Two lines of 20 ASCII characters; shorter lines are filled with blanks."""

    lines: tuple[str, str] = ("", "")


class DealerPanel(Protocol):
    """The dealer's buttons, key and lamps, and the inspector's contact."""

    def start(self, listener: Listener) -> None:
        """Report KeyFound, InspectorSeen, DeviceUp or DeviceLost at once, then each change."""

    def show(self, lights: PanelLights) -> None:
        """Show exactly these lights."""

    def close(self) -> None:
        """Switch all lights off and release the pins."""

    def inputs(self) -> "tuple[InputFigures, ...]":
        """Every button and contact, in the order of display; none before `start`."""

    def figures(self, frames: int = 0, /) -> "tuple[DeviceFigures, ...]":
        """The device's figures at any time, with the last `frames` frames of each line."""


class Doors(Protocol):
    """The contacts of the cabinet's doors, which take no orders."""

    def start(self, listener: Listener) -> None:
        """Report DoorsSeen at once, then each change."""

    def close(self) -> None:
        """Release the lines."""

    def inputs(self) -> "tuple[InputFigures, ...]":
        """Every contact; none before `start`."""


class CoinRail(Protocol):
    """The tokens: their sensors, lamps and gates."""

    traits: RailTraits

    def resume(self, seen: RailSeen | None) -> None:
        """Continue to count from the last reported state; called before `start`."""

    def start(self, listener: Listener) -> None:
        """Search for the rail without end; report RailSeen, DeviceUp and DeviceLost."""

    def show(self, orders: RailOrders) -> None:
        """Send these orders now, and repeat them as often as the rail needs."""

    def close(self) -> None:
        """Release the line at once."""

    def inputs(self) -> "tuple[InputFigures, ...]":
        """Its sensors and counters, from seat 1; none before the rail's first report."""

    def figures(self, frames: int = 0, /) -> "tuple[DeviceFigures, ...]":
        """The device's figures at any time, with the last `frames` frames of each line."""


class Shuffler(Protocol):
    """The shuffler / dispenser, or the mixer."""

    def start(self, listener: Listener) -> None:
        """Search for the machine without end; report ShufflerSeen, DeviceUp and DeviceLost."""

    def inputs(self) -> "tuple[InputFigures, ...]":
        """A deck shuffler's green button, once the machine has reported; else nothing."""

    def show(self, orders: ShufflerOrders) -> None:
        """Send these orders now, and repeat them as often as the machine needs."""

    def close(self) -> None:
        """Release the line at once."""

    def figures(self, frames: int = 0, /) -> "tuple[DeviceFigures, ...]":
        """The device's figures at any time, with the last `frames` frames of each line."""


class Shoe(Protocol):
    """The shoe, which takes no orders."""

    def start(self, listener: Listener) -> None:
        """Search for the shoe without end; report its cards, DeviceUp and DeviceLost."""

    def close(self) -> None:
        """Release the line at once."""

    def figures(self, frames: int = 0, /) -> "tuple[DeviceFigures, ...]":
        """The device's figures at any time, with the last `frames` frames of each line."""


class Display(Protocol):
    """The two-line customer display."""

    def start(self, listener: Listener) -> None:
        """Search for the display without end; report DeviceUp and DeviceLost."""

    def show(self, text: DisplayText) -> None:
        """Show these two lines; they are written again after every reconnection."""

    def close(self) -> None:
        """Release the line at once."""

    def figures(self, frames: int = 0, /) -> "tuple[DeviceFigures, ...]":
        """The device's figures at any time, with the last `frames` frames of each line."""
