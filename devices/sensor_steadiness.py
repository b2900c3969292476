"""Flapping sensors of a rail, and what is believed of them. Pure: times are in seconds.

A sensor that changes more often than people can move tokens is *unsteady*: it is taken for free,
and its changes are only counted, until it has rested. The counters of drops stay as they are.
"""

from collections.abc import Iterator

from devices.change_flow import REST_S, ChangeFlow
from devices.roles import SEATS, SensorSteady

BURST = 40
REFILL_S = 3.0
"""More than `BURST` changes at once, and one in `REFILL_S` afterwards, are no person's."""


class _Sensor(ChangeFlow):
    __slots__ = ("changed_at",)

    def __init__(self) -> None:
        super().__init__(BURST, REFILL_S)
        self.changed_at = 0.0

    def take(self, now: float) -> None:
        super().take(now)
        self.changed_at = now


class SensorSteadiness:
    """The seats' sensors since the first report."""

    def __init__(self) -> None:
        self._sensors: dict[int, _Sensor] = {}
        self._occupied: frozenset[int] = frozenset()

    def take(self, occupied: frozenset[int], now: float) -> None:
        """Take what the sensors see now."""
        if not self._sensors:
            self._sensors = {seat: _Sensor() for seat in SEATS}
        for seat in self._occupied ^ occupied:
            self._sensors[seat].take(now)
        self._occupied = occupied

    @property
    def unsteady(self) -> frozenset[int]:
        """Seats whose sensor flaps."""
        return frozenset([seat for seat, sensor in self._sensors.items() if sensor.unsteady])

    @property
    def believed(self) -> frozenset[int]:
        """Seats whose sensor sees something and is steady."""
        return self._occupied - self.unsteady

    @property
    def deadline(self) -> float | None:
        """When `settle` is due unless a sensor changes before; None: all are steady."""
        changed = [sensor.changed_at for sensor in self._sensors.values() if sensor.unsteady]
        return min(changed) + REST_S if changed else None

    def settle(self, now: float) -> Iterator[SensorSteady]:
        """Believe the sensors again that have rested; how many of their changes were left out."""
        for seat, sensor in self._sensors.items():
            if sensor.unsteady and now >= sensor.changed_at + REST_S:
                sensor.unsteady = False
                yield SensorSteady(seat, sensor.left_out)

    @property
    def state(self) -> dict[str, str]:
        """The unsteady seats with their changes left out, for people; nothing if all are steady."""
        counts = [f"{seat} ({s.left_out})" for seat, s in self._sensors.items() if s.unsteady]
        return {"unsteady": " ".join(counts)} if counts else {}
