"""What the contacts of a cabinet's doors report."""

from enum import Enum

from msgspec import Struct


class DoorContact(Enum):
    """A normally closed contact: of a door, or of the latch that remembers without power."""

    CABINET = "cabinet"
    LOGIC = "logic"
    """Of the area with the Pi, its memory and the boards."""
    LATCH = "latch"
    """A latch with a battery, which opens with a door and stays open until it is reset by hand."""


def name_contact(contact: DoorContact) -> str:
    """The contact's name in docs/how-to/wiring.md and on the technician's line."""
    return contact.value if contact is DoorContact.LATCH else f"door {contact.value}"


class DoorsSeen(Struct, frozen=True):
    """All contacts of the doors; reported at the start, then whenever one changes.

    A cut wire is an open contact.
    """

    open: tuple[DoorContact, ...]
    """In the order of `DoorContact`."""
