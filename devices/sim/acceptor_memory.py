"""What a coin acceptor remembers while it has power."""

from typing import Any, Self

from msgspec import Struct, field
from msgspec.structs import asdict

EVENTS = 5


class AcceptorMemory(Struct):
    """Its counter, its last events (coin and code, newest first), and what it may accept."""

    counter: int = 0
    events: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)] * EVENTS)
    mask: int = 0
    master: bool = False

    def to_json(self) -> dict[str, Any]:
        """The values for the cabinet's file."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """From the cabinet's file. Raises TypeError or ValueError for invalid values."""
        events = [(int(coin), int(code)) for coin, code in data.pop("events")]
        return cls(events=events, **data)
