"""A line's figures, for the technician."""

from msgspec import Struct, field


class FrameCounts(Struct):
    """A deframer's counts; `frames` are the good ones."""

    frames: int = 0
    bad_crc: int = 0
    bad_cobs: int = 0
    too_long: int = 0

    @property
    def bad(self) -> int:
        """Everything between two delimiters that was not a frame."""
        return self.bad_crc + self.bad_cobs + self.too_long


class RoundTrips(Struct):
    """The times that answers took, in milliseconds."""

    count: int = 0
    last_ms: float = 0.0
    total_ms: float = 0.0

    @property
    def mean_ms(self) -> float:
        """The mean time; 0 without an answer."""
        return self.total_ms / self.count if self.count else 0.0

    def took(self, milliseconds: float) -> None:
        """Note an answer that took so long."""
        self.count += 1
        self.last_ms = milliseconds
        self.total_ms += milliseconds


class LineStatistics(Struct):
    """A line's figures since the start.

    `round_trips`: from sending a WANT to the STATE that has it applied, with retries.
    """

    received: FrameCounts = field(default_factory=FrameCounts)
    sent: int = 0
    refused: int = 0  # frames that the line did not take
    retries: int = 0  # HELLO again without an IDENTITY, WANT again because it was not applied
    malformed: int = 0  # good frames with an invalid message
    unknown: int = 0  # good frames of an unknown type
    unproven: int = 0  # invented, repeated, or by another key (version 2)
    connections: int = 0
    restless: bool = False  # found and lost again and again: see `BoardChanges`
    boots: int = 0  # boards found with another boot number than the one before
    round_trips: RoundTrips = field(default_factory=RoundTrips)
