"""The bodies of a counting shoe's frames (docs/reference/shoe-protocol.md); its WANT is empty."""

from struct import Struct
from typing import ClassVar, Self

import msgspec

from firmware_bridge.board_session.protocol import check_length, pack_body
from firmware_bridge.protocol_error import ProtocolError

NOT_YET = 0xFFFF


class ShoeWant(msgspec.Struct, frozen=True):
    """A counting shoe's WANT, which is empty."""

    def to_bytes(self) -> bytes:
        """No bytes."""
        return b""

    @classmethod
    def from_bytes(cls, _body: bytes) -> Self:
        """The empty WANT, whatever a later version adds."""
        return cls()

    def words(self) -> str:
        """For people."""
        return "nothing"


class ShoeState(msgspec.Struct, frozen=True):
    """The shoe's whole state, kept without power."""

    LAYOUT: ClassVar = Struct("<IHHHH")

    memory: int
    """Another number when the kept counts were lost."""
    loads: int = 0
    """Shoes put in, modulo 65536."""
    cards: int = 0
    """Cards in the last shoe when it was put in."""
    draws: int = 0
    """Cards that have left the last shoe."""
    cut_after: int | None = None
    """After how many cards the cut card came out; None: not yet."""

    def to_bytes(self) -> bytes:
        """12 bytes. Raises ProtocolError if it cannot be expressed."""
        self._check()
        cut_after = NOT_YET if self.cut_after is None else self.cut_after
        return pack_body(
            self.LAYOUT, self, self.memory, self.loads, self.cards, self.draws, cut_after
        )

    @classmethod
    def from_bytes(cls, body: bytes) -> Self:
        """The content of a STATE's body. Raises ProtocolError."""
        check_length("a shoe's STATE", body, cls.LAYOUT.size)
        memory, loads, cards, draws, cut_after = cls.LAYOUT.unpack_from(body)
        state = cls(memory, loads, cards, draws, None if cut_after == NOT_YET else cut_after)
        state._check()
        return state

    def words(self) -> str:
        """For people, field by field."""
        return " ".join(f"{name} {value}" for name, value in self.facts().items())

    def facts(self) -> dict[str, str]:
        """The state for people: name and value of each field, and the cards left."""
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
