"""What a table knows of its doors (docs/reference/rules.md, section 14)."""

from msgspec import Struct

from devices.door_reports import DoorContact


class DoorMarks(Struct, frozen=True):
    """The contacts that were last seen open; `known`: they have been seen since the start."""

    open: tuple[DoorContact, ...] = ()
    known: bool = False
