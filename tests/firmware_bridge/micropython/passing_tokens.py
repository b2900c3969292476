"""Tokens that pass the sensors of a rail with gates, one after the other at each sensor."""

SENSORS = 8
"""The drop sensors of seats 1 to 7, and the tray's."""

TRAY = 7

PASS_MS = 12
"""How long a token covers a sensor, and at least how long it is free before the next one."""


class PassingTokens:
    """`levels` is the mask of the sensors that see a token now."""

    def __init__(self) -> None:
        self.levels = 0
        self._waiting = [0] * SENSORS
        self._until = [0] * SENSORS

    def add(self, sensor: int) -> None:
        """Let a token come to this sensor: 0 to 6 are the seats', 7 is the tray's."""
        self._waiting[sensor] += 1

    def advance(self, now_ms: int) -> None:
        """Move them on."""
        for sensor in range(SENSORS):
            if now_ms < self._until[sensor]:
                continue
            if self.levels >> sensor & 1:
                self.levels ^= 1 << sensor
                self._until[sensor] = now_ms + PASS_MS
            elif self._waiting[sensor]:
                self._waiting[sensor] -= 1
                self.levels |= 1 << sensor
                self._until[sensor] = now_ms + PASS_MS

    def next_wake(self, now_ms: int) -> int | None:
        """When they move again; None if none is there."""
        moves = [
            max(self._until[sensor], now_ms + 1)
            for sensor in range(SENSORS)
            if self.levels >> sensor & 1 or self._waiting[sensor]
        ]
        return min(moves) if moves else None
