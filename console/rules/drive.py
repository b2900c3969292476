"""Outputs that the technician drives by hand, in place of the table's own."""

from msgspec import Struct

from devices.roles import (
    ALL_DARK,
    COMBINATION_BUTTONS,
    DISPLAY_COLUMNS,
    SEATS,
    DisplayText,
    Lamp,
    PanelLights,
)

NO_GATES: frozenset[int] = frozenset()


class Drive(Struct, frozen=True):
    """The outputs in SERVICE, dark unless driven (docs/reference/rules.md, section 6).

    `gates`: seats whose gate opens once, for at most 2 s. `display`: None leaves it to the table.
    Raises ValueError for outputs that no cabinet has: they come from people, over a line.
    """

    slots: tuple[Lamp, ...] = ALL_DARK
    gates: frozenset[int] = NO_GATES
    panel: PanelLights = PanelLights()
    display: DisplayText | None = None

    def __post_init__(self) -> None:
        """Check them. Raises ValueError."""
        if len(self.slots) != len(SEATS) or len(self.panel.seats) != len(SEATS):
            raise ValueError(f"there are {len(SEATS)} seats, each with its lamps")
        if len(self.panel.combinations) != len(COMBINATION_BUTTONS):
            raise ValueError(f"there are {len(COMBINATION_BUTTONS)} combination lamps")
        if Lamp.INVITE in self.panel.seats:
            raise ValueError("a seat LED of the panel cannot show INVITE")
        if not self.gates.issubset(SEATS):
            raise ValueError(f"gates are those of seats {SEATS[0]} to {SEATS[-1]}")
        if self.display is not None and not all(map(_can_be_shown, self.display.lines)):
            raise ValueError(f"a line of the display is {DISPLAY_COLUMNS} characters of ASCII")


def _can_be_shown(line: str) -> bool:
    return len(line) <= DISPLAY_COLUMNS and line.isascii() and line.isprintable()
