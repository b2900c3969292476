"""A rail's sensors and counters as inputs, counted from its board's states. Pure.

A board reports its state when it changes, at intervals of at least 5 ms. Changes in between are not
seen here, and pulses have the length between two states. The board counts the drops itself, so no
token is missed.
"""

from collections.abc import Sequence

from devices.contact_count import ContactCount
from devices.figures import InputFigures
from devices.roles import SEATS
from firmware_bridge.board_session.rail_messages import RailState
from firmware_bridge.counter import CYCLE, HALF_CYCLE

SETTLED = 0.0
"""The board debounces its sensors itself."""


class TokenCount:
    """Tokens that fell past a sensor since the service started."""

    def __init__(self, name: str, now: float) -> None:
        self.name = name
        self.tokens = 0
        self.since = now

    def add(self, tokens: int, now: float) -> None:
        """Count this number of further tokens, which may be 0."""
        if tokens:
            self.tokens += tokens
            self.since = now

    def figures(self, now: float) -> InputFigures:
        """The figures for people; the sensor is closed too briefly to be seen closed."""
        return InputFigures(self.name, False, round((now - self.since) * 1000), self.tokens)


class SeatSensors:
    """The seven seats' sensors, from the first state on."""

    def __init__(self, occupied: int, now: float) -> None:
        self._mask = occupied
        self._sensors = tuple(
            ContactCount(SETTLED, bool(occupied >> seat & 1), now) for seat in range(len(SEATS))
        )

    def take(self, occupied: int, now: float) -> None:
        """Take the mask of the sensors that see something; one bit for each seat."""
        changed, self._mask = occupied ^ self._mask, occupied
        if changed:
            for seat, sensor in enumerate(self._sensors):
                if changed >> seat & 1:
                    sensor.feed(bool(occupied >> seat & 1), now)

    def figures(self, now: float) -> tuple[InputFigures, ...]:
        """The figures `seat 1` to `seat 7`."""
        return tuple(
            sensor.figures(f"seat {seat}", now)
            for seat, sensor in zip(SEATS, self._sensors, strict=True)
        )


class RailInputs:
    """All inputs of a rail board; with `gates`, also drop sensors and the tray's counter.

    Counters start again when the board boots or when they run backwards; tokens that fell meanwhile
    are not counted.
    """

    def __init__(self, boot: int, state: RailState, now: float, *, gates: bool) -> None:
        self._sensors = SeatSensors(state.occupied, now)
        names = [*(f"seat {seat} drop" for seat in SEATS), "tray"] if gates else []
        self._counts = [TokenCount(name, now) for name in names]
        self._boot = boot
        self._counters = _counters(state)

    def take(self, boot: int, state: RailState, now: float) -> None:
        """Take the state of the board with this boot number."""
        self._sensors.take(state.occupied, now)
        counters = _counters(state)
        if boot == self._boot and counters != self._counters:
            for count, old, new in zip(self._counts, self._counters, counters, strict=False):
                more = (new - old) % CYCLE
                if 0 < more < HALF_CYCLE:
                    count.add(more, now)
        self._boot, self._counters = boot, counters

    def figures(self, now: float) -> tuple[InputFigures, ...]:
        """The figures of the sensors, then of the drops, then of the tray."""
        return (*self._sensors.figures(now), *(count.figures(now) for count in self._counts))


class AcceptorInputs:
    """All inputs of a rail whose acceptors credit the tokens, from the rail's start on."""

    def __init__(self, now: float) -> None:
        self._sensors: SeatSensors | None = None
        self._credits = [TokenCount(f"seat {seat} credit", now) for seat in SEATS]

    def take(self, slots: RailState, now: float) -> None:
        """Take the slot board's state."""
        if self._sensors is None:
            self._sensors = SeatSensors(slots.occupied, now)
        else:
            self._sensors.take(slots.occupied, now)

    def credit(self, seat: int, tokens: int, now: float) -> None:
        """Count this number of further credits of a seat's acceptor, which may be 0."""
        self._credits[seat - 1].add(tokens, now)

    def figures(self, now: float) -> tuple[InputFigures, ...]:
        """The figures of the slots' sensors, once the board has reported, then of the credits."""
        slots = () if self._sensors is None else self._sensors.figures(now)
        return (*slots, *(count.figures(now) for count in self._credits))


def _counters(state: RailState) -> Sequence[int]:
    return (*state.drops, state.tray)
