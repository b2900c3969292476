"""The cable between a serial device and the controller: in memory, or a pseudo-terminal."""

import asyncio
import errno
import os
import pty
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from firmware_bridge.line import Line
from firmware_bridge.memory_line import memory_wire
from firmware_bridge.repetition import Repeating, Repetition

READ_SIZE = 4096
NOBODY_READS = (errno.EAGAIN, errno.EIO)


class _End(Protocol):
    """The device's end of a cable of any kind."""

    on_received: Callable[[bytes], None] | None

    def send(self, data: bytes) -> None: ...

    def plug(self) -> None: ...

    def unplug(self) -> None: ...


class SimulatedCable:
    """A serial device's cable; `on_received` takes what the controller sends.

    Only the newest connection is used: a restarted controller gets a new one, and nothing receives
    what an abandoned controller still sends.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, on_received: Callable[[bytes], None]
    ) -> None:
        self._loop = loop
        self._on_received = on_received
        self._end: _End | None = None
        self._connected = True

    def line(self) -> Line:
        """Connect a controller in this process."""
        line, end = memory_wire(self._loop)
        self.attach(end)
        return line

    def serve(self, link: Path) -> Path:
        """Connect a controller through a terminal; returns `link`, the symbolic link to it."""
        end = PtyEnd(self._loop, link)
        self.attach(end)
        return link

    def connect(self, connected: bool) -> None:
        """Plug or unplug the cable, or switch its power; a terminal hangs up and comes back."""
        self._connected = connected
        if self._end is not None:
            if connected:
                self._end.plug()
            else:
                self._end.unplug()

    def send(self, data: bytes) -> None:
        """Send to the controller; lost if it does not listen."""
        if data and self._end is not None:
            self._end.send(data)

    @property
    def is_loose(self) -> bool:
        """Whether nobody can hear the device."""
        return self._end is None or not self._connected

    def repetition(self, device: Repetition) -> Repetition | None:
        """What both ends repeat, and a device by itself at a loose cable."""
        if self._end is None or self.is_loose:
            return device
        host = self._end.repetition() if isinstance(self._end, Repeating) else None
        return None if host is None else host.beside(device)

    def detach(self) -> None:
        """Remove the connection."""
        if self._end is not None:
            self._end.unplug()
            self._end.on_received = None
            self._end = None

    def attach(self, end: _End) -> None:
        """Connect a controller at another end of the cable than the one before."""
        self.detach()
        self._end = end
        end.on_received = self._on_received
        self.connect(self._connected)


class PtyEnd:
    """A pseudo-terminal with a link that stays the same while terminals change."""

    def __init__(self, loop: asyncio.AbstractEventLoop, link: Path) -> None:
        self._loop = loop
        self._link = link
        self._master: int | None = None
        self._slave = -1
        self.on_received: Callable[[bytes], None] | None = None

    def plug(self) -> None:
        """Make a new terminal and the link to it."""
        if self._master is not None:
            return
        # Our end of the slave stays open, or the master would hang up whenever it has no reader.
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        fresh = self._link.with_name(self._link.name + ".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(self._slave))
        os.replace(fresh, self._link)
        self._loop.add_reader(self._master, self._readable)

    def unplug(self) -> None:
        """Hang up, and remove the link."""
        if self._master is None:
            return
        self._link.unlink(missing_ok=True)
        self._loop.remove_reader(self._master)
        os.close(self._master)
        os.close(self._slave)
        self._master = None

    def send(self, data: bytes) -> None:
        """Send to the terminal; what its buffer does not take is lost, as on a real wire."""
        if self._master is None:
            return
        try:
            os.write(self._master, data)
        except OSError as error:
            if error.errno not in NOBODY_READS:
                raise

    def _readable(self) -> None:
        if self._master is None:
            return
        try:
            data = os.read(self._master, READ_SIZE)
        except OSError as error:
            if error.errno not in NOBODY_READS:
                raise
            return
        if data and self.on_received is not None:
            self.on_received(data)
