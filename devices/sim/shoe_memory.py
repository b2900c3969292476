"""The physical state of a shoe, and what its electronics keep without power."""

from typing import Any, Self

from msgspec import Struct, field
from msgspec.structs import asdict

MEMORY = 0x5AB07001
"""The number of the counting shoe's memory, which a simulation never loses."""


class ShoeMemory(Struct):
    """A shoe; `left` cards are in it (None: none was put in), and perhaps the cut card."""

    left: int | None = None
    cut_out: bool = False
    boot: int = 1
    # What a counting shoe keeps
    loads: int = 0
    cards: int = 0
    draws: int = 0
    cut_after: int | None = None
    # What a reading shoe keeps
    seq: int = 0
    punto: list[str] = field(default_factory=list)
    banco: list[str] = field(default_factory=list)
    overdrawn: bool = False
    locked: bool = False

    def to_json(self) -> dict[str, Any]:
        """The values for the cabinet's file."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """From the cabinet's file. Raises TypeError for invalid values."""
        return cls(**data)
