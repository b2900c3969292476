"""The devices of a cabinet, by name."""

from enum import StrEnum


class Device(StrEnum):
    """A part of the cabinet that can be unplugged."""

    PANEL = "panel"
    RAIL = "rail"
    DISPLAY = "display"
    SHUFFLER = "shuffler"
    SHOE = "shoe"
    LINK = "link"
    """To the centre, at a linked table (docs/reference/link-rules.md); no cable of the cabinet."""
    CLOCK = "clock"
    """To the centre, at a table of a tournament with several.

    docs/reference/poker-rules.md, 16.
    """
