"""What a coin acceptor remembers while it has power."""

from typing import Annotated

from msgspec import Meta, Struct, field

from devices.sim.ranges import Byte, Count

EVENTS = 5


class AcceptorMemory(Struct, forbid_unknown_fields=True):
    """Its counter, its last events (coin and code, newest first), and what it may accept."""

    counter: Byte = 0
    events: Annotated[list[tuple[Byte, Byte]], Meta(min_length=EVENTS, max_length=EVENTS)] = field(
        default_factory=lambda: [(0, 0)] * EVENTS
    )
    mask: Count = 0
    master: bool = False
