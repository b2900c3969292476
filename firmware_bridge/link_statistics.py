"""A link's figures, for the technician."""

from dataclasses import dataclass, field

from firmware_bridge.board.framing import FrameCounts


@dataclass(slots=True)
class RoundTrips:
    """How long answers have taken, in milliseconds."""

    count: int = 0
    last_ms: float = 0.0
    total_ms: float = 0.0

    @property
    def mean_ms(self) -> float:
        """0 if there was none."""
        return self.total_ms / self.count if self.count else 0.0

    def took(self, milliseconds: float) -> None:
        """Another answer has come after so long."""
        self.count += 1
        self.last_ms = milliseconds
        self.total_ms += milliseconds


@dataclass(slots=True)
class LinkStatistics:
    """A link's figures since start; `received` counts the frames, good and bad.

    `round_trips`: from sending a WANT to the STATE that has it applied, retries included.
    """

    received: FrameCounts = field(default_factory=FrameCounts)
    sent: int = 0
    refused: int = 0  # the line took no more
    retries: int = 0  # HELLO again without an IDENTITY, WANT again without having been applied
    malformed: int = 0  # good frames with a wrong message in them
    unknown: int = 0  # good frames of a type this version does not know
    unasked: int = 0  # states and identities that belong to no connection of ours
    stale: int = 0
    connections: int = 0
    restless: bool = False  # found and lost without end: see `BoardChanges`
    boots: int = 0  # boards found with another boot number than the one before
    round_trips: RoundTrips = field(default_factory=RoundTrips)
