"""What hangs at the guest's USB adapters: the boards, and the customer display.

QEMU's socket is the plug: while a board is connected to it, the adapter is in its USB socket.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from pathlib import Path

from devices.sim.display import SimulatedDisplay
from devices.sim.memory import CabinetState
from devices.sim.plug import SimulatedCable
from devices.sim.rail import SimulatedRail
from devices.sim.shuffler import SimulatedShuffler
from firmware_bridge.board_session.protocol import BoardKind
from tests.firmware_bridge.micropython.rail_process import ClockedRail, RailPower
from tests.firmware_bridge.micropython.shuffler_process import ClockedShuffler, ShufflerPower

FIRMWARE = (
    "the rail's and the shuffler's are firmware_bridge/board in MicroPython, a process for each "
    "boot, with a key in a file; the display is simulated"
)

DEVICES = ("rail", "display", "shuffler")
PLUG_AGAIN_S = 0.1
HEARD_CHUNKS = 20

OWN_KEY, STRANGERS_KEY = "rail.key", "strangers.key"


class SocketEnd:
    """The device's end of a cable, at one of QEMU's sockets."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: asyncio.StreamWriter | None = None
        self._task: asyncio.Task[None] | None = None
        self._heard: deque[bytes] = deque(maxlen=HEARD_CHUNKS)
        self.on_received: Callable[[bytes], None] | None = None

    def send(self, data: bytes) -> None:
        """Lost if the cable is not plugged in."""
        self._heard.append(data)
        self._write(data)

    def repeat(self) -> None:
        """What somebody does who has listened to the line: send the newest of it once more."""
        self._write(b"".join(self._heard))

    def _write(self, data: bytes) -> None:
        if self._writer is not None:
            self._writer.write(data)

    def plug(self) -> None:
        """Put the adapter in, and again whenever the machine has come back."""
        if self._task is None:
            self._task = asyncio.ensure_future(self._stay_plugged())

    def unplug(self) -> None:
        """Pull the adapter."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._close()

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    async def _stay_plugged(self) -> None:
        while True:
            try:
                reader, self._writer = await asyncio.open_unix_connection(str(self._path))
                while data := await reader.read(4096):
                    if self.on_received is not None:
                        self.on_received(data)
            except OSError:  # the machine has no power
                pass
            self._close()
            await asyncio.sleep(PLUG_AGAIN_S)


class Boards:
    """Rail, display and shuffler; the panel's lines are the guest's own."""

    def __init__(self, folder: Path) -> None:
        loop = asyncio.get_running_loop()
        self.state = CabinetState()
        self._folder, self._rail_key = folder, OWN_KEY
        self.rail, self.shuffler = self._fit_rail(loop), self._fit_shuffler(loop)
        self.display = SimulatedDisplay()
        self._cables = {
            "rail": self.rail.cable,
            "shuffler": self.shuffler.cable,
            "display": SimulatedCable(loop, self.display.receive),
        }
        self._ends = {name: SocketEnd(folder / name) for name in self._cables}
        for name, cable in self._cables.items():
            cable.attach(self._ends[name])

    def _fit_rail(self, loop: asyncio.AbstractEventLoop) -> SimulatedRail:
        kind = BoardKind.SLOT_RAIL
        rail = SimulatedRail(loop, kind, self.state, remember_nothing)

        def start(boot: int) -> ClockedRail:
            return ClockedRail(kind, boot, loop, rail.run_board, self._folder / self._rail_key)

        power = RailPower(start)
        rail.fit_board(power.boot, power.stop)
        return rail

    def _fit_shuffler(self, loop: asyncio.AbstractEventLoop) -> SimulatedShuffler:
        kind, key = BoardKind.SHUFFLER, self._folder / "shuffler.key"
        shuffler = SimulatedShuffler(loop, kind, self.state, remember_nothing)
        power = ShufflerPower(
            lambda boot: ClockedShuffler(kind, boot, loop, shuffler.run_board, key)
        )
        shuffler.fit_board(power.boot, power.stop)
        return shuffler

    def plug(self, name: str) -> None:
        """Put a device's USB adapter in."""
        self._cables[name].connect(True)

    def pull(self, name: str) -> None:
        """Pull a device's USB adapter."""
        self._cables[name].connect(False)

    def switch(self, on: bool) -> None:
        """The boards' own supply."""
        self.rail.power(on)
        self.shuffler.power(on)
        self.display.power(on)

    def reboot_rail(self) -> None:
        """The rail's supply fails for an instant."""
        self.rail.power(False)
        self.rail.power(True)

    def exchange_rail(self, key: str) -> None:
        """Another board of the same name is put in, that keeps its key in this file."""
        self.rail.power(False)
        self._rail_key = key
        self.rail.power(True)

    def repeat_rail(self) -> None:
        """Send once more what the rail's board has sent last, its proofs too."""
        self._ends["rail"].repeat()

    def close(self) -> None:
        """Switch everything off, and pull it."""
        self.switch(False)
        for cable in self._cables.values():
            cable.detach()


def remember_nothing() -> None:
    """The cabinet lives as long as this process; only the machine's power goes."""
