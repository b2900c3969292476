"""The equipment of a table, from its status: rail, lamps, buttons, outputs, inputs."""

from collections.abc import Sequence

from msgspec import Struct

from console.line.requests import Status
from console.rules.drive import Drive
from console.rules.games import GAMES, RailKind, ShufflerKind
from console.texts.language import Language, Words
from console.texts.table_texts import names_from
from console.texts.technician import device_texts
from devices.device import Device
from devices.figures import InputFigures
from devices.roles import (
    ALL_DARK,
    COMBINATION_BUTTONS,
    SEATS,
    Button,
    DisplayText,
    Lamp,
    PanelLights,
)

GATE_S = 3.0
"""A gate is open for at most 2 s; a token may be 1 s between its drop sensor and the tray."""


class Equipment(Struct, frozen=True):
    """What a table has."""

    devices: frozenset[Device]
    rail: RailKind | None
    """None for a table without a rail."""

    combinations: tuple[str, ...]
    """The names of the combination buttons, from the left; a poker table's first legends."""

    has_seat_leds: bool
    """Whether the panel's seat LEDs are used."""

    has_green: bool
    """Whether a deck shuffler with its green button belongs to it."""

    @property
    def buttons(self) -> tuple[str, ...]:
        """The names of the game's buttons."""
        first = (Button.COIN_IN.value, Button.GAME_OVER.value)
        return (*first, Button.JPOT.value, *self.combinations) if self.combinations else first

    @property
    def has_gates(self) -> bool:
        """Whether tokens drop through gates into a tray."""
        return self.rail is RailKind.SLOT


def equipment_of(status: Status) -> Equipment:
    """Return the equipment of a table."""
    game = GAMES.get(status.game)
    prizes = names_from(status.game, status.prizes).prizes
    rails = {kind.value: kind for kind in RailKind}
    devices = {device.value: device for device in Device}
    there = frozenset(devices[name] for name in status.devices_up if name in devices)
    gives_decks = game is not None and game.shuffler is ShufflerKind.DECK
    return Equipment(
        there,
        rails.get(status.rail) if Device.RAIL in there else None,
        tuple(prize.combination for prize in prizes)
        or (game.first_legends if game is not None else ()),
        has_seat_leds=bool(prizes),
        has_green=gives_decks and Device.SHUFFLER in there,
    )


class Output(Struct, frozen=True):
    """An output that can be driven by hand."""

    name: str
    words: Words
    drive: Drive
    seat: int = 0
    """0 if it belongs to no seat."""

    on_rail: bool = False


def _light_seat(seat: int, lamp: Lamp) -> tuple[Lamp, ...]:
    return tuple(lamp if one == seat else Lamp.DARK for one in SEATS)


def slot_lamp(seat: int, lamp: Lamp = Lamp.ON) -> Output:
    """Return one slot lamp of the rail."""
    words = device_texts.SLOT_LAMP_SEAT.fill(seat)
    return Output(
        f"slot lamp {seat}", words, Drive(slots=_light_seat(seat, lamp)), seat, on_rail=True
    )


def seat_led(seat: int, lamp: Lamp = Lamp.ON) -> Output:
    """Return one seat LED of the panel."""
    words = device_texts.SEAT_LED_PANEL.fill(seat)
    return Output(
        f"seat LED {seat}", words, Drive(panel=PanelLights(_light_seat(seat, lamp))), seat
    )


def combination_lamp(at: int, name: str, lamp: Lamp = Lamp.ON) -> Output:
    """Return the lamp of a combination button; `at` counts from the left, from 0."""
    lit = tuple(one == at and lamp is not Lamp.DARK for one in range(len(COMBINATION_BUTTONS)))
    words = device_texts.LAMP_BUTTON.fill(name)
    return Output(f"lamp {name}", words, Drive(panel=PanelLights(ALL_DARK, lit)))


def every_lamp(table: Equipment, lamp: Lamp = Lamp.ON) -> Output:
    """Return all lamps of rail and panel as one output."""
    lit = (lamp is not Lamp.DARK,) * len(COMBINATION_BUTTONS)
    lamps = (lamp,) * len(SEATS)
    slots = lamps if table.rail is not None else ALL_DARK
    words = device_texts.ALL_LAMPS
    drive = Drive(slots=slots, panel=PanelLights(lamps, lit))
    return Output("all", words, drive, on_rail=table.rail is not None)


def gate(seat: int) -> Output:
    """Return one gate, which opens once; its slot lamp is lit meanwhile."""
    words = device_texts.GATE_SEAT.fill(seat)
    drive = Drive(slots=_light_seat(seat, Lamp.ON), gates=frozenset({seat}))
    return Output(f"gate {seat}", words, drive, seat, on_rail=True)


def display_text(name: str, words: Words, first: str, second: str) -> Output:
    """Return a text of two lines on the display."""
    return Output(name, words, Drive(display=DisplayText((first, second))))


PATTERNS: tuple[Output, ...] = (
    display_text("display full", device_texts.DISPLAY_ALL, "8" * 20, "8" * 20),
    display_text(
        "display letters",
        device_texts.DISPLAY_ABC,
        "ABCDEFGHIJKLMNOPQRST",
        "UVWXYZ 0123456789.,+",
    ),
    display_text(
        "display lines",
        device_texts.DISPLAY_ABOVE_BELOW,
        "1 " * 10,
        " 2" * 10,
    ),
)
"""Patterns for the display: every segment, every character in use, each line's number."""


def lamps_of(table: Equipment) -> tuple[Output, ...]:
    """Return every lamp by itself: slots, seat LEDs, combination buttons."""
    combinations = (combination_lamp(at, name) for at, name in enumerate(table.combinations))
    slots = tuple(slot_lamp(seat) for seat in SEATS) if table.rail is not None else ()
    leds = tuple(seat_led(seat) for seat in SEATS) if table.has_seat_leds else ()
    return (*slots, *leds, *combinations)


def outputs_of(table: Equipment) -> tuple[Output, ...]:
    """Return every output, in the order of a walk around the table."""
    gates = tuple(gate(seat) for seat in SEATS) if table.has_gates else ()
    return (*lamps_of(table), *PATTERNS, *gates)


RAIL = ("rail", "gettoniera")
PANEL = ("panel", "consolle")
TRAY = "tray"
GREEN = "GREEN"
"""A deck shuffler's green button, whose presses the machine counts."""

_ITALIAN = {
    "key": "chiave",
    "seat": "posto",
    "drop": "caduta",
    "inspector": "ispettore",
    "plug": "spina",
    "door": "porta",
    "cabinet": "mobile",
    "logic": "elettronica",
    "latch": "memoria",
    TRAY: "vaschetta",
}


def input_name(name: str, language: Language) -> str:
    """Translate `seat 3 drop` to `posto 3 caduta`. Buttons are not translated."""
    if language is Language.EN:
        return name
    return " ".join(_ITALIAN.get(word, word) for word in name.split())


def is_on_rail(name: str) -> bool:
    """Return whether an input belongs to the rail; the green button goes with the panel's."""
    return name.startswith("seat ") or name == TRAY


def drop_of(name: str) -> str:
    """Return the name of the counter that belongs to a seat's sensor."""
    return f"{name} drop"


def is_counter(name: str) -> bool:
    """Return whether an input is a counter."""
    return name in (TRAY, GREEN) or name.endswith(" drop")


def choose_inputs(words: Sequence[str], inputs: Sequence[InputFigures]) -> tuple[InputFigures, ...]:
    """Return the inputs that the words name: all, the panel's, the rail's, or by part of a name."""
    typed = " ".join(words).lower()
    if not typed:
        return tuple(inputs)
    if typed in PANEL:
        return tuple(one for one in inputs if not is_on_rail(one.name))
    if typed in RAIL:
        return tuple(one for one in inputs if is_on_rail(one.name))
    names = [
        (one, {input_name(one.name, language).lower() for language in Language}) for one in inputs
    ]
    exact = tuple(one for one, aliases in names if typed in aliases)
    return exact or tuple(one for one, aliases in names if any(typed in name for name in aliases))
