"""The devices of a cabinet, by name."""

from enum import Enum


class Device(Enum):
    """A part of the cabinet that can be unplugged."""

    PANEL = "panel"
    RAIL = "rail"
    DISPLAY = "display"
    SHUFFLER = "shuffler"
    SHOE = "shoe"
