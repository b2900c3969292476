"""The boards of a table: which are enrolled, which have answered, and which are believed.

docs/reference/rules.md, section 13; docs/reference/wire-protocol.md.
"""

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

from devices.boards import Boards, are_proved
from devices.device import Device


class FirstSight(Enum):
    """What becomes of a board where none is enrolled."""

    ENROL = "enrol"
    """It is enrolled: a simulation needs nobody."""
    ASK = "ask"
    """It is believed, and the technician is asked to enrol it: a ledger from before enrolment."""
    REFUSE = "refuse"
    """It is `BOARD_CHANGED` until the technician enrols it."""


class BoardsExpected(Struct, frozen=True):
    """An act: from now on only enrolled boards are believed; what becomes of the first ones."""

    first_sight: FirstSight


class BoardEnrolled(Struct, frozen=True):
    """An act: a technician enrols these boards for a device; they answer for it now."""

    device: Device
    boards: Boards
    who: str


class BoardMarks(Struct, frozen=True):
    """The boards of each device, by the device's name."""

    first_sight: FirstSight
    enrolled: Mapping[str, Boards] = {}
    """Believed when they answer."""
    asked: frozenset[str] = frozenset()
    """Enrolled at first sight; the technician is asked to do it."""
    found: Mapping[str, Boards] = {}
    """Those that answered last, since the start."""
    foreign: frozenset[str] = frozenset()
    """Devices that others than the enrolled ones have answered for."""

    def believes(self, device: Device) -> bool:
        """Whether what the device reports counts."""
        found = self.found.get(device)
        return found is not None and are_proved(found) and device not in self.foreign

    def is_foreign(self, device: Device) -> bool:
        """Whether boards answer for the device that are not enrolled."""
        return device in self.foreign

    def is_asked(self, device: Device) -> bool:
        """Whether the technician is asked to enrol the device's boards."""
        return device in self.asked

    def serials(self, device: Device) -> str:
        """The serial numbers that have answered for the device, for people."""
        return serials_of(self.found.get(device, ()))


def names_of(boards: Boards) -> tuple[tuple[str, str], ...]:
    """What makes a board the same as before: kind and serial number, not its firmware.

    Without those that the configuration enrols.
    """
    return tuple((board.kind, board.serial) for board in boards if not board.configured)


def kinds_of(boards: Boards) -> tuple[str, ...]:
    """The kinds of the boards that can be enrolled here."""
    return tuple(kind for kind, _ in names_of(boards))


def serials_of(boards: Boards) -> str:
    """`RAIL-007`; several with blanks between; `-` for a board without a serial number."""
    return " ".join(board.serial or "-" for board in boards)
