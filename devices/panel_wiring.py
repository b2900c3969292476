"""The Raspberry Pi's line of each part of the dealer panel, and of the doors (BCM numbers)."""

from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from devices.door_reports import DoorContact, name_contact
from devices.roles import COMBINATION_BUTTONS, Button, KeyPosition

DIAGNOSTICS_LINES = (14, 15)
"""TXD and RXD of the technician's serial line (docs/reference/rules.md, section 1)."""

LINES = 28
"""GPIO 0 to 27 are on the header."""

PANEL_LINES = frozenset(range(LINES)) - frozenset(DIAGNOSTICS_LINES)


class PlugContact(Enum):
    """The contacts other than buttons and key."""

    INSPECTOR = "inspector"
    PRESENCE = "presence"


Contact = Button | KeyPosition | PlugContact


class PanelWiring(Struct, frozen=True):
    """The panel's 26 lines. Contacts close to ground; a high line lights a lamp.

    In the default, lamps are on lines that the Pi pulls down until the service starts (GPIO 9 to
    27), so that none glows. GPIO 0 to 3 are read by the Pi while it starts and have their own
    resistors: they have buttons, which nobody holds down then.
    """

    coin_in: int = 4
    game_over: int = 5
    jpot: int = 6
    combination_buttons: tuple[int, ...] = (0, 1, 2, 3, 7)
    combination_lamps: tuple[int, ...] = (9, 10, 11, 12, 13)
    key: tuple[int, ...] = (16, 19, 20, 21)
    """In the order R, JPL, JPH, S."""
    seats: tuple[int, ...] = (17, 18, 22, 23, 24, 25, 27)
    inspector: int = 26
    presence: int = 8

    def __post_init__(self) -> None:
        """Check that each line has exactly one part. Raises ValueError that names the lines."""
        self._check_lengths()
        lines = [*self.contacts().values(), *self.combination_lamps, *self.seats]
        wrong = sorted(set(lines) - PANEL_LINES)
        if wrong:
            raise ValueError(f"no panel line: GPIO {wrong}; use 0 to 27 without 14 and 15")
        twice = sorted(line for line in set(lines) if lines.count(line) > 1)
        if twice:
            raise ValueError(f"wired to more than one part: GPIO {twice}")

    def contacts(self) -> dict[Contact, int]:
        """Each contact's line."""
        pushed = (self.coin_in, self.game_over, self.jpot)
        table: dict[Contact, int] = dict(
            zip((Button.COIN_IN, Button.GAME_OVER, Button.JPOT), pushed, strict=True)
        )
        table.update(zip(COMBINATION_BUTTONS, self.combination_buttons, strict=True))
        table.update(zip(KeyPosition, self.key, strict=True))
        table[PlugContact.INSPECTOR] = self.inspector
        table[PlugContact.PRESENCE] = self.presence
        return table

    def parts(self) -> dict[int, str]:
        """Each line's part, by its name in docs/how-to/wiring.md."""
        named = {line: _name_contact(contact) for contact, line in self.contacts().items()}
        for n, line in enumerate(self.combination_lamps, 1):
            named[line] = f"combination lamp {n}"
        for n, line in enumerate(self.seats, 1):
            named[line] = f"seat LED {n}"
        return named

    def _check_lengths(self) -> None:
        for part, lines, wanted in self._groups():
            if len(lines) != wanted:
                raise ValueError(f"{part} needs {wanted} GPIO lines, not {len(lines)}")

    def _groups(self) -> Iterator[tuple[str, tuple[int, ...], int]]:
        yield "combination_buttons", self.combination_buttons, 5
        yield "combination_lamps", self.combination_lamps, 5
        yield "key", self.key, 4
        yield "seats", self.seats, 7


class DoorWiring(Struct, frozen=True):
    """The lines of the doors' contacts, which open with the door; `latch`: None without one.

    In the default they are those of the technician's line, which then is at a USB adapter.
    """

    cabinet: int = DIAGNOSTICS_LINES[0]
    logic: int = DIAGNOSTICS_LINES[1]
    latch: int | None = None

    def contacts(self) -> dict[DoorContact, int]:
        """Each contact's line."""
        lines = {
            DoorContact.CABINET: self.cabinet,
            DoorContact.LOGIC: self.logic,
            DoorContact.LATCH: self.latch,
        }
        return {contact: line for contact, line in lines.items() if line is not None}

    def parts(self) -> dict[int, str]:
        """Each line's part, by its name in docs/how-to/wiring.md."""
        return {line: name_contact(contact) for contact, line in self.contacts().items()}


def _name_contact(contact: Contact) -> str:
    if isinstance(contact, KeyPosition):
        return f"key {contact.value}"
    if contact in COMBINATION_BUTTONS:
        return f"combination button {COMBINATION_BUTTONS.index(contact) + 1}"
    return str(contact.value).replace("_", " ")
