"""A line in memory: the host's end is a `Line`, the other end belongs to a simulated device.

Bytes pass through `loop.call_soon`, so virtual time stands still meanwhile. The faults of a wire
are injected at the device's end, for each piece sent, and are repeatable by a seed.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from firmware_bridge.line import LineUser
from firmware_bridge.repetition import Repeating, Repetition

BACK_AFTER_S = 0.1
"""After so long the host finds a port that is back, or that it dropped."""

LONGEST_QUEUE = 65536
"""Bytes on their way in one direction; further ones are refused (host) or lost (device)."""


@dataclass(slots=True)
class WireFaults:
    """What a direction of the wire does to each piece: probabilities, and two switches."""

    drop: float = 0.0
    repeat: float = 0.0
    cut: float = 0.0
    garbage: float = 0.0
    byte_at_a_time: bool = False
    silent: bool = False
    seed: int = 0
    _chance: Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._chance = Random(self.seed)

    def apply(self, data: bytes) -> list[bytes]:
        """The pieces that arrive when this piece is sent."""
        chance = self._chance
        if self.silent or chance.random() < self.drop:
            return []
        if chance.random() < self.cut:
            data = data[: chance.randrange(len(data) + 1)]
        if chance.random() < self.garbage:
            data = chance.randbytes(chance.randrange(1, 9)) + data
        if chance.random() < self.repeat:
            data += data
        if self.byte_at_a_time:
            return [data[at : at + 1] for at in range(len(data))]
        return [data]


class _Direction:
    """Bytes on their way to one end."""

    __slots__ = ("_deliver", "_loop", "_pieces", "_size", "faults")

    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[bytes], None]) -> None:
        self._loop = loop
        self._deliver = deliver
        self._pieces: list[bytes] = []
        self._size = 0
        self.faults: WireFaults | None = None

    def put(self, data: bytes) -> bool:
        """Send them on their way; False: there is no room for them."""
        if self._size + len(data) > LONGEST_QUEUE:
            return False
        for piece in [data] if self.faults is None else self.faults.apply(data):
            if not self._pieces:
                self._loop.call_soon(self._arrive)
            self._pieces.append(piece)
            self._size += len(piece)
        return True

    @property
    def rests(self) -> bool:
        """Whether nothing is on its way, and nothing is lost or changed on it."""
        return not self._pieces and self.faults is None

    def lose_all(self) -> None:
        # Cleared, not replaced: then the pending call finds nothing, and `put` schedules another.
        self._pieces.clear()
        self._size = 0

    def _arrive(self) -> None:
        pieces, self._pieces, self._size = self._pieces, [], 0
        for piece in pieces:
            self._deliver(piece)


class MemoryLine:
    """The host's end: a `Line` that is up while the device's end is plugged."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._user: LineUser | None = None
        self._up = False
        self._opening: asyncio.TimerHandle | None = None
        self.device = DeviceEnd(loop, self)
        self.incoming = _Direction(loop, self._deliver)

    def start(self, user: LineUser) -> None:
        """See `Line.start`."""
        self._user = user
        if self.device.plugged:
            self._loop.call_soon(self._open)
        else:
            self._loop.call_soon(self._report_down, "unplugged")

    def send(self, data: bytes) -> bool:
        """See `Line.send`."""
        return self._up and self.device.outgoing.put(data)

    def drop(self, why: str) -> None:
        """See `Line.drop`."""
        self.lose(why)
        if self.device.plugged:
            self.open_later()

    def close(self) -> None:
        """See `Line.close`."""
        self._user = None
        self._shut()

    def repetition(self) -> Repetition | None:
        """See `Repeating`: what its user repeats on the open port."""
        user, rests = self._user, self.incoming.rests and self.device.outgoing.rests
        if user is None or not self._up or not rests:
            return None
        return user.repetition() if isinstance(user, Repeating) else None

    def lose(self, why: str) -> None:
        """Close the port: the device's end was unplugged."""
        was_up = self._up
        self._shut()
        if was_up:
            self._loop.call_soon(self._report_down, why)

    def open_later(self) -> None:
        """Open the port after the pause, because it is there again."""
        if self._user is not None and not self._up and self._opening is None:
            self._opening = self._loop.call_later(BACK_AFTER_S, self._open)

    def _shut(self) -> None:
        self._up = False
        if self._opening is not None:
            self._opening.cancel()
            self._opening = None
        self.incoming.lose_all()
        self.device.outgoing.lose_all()

    def _open(self) -> None:
        self._opening = None
        if self._user is not None and self.device.plugged and not self._up:
            self._up = True
            self._user.line_up()

    def _report_down(self, why: str) -> None:
        if self._user is not None:
            self._user.line_down(why)

    def _deliver(self, data: bytes) -> None:
        if self._user is not None and self._up:
            self._user.line_received(data)


class DeviceEnd:
    """The device's end: sends and receives while plugged, whether or not a host listens.

    `on_received` takes what the host sends. `inject` sets the faults of each direction.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, host: MemoryLine) -> None:
        self._host = host
        self.plugged = True
        self.on_received: Callable[[bytes], None] | None = None
        self.outgoing = _Direction(loop, self._deliver)

    def send(self, data: bytes) -> None:
        """Send to the host; lost if it does not listen, as on a real wire."""
        if data and self.plugged:
            self._host.incoming.put(data)

    def repetition(self) -> Repetition | None:
        """See `Repeating`: what the host repeats."""
        return self._host.repetition()

    def plug(self) -> None:
        """Put the plug in; the host finds it after its pause."""
        if not self.plugged:
            self.plugged = True
            self._host.open_later()

    def unplug(self) -> None:
        """Pull the plug; bytes on their way are lost."""
        if self.plugged:
            self.plugged = False
            self._host.lose("unplugged")

    def inject(
        self, *, to_host: WireFaults | None = None, to_device: WireFaults | None = None
    ) -> None:
        """Set the faults of each direction; None: no faults."""
        self._host.incoming.faults = to_host
        self.outgoing.faults = to_device

    def _deliver(self, data: bytes) -> None:
        if self.plugged and self.on_received is not None:
            self.on_received(data)


def memory_wire(loop: asyncio.AbstractEventLoop) -> tuple[MemoryLine, DeviceEnd]:
    """A plugged wire: the host's end and the device's end."""
    line = MemoryLine(loop)
    return line, line.device
