"""A line: a serial port, opened again whenever it is gone, or its stand-in in memory."""

from typing import Protocol


class LineUser(Protocol):
    """The user of a line; called on the event loop's thread, never from within `send`."""

    def line_up(self) -> None:
        """The port is open; what is at its other end is not known yet."""

    def line_received(self, data: bytes) -> None:
        """Bytes arrived, in pieces of any size."""

    def line_down(self, why: str) -> None:
        """The port is gone (unplugged, hung up, dropped), and is searched for again."""


class Line(Protocol):
    """A port that is opened again whenever it is lost, with a growing pause between attempts."""

    def start(self, user: LineUser) -> None:
        """Open the port, now and whenever it is gone, until `close`."""

    def send(self, data: bytes) -> bool:
        """Queue bytes; False, and nothing queued, while the port is down or its buffer is full."""

    def drop(self, why: str) -> None:
        """Close the port at once, discard unsent bytes, and open it again."""

    def close(self) -> None:
        """Close the port at once and for good."""
