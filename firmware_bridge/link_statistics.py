"""A link's figures, for the technician."""

from dataclasses import dataclass, field

from firmware_bridge.framing import FrameCounts


@dataclass(slots=True)
class LinkStatistics:
    """A link's figures since start; `received` counts the frames, good and bad."""

    received: FrameCounts = field(default_factory=FrameCounts)
    sent: int = 0
    refused: int = 0  # the line took no more
    malformed: int = 0  # good frames with a wrong message in them
    unknown: int = 0  # good frames of a type this version does not know
    unasked: int = 0  # states and identities that belong to no connection of ours
    stale: int = 0
    connections: int = 0
    round_trips: int = 0
    round_trip_last_ms: float = 0.0
    round_trip_total_ms: float = 0.0

    @property
    def round_trip_mean_ms(self) -> float:
        """From sending a WANT to the STATE that has it applied, retries included."""
        return self.round_trip_total_ms / self.round_trips if self.round_trips else 0.0

    def applied_after(self, milliseconds: float) -> None:
        """A WANT sent so long ago has been applied."""
        self.round_trips += 1
        self.round_trip_last_ms = milliseconds
        self.round_trip_total_ms += milliseconds
