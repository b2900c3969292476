"""The facts of a poker table that a scenario can expect.

docs/reference/poker-rules.md, section 21.
"""

from typing import Any

from msgspec import Struct


class PokerSeen(Struct, frozen=True):
    """A poker table's facts, worded as a scenario expects them.

    Between hands `hand` is the last one; `deal` and `dealt` are 0. `stub` and `dealt` are None
    where they are unknown. `time`: seconds left, `none` or `expired`.
    """

    hand: int
    deal: int
    players: int
    dealt: int | None
    stub: int | None
    deck: str
    change: str
    level: int
    blinds: str
    clock: str
    time: str
    street: str
    pot: str
    rake: str
    taken: str
    dispute: str
    share: str

    def to_json(self) -> dict[str, Any]:
        """The keys of `banco play --json`."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    def word(self, name: str) -> str:
        """One fact in the words of `expect`."""
        value = getattr(self, name)
        return "none" if value is None else str(value)
