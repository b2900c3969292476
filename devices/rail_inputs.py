"""A rail's sensors and counters as inputs, counted from what its board tells. Pure.

A board tells its state when it changes, and never two within 5 ms: what comes and goes between two
states is not seen here, and pulses are as long as the states are apart. So that no token is missed
the board counts the drops itself.
"""

from collections.abc import Sequence

from devices.contact_count import ContactCount
from devices.figures import InputFigures
from devices.roles import SEATS
from firmware_bridge.board.rail_messages import RailState

SETTLED = 0.0
"""The board has debounced its sensors."""

HALF = 0x8000
"""Of a counter of 16 bits: a difference of so much or more is one that ran backwards."""


class TokenCount:
    """Tokens that fell past a sensor since the service started; nothing before is in it."""

    def __init__(self, name: str, now: float) -> None:
        self.name = name
        self.tokens = 0
        self.since = now

    def add(self, tokens: int, now: float) -> None:
        """So many more; none is nothing."""
        if tokens:
            self.tokens += tokens
            self.since = now

    def figures(self, now: float) -> InputFigures:
        """As told to people: the sensor is closed too briefly to be seen closed."""
        return InputFigures(self.name, False, round((now - self.since) * 1000), self.tokens)


class SeatSensors:
    """The seven seats' sensors, from the first state on."""

    def __init__(self, occupied: int, now: float) -> None:
        self._mask = occupied
        self._sensors = tuple(
            ContactCount(SETTLED, bool(occupied >> seat & 1), now) for seat in range(len(SEATS))
        )

    def take(self, occupied: int, now: float) -> None:
        """The board tells which see something; a bit a seat."""
        changed, self._mask = occupied ^ self._mask, occupied
        if changed:
            for seat, sensor in enumerate(self._sensors):
                sensor.feed(bool(occupied >> seat & 1), now)

    def figures(self, now: float) -> tuple[InputFigures, ...]:
        """`seat 1` to `seat 7`."""
        return tuple(
            sensor.figures(f"seat {seat}", now)
            for seat, sensor in zip(SEATS, self._sensors, strict=True)
        )


class RailInputs:
    """All inputs of a rail board; with `gates` it has drop sensors and a tray that count.

    Counters of a board that has booted, or that ran backwards, begin anew: what fell while they
    did is not counted.
    """

    def __init__(self, boot: int, state: RailState, now: float, *, gates: bool) -> None:
        self._sensors = SeatSensors(state.occupied, now)
        names = [*(f"seat {seat} drop" for seat in SEATS), "tray"] if gates else []
        self._counts = [TokenCount(name, now) for name in names]
        self._boot = boot
        self._counters = _counters(state)

    def take(self, boot: int, state: RailState, now: float) -> None:
        """The board of this boot tells its state."""
        self._sensors.take(state.occupied, now)
        counters = _counters(state)
        if boot == self._boot and counters != self._counters:
            for count, old, new in zip(self._counts, self._counters, counters, strict=False):
                more = (new - old) & 0xFFFF
                count.add(more if more < HALF else 0, now)
        self._boot, self._counters = boot, counters

    def figures(self, now: float) -> tuple[InputFigures, ...]:
        """Sensors, then drops, then the tray."""
        return (*self._sensors.figures(now), *(count.figures(now) for count in self._counts))


class AcceptorInputs:
    """All inputs of a rail whose acceptors credit the tokens, from the rail's start on."""

    def __init__(self, now: float) -> None:
        self._sensors: SeatSensors | None = None
        self._credits = [TokenCount(f"seat {seat} credit", now) for seat in SEATS]

    def take(self, slots: RailState, now: float) -> None:
        """The slot board tells its state."""
        if self._sensors is None:
            self._sensors = SeatSensors(slots.occupied, now)
        else:
            self._sensors.take(slots.occupied, now)

    def credit(self, seat: int, tokens: int, now: float) -> None:
        """The acceptor of a seat has credited so many more; none is nothing."""
        self._credits[seat - 1].add(tokens, now)

    def figures(self, now: float) -> tuple[InputFigures, ...]:
        """The slots' sensors, once the board has told, then the credits."""
        slots = () if self._sensors is None else self._sensors.figures(now)
        return (*slots, *(count.figures(now) for count in self._credits))


def _counters(state: RailState) -> Sequence[int]:
    return (*state.drops, state.tray)
