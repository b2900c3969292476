"""What a driver on a board's link tells its listener, each thing once."""

from devices.roles import Device, Event, LinkLost, LinkUp, Listener


class Reporter:
    """Tells of one device: what is seen when it differs, LinkUp when it is usable, LinkLost."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self.up = False
        self.why_down = "not started"
        self._listener: Listener | None = None
        self._seen: Event | None = None

    def start(self, listener: Listener) -> None:
        """From now on `listener` is told."""
        self._listener = listener
        self.why_down = "not found yet"

    def stop(self) -> None:
        """Nobody is told any more."""
        self._listener = None
        self.up = False
        self.why_down = "closed"

    def connected(self) -> None:
        """Another connection: whatever is seen next is told."""
        self._seen = None

    def seen(self, event: Event) -> None:
        """The device tells all it knows; told if it differs from the last time."""
        if self._listener is not None and event != self._seen:
            self._seen = event
            self._listener(event)

    def settled(self) -> None:
        """The device is there and its outputs are written."""
        if self._listener is not None and not self.up:
            self.up, self.why_down = True, ""
            self._listener(LinkUp(self._device))

    def lost(self, why: str) -> None:
        """The device has been silent for its time."""
        self.up, self.why_down = False, why
        if self._listener is not None:
            self._listener(LinkLost(self._device, why))
