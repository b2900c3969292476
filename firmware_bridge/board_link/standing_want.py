"""The WANT for a board until the next one: its number, and whether it is applied."""

import secrets

from firmware_bridge.board_link.protocol import Want


class StandingWant:
    """The WANT that a link repeats; times are seconds of the loop's clock."""

    __slots__ = ("_first", "body", "message", "number", "unapplied_since")

    def __init__(self, body: bytes) -> None:
        """`body`: the first WANT's."""
        self.body = body
        self.message = b""
        self.unapplied_since: float | None = None
        # Random, so that an old STATE does not seem to have applied a WANT of this start.
        self.number = secrets.randbelow(0xFFFF)
        self._first = 1

    def renew(self, now: float) -> None:
        """Make another number and message: the body differs, or a connection begins."""
        self.number = self.number % 0xFFFF + 1
        self.message = Want(self.number, self.body).to_bytes()
        self.unapplied_since = now

    def begin_connection(self) -> None:
        """Begin a connection: only this number and later ones belong to it."""
        self._first = self.number

    def is_of_this_connection(self, applied: int) -> bool:
        """Whether a board that has applied this number has heard us in this connection."""
        first = self._first
        return applied != 0 and (applied - first) % 0x10000 <= (self.number - first) % 0x10000
