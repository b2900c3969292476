"""What the dealer panel reports of its contacts themselves."""

from msgspec import Struct


class ContactUnsteady(Struct, frozen=True):
    """A contact of the panel flaps: it is not believed, and its changes are no longer reported."""

    contact: str
    """A button's name, `key`, `inspector` or `plug`."""
    unsteady: tuple[str, ...]
    """All contacts that are unsteady now."""


class ContactSteady(Struct, frozen=True):
    """A contact of the panel is believed again; `left_out` changes of it were not reported."""

    contact: str
    left_out: int
    unsteady: tuple[str, ...]
    """All contacts that are still unsteady."""
