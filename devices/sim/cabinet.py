"""The simulated cabinet: what people do to it, what they see, where a controller connects.

It is pure physics and knows nothing about the meaning of a press or a token.
"""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from devices.device import Device
from devices.door_reports import DoorContact
from devices.panel_wiring import DoorWiring, PanelWiring
from devices.roles import KeyPosition, Lamp
from devices.sim.display import SimulatedDisplay
from devices.sim.memory import CabinetMemory, CabinetState
from devices.sim.panel import SimulatedPanel
from devices.sim.plug import SimulatedCable
from devices.sim.rail import PhysicallyImpossible, SimulatedRail
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.line import Line
from firmware_bridge.repetition import Repeating, Repetition

if TYPE_CHECKING:
    from devices.sim.cctalk import SimulatedCcTalkRail
    from devices.sim.reading_shoe import SimulatedReadingShoe
    from devices.sim.shoe import SimulatedShoe
    from devices.sim.shuffler import SimulatedShuffler

SHUFFLERS = {
    "dealer": BoardKind.SHUFFLER,
    "mixer": BoardKind.MIXER,
    "deck": BoardKind.DECK_SHUFFLER,
}
RAILS = {"slot": BoardKind.SLOT_RAIL, "sensor": BoardKind.SENSOR_RAIL}


class CardMachines:
    """The part of a cabinet for cards: a game has a shoe, a shuffler, both or neither."""

    def __init__(self, shoe: "SimulatedShoe | None", shuffler: "SimulatedShuffler | None") -> None:
        self._shoe = shoe
        self._shuffler = shuffler

    def take_packet(self) -> int:
        """Take the packet at the exit; returns its number of cards, 0 if none can be taken."""
        return len(self.shuffler.take_packet())

    def green_light(self) -> bool:
        """Whether a shuffler's green light is lit: nothing is left of the deck in play."""
        return self._shuffler is not None and self._shuffler.green_light()

    def ready_light(self) -> bool:
        """Whether a deck shuffler's green light is lit: GREEN would be accepted."""
        return self._shuffler is not None and self._shuffler.ready_light()

    @property
    def shoe(self) -> "SimulatedShoe":
        """The shoe. Raises PhysicallyImpossible without one."""
        if self._shoe is None:
            raise PhysicallyImpossible("this cabinet has no shoe")
        return self._shoe

    @property
    def reading_shoe(self) -> "SimulatedReadingShoe":
        """The shoe that reads. Raises PhysicallyImpossible without one."""
        from devices.sim.reading_shoe import SimulatedReadingShoe

        if not isinstance(self._shoe, SimulatedReadingShoe):
            raise PhysicallyImpossible("this cabinet has no shoe that reads")
        return self._shoe

    @property
    def shuffler(self) -> "SimulatedShuffler":
        """The shuffler, or the mixer. Raises PhysicallyImpossible without one."""
        if self._shuffler is None:
            raise PhysicallyImpossible("this cabinet has no shuffler")
        return self._shuffler


class Board(Protocol):
    """A device with its own electronics at a serial cable."""

    cable: SimulatedCable

    def power(self, on: bool) -> None:
        """Switch its power."""


class SimulatedCabinet(CardMachines):
    """A cabinet with power, the key in R and everything plugged, unless `memory` says otherwise.

    `rail`: "slot", "sensor", "cctalk" or None; `shoe`: "counting", "reading"; `shuffler`: "dealer",
    "mixer", "deck".
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        *,
        rail: str | None,
        inspector_fitted: bool,
        memory: CabinetMemory | None = None,
        shoe: str | None = None,
        shuffler: str | None = None,
        doors: DoorWiring | None = None,
    ) -> None:
        self._memory = memory
        self.watchers: list[Callable[[], None]] = []
        """Called when anything lies or moves otherwise, or the display shows something else."""
        self._state = CabinetState() if memory is None else memory.load()
        self.panel = SimulatedPanel(
            loop,
            PanelWiring(),
            self._state,
            inspector_fitted=inspector_fitted,
            doors=doors,
        )
        self.display = SimulatedDisplay(self._tell)
        self.display_cable = SimulatedCable(loop, self.display.receive)
        self._boards: dict[Device, Board] = {}
        self._rail: SimulatedRail | None = None
        self.cctalk: SimulatedCcTalkRail | None = None
        if rail == "cctalk":
            self._rail = self.cctalk = _make_acceptors(loop, self._state, self._remember)
        elif rail is not None:
            self._rail = SimulatedRail(loop, RAILS[rail], self._state, self._remember)
        if self._rail is not None:
            self._boards[Device.RAIL] = self._rail
        a_shoe = _make_shoe(shoe, loop, self._state, self._remember) if shoe else None
        if a_shoe is not None:
            self._boards[Device.SHOE] = a_shoe
        machine = None
        if shuffler is not None:
            machine = _make_shuffler(shuffler, loop, self._state, self._remember)
            self._boards[Device.SHUFFLER] = machine
        super().__init__(a_shoe, machine)
        self._power(True)

    # What people do

    def turn_key(self, position: KeyPosition | None) -> None:
        """Turn the key to a position; None: between two."""
        self.panel.turn_key(position)
        self._remember()

    def inspector(self, present: bool) -> None:
        """Let the inspector come or go."""
        self._state.inspector = present
        self.panel.drive()
        self._remember()

    def move_door(self, door: DoorContact, *, opened: bool) -> None:
        """Open or shut a door. Opening sets the latch, with power and without; LATCH resets it."""
        contacts = {door, DoorContact.LATCH} if opened else {door}
        (self._state.doors.update if opened else self._state.doors.difference_update)(contacts)
        self.panel.drive()
        self._remember()

    def unplug(self, device: Device) -> None:
        """Pull a device's cable; a board keeps its power, the display does not."""
        self._state.unplugged.add(self._check_fitted(device))
        self._connect()

    def plug(self, device: Device) -> None:
        """Put a device's cable in again."""
        self._state.unplugged.discard(self._check_fitted(device))
        self._connect()

    def cut_power(self) -> None:
        """Cut the power of the whole table; the controller's process is gone too."""
        self.panel.new_pins()
        self._power(False)

    def restore_power(self) -> None:
        """Restore the power: the board boots, the Pi's lines start anew."""
        if not self._state.powered:
            self.panel.new_pins()
        self._power(True)

    @property
    def rail(self) -> SimulatedRail:
        """The coin rail. Raises PhysicallyImpossible without one."""
        if self._rail is None:
            raise PhysicallyImpossible("this cabinet has no coin rail")
        return self._rail

    # What people see

    def slot_lamps(self) -> dict[int, Lamp]:
        """The slot lamps of seats 1 to 7; none without a rail."""
        return {} if self._rail is None else self._rail.lamps()

    def open_gates(self) -> frozenset[int]:
        """The seats whose gate is open."""
        return frozenset() if self._rail is None else self._rail.gates()

    @property
    def tray_count(self) -> int:
        """The number of tokens in the tray."""
        return self._state.tray_tokens

    @property
    def state(self) -> CabinetState:
        """Where everything is; read only."""
        return self._state

    # Where a controller connects

    @property
    def pin_factory(self) -> Any:
        """The gpiozero factory of the Pi's lines; a new one after each power cut."""
        return self.panel.factory

    def cctalk_line(self) -> Line:
        """A new line to the rail's acceptors, for a controller in this process."""
        return self._the_acceptors().bus.line()

    def serve_pty(self, device: Device, folder: Path) -> Path:
        """A pseudo-terminal for a device with a serial cable; the path stays the same."""
        return self._cable(device).serve(folder / device.value)

    def serve_cctalk_pty(self, folder: Path) -> Path:
        """A pseudo-terminal for the line of the rail's acceptors."""
        return self._the_acceptors().bus.serve(folder / "cctalk")

    def repetitions(self) -> Iterator[Repetition | None]:
        """What repeats itself between the cabinet and its controller."""
        yield self.display_cable.repetition(self.display.repetition())
        for board in self._boards.values():
            if isinstance(board, Repeating):
                yield board.repetition()

    def close(self) -> None:
        """Remove every connection, with its terminals and links."""
        self.display_cable.detach()
        for board in self._boards.values():
            board.power(False)
            board.cable.detach()
        if self.cctalk is not None:
            self.cctalk.bus.detach()

    def _cable(self, device: Device) -> SimulatedCable:
        if device is Device.DISPLAY:
            return self.display_cable
        if device in self._boards:
            return self._boards[device].cable
        raise PhysicallyImpossible(f"the {device.value} has no serial cable in this cabinet")

    def _check_fitted(self, device: Device) -> Device:
        if device is not Device.PANEL:
            self._cable(device)
        return device

    def _the_acceptors(self) -> "SimulatedCcTalkRail":
        if self.cctalk is None:
            raise PhysicallyImpossible("this cabinet's rail has no acceptors")
        return self.cctalk

    def _power(self, on: bool) -> None:
        self._state.powered = on
        for board in self._boards.values():
            board.power(on)
        self._connect()

    def _connect(self) -> None:
        powered, unplugged = self._state.powered, self._state.unplugged
        self.display.power(powered and Device.DISPLAY not in unplugged)
        self.display_cable.connect(powered and Device.DISPLAY not in unplugged)
        for device, board in self._boards.items():
            board.cable.connect(powered and device not in unplugged)
        if self.cctalk is not None:
            self.cctalk.bus.connect(powered and Device.RAIL not in unplugged)
        self.panel.drive()
        self._remember()

    def _remember(self) -> None:
        if self._memory is not None:
            self._memory.save(self._state)
        self._tell()

    def _tell(self) -> None:
        for watch in self.watchers:
            watch()


# Each game has few of these machines, and a start imports no others.


def _make_acceptors(
    loop: asyncio.AbstractEventLoop, state: CabinetState, remember: Callable[[], None]
) -> "SimulatedCcTalkRail":
    from devices.sim.cctalk import SimulatedCcTalkRail

    return SimulatedCcTalkRail(loop, state, remember)


def _make_shoe(
    kind: str, loop: asyncio.AbstractEventLoop, state: CabinetState, remember: Callable[[], None]
) -> "SimulatedShoe":
    if kind == "reading":
        from devices.sim.reading_shoe import SimulatedReadingShoe

        return SimulatedReadingShoe(loop, state, remember)
    from devices.sim.shoe import SimulatedCountingShoe

    return SimulatedCountingShoe(loop, state, remember)


def _make_shuffler(
    kind: str, loop: asyncio.AbstractEventLoop, state: CabinetState, remember: Callable[[], None]
) -> "SimulatedShuffler":
    from devices.sim.shuffler import SimulatedShuffler

    return SimulatedShuffler(loop, SHUFFLERS[kind], state, remember)
