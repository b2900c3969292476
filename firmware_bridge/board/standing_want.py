"""What is wanted of a board until something else is: its number, and whether it is applied."""

import secrets

from firmware_bridge.board.framing import encode
from firmware_bridge.board.protocol import Want


class StandingWant:
    """The WANT a link repeats; the times are seconds of the loop's clock."""

    __slots__ = ("_first", "body", "frame", "number", "unapplied_since")

    def __init__(self, body: bytes) -> None:
        """`body` is wanted first."""
        self.body = body
        self.frame = b""
        self.unapplied_since: float | None = None
        # Anywhere, so that an old STATE is not taken for one that has applied a WANT of this start.
        self.number = secrets.randbelow(0xFFFF)
        self._first = 1

    def renew(self, now: float) -> None:
        """Another number and another frame: the body differs, or a connection begins."""
        self.number = self.number % 0xFFFF + 1
        self.frame = encode(Want(self.number, self.body).to_bytes())
        self.unapplied_since = now

    def begin_connection(self) -> None:
        """Only this number and later ones are of the connection that has just begun."""
        self._first = self.number

    def is_of_this_connection(self, applied: int) -> bool:
        """Whether a board that has applied this number has heard us since the connection began."""
        first = self._first
        return applied != 0 and (applied - first) % 0x10000 <= (self.number - first) % 0x10000
