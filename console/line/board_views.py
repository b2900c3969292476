"""The boards of a table as the local line shows them."""

from enum import Enum

import msgspec

from console.rules.board_marks import BoardMarks, serials_of
from console.rules.state import TableState
from devices.boards import Boards
from devices.device import Device


class Standing(Enum):
    """Whether the boards that answer for a device are enrolled."""

    ENROLLED = "enrolled"
    ASKED = "asked"
    """Believed; the technician has not enrolled them yet."""
    CHANGED = "changed"
    """Others than the enrolled ones, or none is enrolled: not believed."""


class BoardView(msgspec.Struct, frozen=True):
    """The boards that have answered for a device since the service started."""

    device: Device
    boards: Boards
    standing: Standing
    enrolled: str = ""
    """The serial numbers of the enrolled boards, where others answer."""


def view_boards(state: TableState) -> tuple[BoardView, ...]:
    """Every device whose boards have answered."""
    marks = state.boards
    if not isinstance(marks, BoardMarks):
        return ()
    return tuple(
        BoardView(
            device,
            marks.found[device.value],
            _standing(marks, device),
            serials_of(marks.enrolled.get(device.value, ())) if marks.is_foreign(device) else "",
        )
        for device in Device
        if device.value in marks.found
    )


def _standing(marks: BoardMarks, device: Device) -> Standing:
    if marks.is_foreign(device):
        return Standing.CHANGED
    return Standing.ASKED if marks.is_asked(device) else Standing.ENROLLED
