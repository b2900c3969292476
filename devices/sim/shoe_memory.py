"""The physical state of a shoe, and what its electronics keep without power."""

from typing import Annotated

from msgspec import Meta, Struct, field

from devices.sim.ranges import Count, Number
from firmware_bridge.angel_eye.reports import HIGHEST_PLACE, RANKS, SUITS

MEMORY = 0x5AB07001
"""The number of the counting shoe's memory, which a simulation never loses."""

Drawn = Annotated[str, Meta(pattern=rf"^[{RANKS}][{''.join(SUITS.values())}]\Z")]
Hand = Annotated[list[Drawn], Meta(max_length=HIGHEST_PLACE)]
"""A coup's cards, such as 7H."""


class ShoeMemory(Struct, forbid_unknown_fields=True):
    """A shoe; `left` cards are in it (None: none was put in), and perhaps the cut card."""

    left: Count | None = None
    cut_out: bool = False
    boot: Number = 1
    # What a counting shoe keeps
    loads: Count = 0
    cards: Count = 0
    draws: Count = 0
    cut_after: Count | None = None
    # What a reading shoe keeps
    seq: Count = 0
    punto: Hand = field(default_factory=list)
    banco: Hand = field(default_factory=list)
    overdrawn: bool = False
    locked: bool = False
