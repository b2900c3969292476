"""What a counting shoe tells (docs/shoe-protocol.md); it is told nothing but that it is heard."""

from dataclasses import dataclass
from struct import Struct
from typing import ClassVar, Self

from firmware_bridge.board.protocol import ProtocolError, check_length, pack_body

NOT_YET = 0xFFFF


@dataclass(frozen=True, slots=True)
class ShoeWant:
    """Nothing is wanted of a counting shoe."""

    def to_bytes(self) -> bytes:
        """No byte at all."""
        return b""

    @classmethod
    def from_bytes(cls, _body: bytes) -> Self:
        """Whatever a later version wants, nothing of it is known."""
        return cls()

    def words(self) -> str:
        """For people."""
        return "nothing"


@dataclass(frozen=True, slots=True)
class ShoeState:
    """All the shoe knows, kept without power.

    `memory` is another number when what it kept was lost. `loads` counts the shoes put in since
    then, modulo 65536; `cards` were put in the last time, `draws` have left since, and the cut card
    came out after `cut_after` of them (None: not yet).
    """

    LAYOUT: ClassVar = Struct("<IHHHH")

    memory: int
    loads: int = 0
    cards: int = 0
    draws: int = 0
    cut_after: int | None = None

    def to_bytes(self) -> bytes:
        """12 bytes; ProtocolError if it cannot be expressed."""
        self._check()
        cut_after = NOT_YET if self.cut_after is None else self.cut_after
        return pack_body(
            self.LAYOUT, self, self.memory, self.loads, self.cards, self.draws, cut_after
        )

    @classmethod
    def from_bytes(cls, body: bytes) -> Self:
        """What this body of a STATE says; ProtocolError if it cannot be."""
        check_length("a shoe's STATE", body, cls.LAYOUT.size)
        memory, loads, cards, draws, cut_after = cls.LAYOUT.unpack_from(body)
        state = cls(memory, loads, cards, draws, None if cut_after == NOT_YET else cut_after)
        state._check()
        return state

    def words(self) -> str:
        """For people, field by field."""
        return " ".join(f"{name} {value}" for name, value in self.facts().items())

    def facts(self) -> dict[str, str]:
        """What it says, for people: a name and a value for each field, and the cards left."""
        cut = "in the shoe" if self.cut_after is None else f"out after {self.cut_after}"
        return {
            "memory": f"{self.memory:#x}",
            "loads": str(self.loads),
            "cards": str(self.cards),
            "drawn": str(self.draws),
            "cards left": str(self.cards - self.draws),
            "cut card": cut,
        }

    def _check(self) -> None:
        if self.cut_after is not None and self.cut_after > self.draws:
            raise ProtocolError(
                f"the cut card out after {self.cut_after} cards, and only {self.draws} have left"
            )
