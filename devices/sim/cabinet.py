"""The simulated cabinet: what people do to it, what they see, where a controller connects.

It is pure physics and knows nothing about the meaning of a press or a token.
"""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from devices.card_reports import Back, Place
from devices.device import Device
from devices.panel_wiring import PanelWiring
from devices.roles import Button, KeyPosition, Lamp
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

    # The shoe

    def load_shoe(self, cards: int = 312) -> None:
        """Fill the shoe with this number of cards and the cut card. Raises PhysicallyImpossible."""
        self._the_shoe().load(cards)

    def burn(self, cards: int = 5) -> None:
        """Draw cards outside any coup. Raises PhysicallyImpossible if there are too few."""
        self._the_shoe().burn(cards)

    def draw(self, card: str | None = None) -> None:
        """Draw a card, `9H` or any, to where the drawing rule wants it.

        Raises PhysicallyImpossible.
        """
        self._the_shoe().draw(card)

    def draw_to(self, place: Place, card: str) -> None:
        """Draw this card to a place, right or wrong. Raises PhysicallyImpossible."""
        self._reading_shoe().draw_to(place, card)

    def cut_card(self) -> None:
        """Let the cut card come out of the shoe. Raises PhysicallyImpossible if it is out."""
        self._the_shoe().cut_card()

    def end_coup(self) -> None:
        """End the coup with the reading shoe's button, if a coup is in progress."""
        self._reading_shoe().end_coup()

    def shoe_line(self) -> Line:
        """A new line to the shoe, for a controller in this process."""
        return self._the_shoe().cable.line()

    # The shuffler, or the mixer

    def load_deck(self, back: Back, cards: int | None = None) -> None:
        """Put in a deck with this number of cards (a full one: 52, mixer 312).

        Raises PhysicallyImpossible.
        """
        self.shuffler().load_deck(back, cards)

    def take_packet(self) -> int:
        """Take the packet at the exit; returns its number of cards, 0 if none can be taken."""
        return len(self.shuffler().take_packet())

    def unload_deck(self) -> None:
        """Press the button that unloads the deck in play, or else the prepared one."""
        self.shuffler().unload_deck()

    def press_green(self) -> None:
        """Press the deck shuffler's green button. Raises PhysicallyImpossible without one."""
        self.shuffler().press_green()

    def jam_shuffler(self) -> None:
        """Let a card jam the shuffler, which stops."""
        self.shuffler().jam()

    def unjam_shuffler(self) -> None:
        """Free the card; the shuffler continues."""
        self.shuffler().unjam()

    def green_light(self) -> bool:
        """Whether a shuffler's green light is lit: nothing is left of the deck in play."""
        return self._shuffler is not None and self._shuffler.green_light()

    def ready_light(self) -> bool:
        """Whether a deck shuffler's green light is lit: GREEN would be accepted."""
        return self._shuffler is not None and self._shuffler.ready_light()

    def shuffler_line(self) -> Line:
        """A new line to the shuffler, for a controller in this process."""
        return self.shuffler().cable.line()

    def _the_shoe(self) -> "SimulatedShoe":
        if self._shoe is None:
            raise PhysicallyImpossible("this cabinet has no shoe")
        return self._shoe

    def _reading_shoe(self) -> "SimulatedReadingShoe":
        from devices.sim.reading_shoe import SimulatedReadingShoe

        if not isinstance(self._shoe, SimulatedReadingShoe):
            raise PhysicallyImpossible("this cabinet has no shoe that reads")
        return self._shoe

    def shuffler(self) -> "SimulatedShuffler":
        """The shuffler itself, to see its cards. Raises PhysicallyImpossible."""
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
        wiring: PanelWiring | None = None,
        shoe: str | None = None,
        shuffler: str | None = None,
    ) -> None:
        self._memory = memory
        self._state = CabinetState() if memory is None else memory.load()
        self._panel = SimulatedPanel(
            loop, wiring or PanelWiring(), self._state, inspector_fitted=inspector_fitted
        )
        self._display = SimulatedDisplay()
        self._display_cable = SimulatedCable(loop, self._display.receive)
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

    def press(self, button: Button) -> None:
        """Push a button of the dealer panel and let it go."""
        self._panel.press(button)

    def hold(self, button: Button) -> None:
        """Push a button down and keep it down."""
        self._panel.hold(button)

    def release(self, button: Button) -> None:
        """Let a held button go."""
        self._panel.release(button)

    def turn_key(self, position: KeyPosition | None) -> None:
        """Turn the key to a position; None: between two."""
        self._panel.turn_key(position)
        self._remember()

    def close_jumper(self, device: Device, closed: bool) -> None:
        """Close or open the jumper on a device's board: closed, it takes another key."""
        (self._state.jumpers.add if closed else self._state.jumpers.discard)(device)
        self._remember()

    def put_token(self, seat: int) -> None:
        """Put a token in (slot) or lay it down (sensor). Raises PhysicallyImpossible."""
        self._the_rail().put_token(seat)

    def take_token(self, seat: int) -> None:
        """Take the token from a seat. Raises PhysicallyImpossible."""
        self._the_rail().take_token(seat)

    def cover(self, seat: int) -> None:
        """Lay a card over a seat's sensor. Raises PhysicallyImpossible without a rail."""
        self._the_rail().cover(seat)

    def uncover(self, seat: int) -> None:
        """Take the card away. Raises PhysicallyImpossible."""
        self._the_rail().uncover(seat)

    def jam(self, seat: int) -> None:
        """Keep tokens of this seat from dropping."""
        self._the_rail().jam(seat, True)

    def unjam(self, seat: int) -> None:
        """Let tokens of this seat drop again."""
        self._the_rail().jam(seat, False)

    def inspector(self, present: bool) -> None:
        """Let the inspector come or go."""
        self._state.inspector = present
        self._panel.drive()
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
        self._panel.new_pins()
        self._power(False)

    def restore_power(self) -> None:
        """Restore the power: the board boots, the Pi's lines start anew."""
        if not self._state.powered:
            self._panel.new_pins()
        self._power(True)

    # What breaks

    @property
    def panel(self) -> SimulatedPanel:
        """The dealer panel, for breaking and repairing it."""
        return self._panel

    @property
    def rail(self) -> SimulatedRail:
        """The coin rail, for breaking and repairing it. Raises PhysicallyImpossible without one."""
        return self._the_rail()

    # What people see

    def slot_lamps(self) -> dict[int, Lamp]:
        """The slot lamps of seats 1 to 7; none without a rail."""
        return {} if self._rail is None else self._rail.lamps()

    def seat_leds(self) -> dict[int, Lamp]:
        """The panel's seat LEDs of seats 1 to 7; ALERT is blinking."""
        return self._panel.seat_leds()

    def combination_lamps(self) -> tuple[bool, ...]:
        """Whether each combination button is lit, from the left."""
        return self._panel.combination_lamps()

    def display_lines(self) -> tuple[str, str]:
        """The display's two lines of 20 characters; two empty ones when it is dark."""
        return self._display.lines()

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
        return self._panel.factory

    def rail_line(self) -> Line:
        """A new line to the rail's board, for a controller in this process."""
        return self._the_rail().cable.line()

    def cctalk_line(self) -> Line:
        """A new line to the rail's acceptors, for a controller in this process."""
        return self._the_acceptors().bus.line()

    def display_line(self) -> Line:
        """A new line to the display, for a controller in this process."""
        return self._display_cable.line()

    def serve_pty(self, device: Device, folder: Path) -> Path:
        """A pseudo-terminal for a device with a serial cable; the path stays the same."""
        return self._cable(device).serve(folder / device.value)

    def serve_cctalk_pty(self, folder: Path) -> Path:
        """A pseudo-terminal for the line of the rail's acceptors."""
        return self._the_acceptors().bus.serve(folder / "cctalk")

    def repetitions(self) -> Iterator[Repetition | None]:
        """What repeats itself between the cabinet and its controller."""
        yield self._display_cable.repetition(self._display.repetition())
        for board in self._boards.values():
            if isinstance(board, Repeating):
                yield board.repetition()

    def close(self) -> None:
        """Remove every connection, with its terminals and links."""
        self._display_cable.detach()
        for board in self._boards.values():
            board.power(False)
            board.cable.detach()
        if self.cctalk is not None:
            self.cctalk.bus.detach()

    def _cable(self, device: Device) -> SimulatedCable:
        if device is Device.DISPLAY:
            return self._display_cable
        if device in self._boards:
            return self._boards[device].cable
        raise PhysicallyImpossible(f"the {device.value} has no serial cable in this cabinet")

    def _check_fitted(self, device: Device) -> Device:
        if device is not Device.PANEL:
            self._cable(device)
        return device

    def _the_rail(self) -> SimulatedRail:
        if self._rail is None:
            raise PhysicallyImpossible("this cabinet has no coin rail")
        return self._rail

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
        self._display.power(powered and Device.DISPLAY not in unplugged)
        self._display_cable.connect(powered and Device.DISPLAY not in unplugged)
        for device, board in self._boards.items():
            board.cable.connect(powered and device not in unplugged)
        if self.cctalk is not None:
            self.cctalk.bus.connect(powered and Device.RAIL not in unplugged)
        self._panel.drive()
        self._remember()

    def _remember(self) -> None:
        if self._memory is not None:
            self._memory.save(self._state)


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
