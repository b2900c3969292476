"""A simulated coin rail: tokens, gates, sensors and a tray around the board's own firmware."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from devices.device import Device
from devices.roles import SEATS, Lamp
from devices.sim.board import BoardClock, SimulatedKey, with_key
from devices.sim.memory import CabinetState
from devices.sim.plug import SimulatedCable
from firmware_bridge.board.rail import CcTalkSlots, Rail, SensorRail, SlotRail
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.board_session.rail_messages import (
    LampOrder,
    pack_seats,
    unpack_lamps,
    unpack_seats,
)
from firmware_bridge.repetition import Repetition

FALL_S = 0.010
"""From the opening of the gate to the drop sensor."""

CHUTE_S = 0.005
"""From the drop sensor to the tray's mouth."""

LAMP_OF = {
    LampOrder.DARK: Lamp.DARK,
    LampOrder.INVITE: Lamp.INVITE,
    LampOrder.ON: Lamp.ON,
    LampOrder.ALERT: Lamp.ALERT,
}


class RailBoard(Protocol):
    """A rail's board between power-up and power-down, as `firmware_bridge.board.rail.Rail` is."""

    lamps: int
    gates: int
    drops: list[int]
    tray: int
    dead_lamps: int
    served: list[int]

    def sense(self, occupied: int) -> None: ...
    def count_drop(self, seat: int) -> None: ...
    def count_in_tray(self) -> None: ...
    def set_dead_lamps(self, dead: int) -> None: ...
    def set_notices(self, notices: int) -> None: ...
    def receive(self, data: bytes, now_ms: int) -> None: ...
    def advance(self, now_ms: int) -> bytes: ...
    def next_wake(self, now_ms: int) -> int: ...


MakeBoard = Callable[[int], RailBoard]
"""Makes the board of a boot, by its number."""

BOARDS: dict[BoardKind, Callable[[int], Rail]] = {
    BoardKind.SLOT_RAIL: lambda boot: SlotRail(boot, "RAIL-001"),
    BoardKind.SENSOR_RAIL: lambda boot: SensorRail(boot, "RAIL-001"),
    BoardKind.CCTALK_SLOTS: lambda boot: CcTalkSlots(boot, "SLOTS-01"),
}


def do_nothing() -> None:
    """A board in this process needs nothing when its power goes."""


class PhysicallyImpossible(RuntimeError):
    """This cannot be done to the cabinet in its present state; the text says why."""


class SimulatedRail:
    """Seven slots with gates over a tray, or seven sensors; its methods are people's actions."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        kind: BoardKind,
        state: CabinetState,
        remember: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._kind = kind
        self._state = state
        self._remember = remember
        self._dead_sensors: set[int] = set()
        self._dead_lamps: set[int] = set()
        self._stuck_gates: set[int] = set()
        self._chute_s = CHUTE_S
        self._resets_s: float | None = None
        self._reset_timer: asyncio.TimerHandle | None = None
        self._falling: dict[int, asyncio.TimerHandle] = {}
        self._clock = BoardClock(loop, self.run_board)
        key = SimulatedKey(Device.RAIL, state, remember)
        self._make_board: MakeBoard = with_key(BOARDS[kind], key)
        self._stop_board: Callable[[], None] = do_nothing
        self._board: RailBoard | None = None
        self.cable = SimulatedCable(loop, self._receive)
        for _ in range(state.chute):  # they were falling when the process was killed
            loop.call_later(CHUTE_S, self._land)
        if state.powered:
            self._wake_board()

    def put_token(self, seat: int) -> None:
        """Put a token into the slot, or lay it on the sensor."""
        if seat in self._state.tokens:
            raise PhysicallyImpossible(f"a token lies at seat {seat} already")
        if seat in self._state.cards:
            raise PhysicallyImpossible(f"a card covers seat {seat}: no token goes in")
        self._state.tokens.add(seat)
        self._on_change()

    def take_token(self, seat: int) -> None:
        """Take the token from the seat, even from under a card."""
        if seat not in self._state.tokens:
            raise PhysicallyImpossible(f"no token lies at seat {seat}")
        self._state.tokens.remove(seat)
        self._on_change()

    def cover(self, seat: int) -> None:
        """Lay a card over the seat; a second one changes nothing."""
        self._state.cards.add(seat)
        self._on_change()

    def uncover(self, seat: int) -> None:
        """Take the cards away from the seat."""
        if seat not in self._state.cards:
            raise PhysicallyImpossible(f"no card covers seat {seat}")
        self._state.cards.remove(seat)
        self._on_change()

    def jam(self, seat: int, jammed: bool) -> None:
        """Keep the seat's token from dropping, or let it drop again."""
        if jammed:
            self._state.jams.add(seat)
        else:
            self._state.jams.discard(seat)
        self._on_change()

    def power(self, on: bool) -> None:
        """Switch the power.

        A board that gets power boots: counters at zero, another boot number.
        """
        if on and self._board is None:
            self._boot()
        elif not on and self._board is not None:
            self._board = None
            self._stop_board()
            self._clock.stop()
        self._reset_later()

    def lamps(self) -> dict[int, Lamp]:
        """What the slot lamps of seats 1 to 7 show."""
        orders = unpack_lamps(0 if self._board is None else self._board.lamps)
        lamps = {seat: LAMP_OF[order] for seat, order in zip(SEATS, orders, strict=True)}
        return {**lamps, **dict.fromkeys(self._dead_lamps, Lamp.DARK)}

    def gates(self) -> frozenset[int]:
        """The gates that are open."""
        ordered = frozenset() if self._board is None else unpack_seats(self._board.gates)
        return ordered - self._stuck_gates

    def fit_board(self, make_board: MakeBoard, stop_board: Callable[[], None]) -> None:
        """Exchange the board, before it has counted anything, for one that runs elsewhere.

        `stop_board` is called when it loses its power.
        """
        self._make_board, self._stop_board = make_board, stop_board
        if self._board is not None:
            self._wake_board()

    def run_board(self) -> None:
        """Let the board do what is due; one that runs elsewhere has sent or shown something."""
        if self._board is not None:
            self._run(self._board)

    def repetition(self) -> Repetition | None:
        """See `Repeating`: no gate is open, and the board does the same again."""
        board = self._board
        if board is None or board.gates:
            return None
        return self._clock.repetition(board, self.cable)

    # What is broken in it

    def kill_sensor(self, seat: int) -> None:
        """Break the seat's sensor: it sees nothing any more. The drop sensor still works."""
        self._dead_sensors.add(seat)
        self._on_change()

    def kill_lamp(self, seat: int) -> None:
        """Break the seat's lamp: it draws no current, as the board notices when it lights it."""
        self._dead_lamps.add(seat)
        self._on_change()

    def stick_gate(self, seat: int) -> None:
        """Block the seat's gate: it stays closed. Raises PhysicallyImpossible without gates."""
        if self._kind is not BoardKind.SLOT_RAIL:
            raise PhysicallyImpossible("this rail has no gates")
        self._stuck_gates.add(seat)

    def set_notices(self, *numbers: int) -> None:
        """Let the board say that this is wrong with itself; it needs power."""
        if self._board is not None:
            self._board.set_notices(sum(1 << number for number in numbers))
            self._run(self._board)

    def slow_chute(self, seconds: float) -> None:
        """Set how long a token takes from the drop sensor to the tray's mouth."""
        self._chute_s = seconds

    def reset_every(self, seconds: float) -> None:
        """Let the board's supply fail for an instant, again and again: each time it boots."""
        self._resets_s = seconds
        self._reset_later()

    def mend(self) -> None:
        """Repair everything that is broken."""
        for broken in (self._dead_sensors, self._dead_lamps, self._stuck_gates):
            broken.clear()
        self._resets_s = None
        self._chute_s = CHUTE_S
        self._reset_later()
        self._on_change()

    def _reset_later(self) -> None:
        if self._reset_timer is not None:
            self._reset_timer.cancel()
            self._reset_timer = None
        if self._resets_s is not None and self._board is not None:
            self._reset_timer = self._loop.call_later(self._resets_s, self._reset)

    def _reset(self) -> None:
        self._boot()
        self._reset_later()

    # Its board

    def _boot(self) -> None:
        self._state.boot += 1
        self._state.drops = self._state.served = (0,) * len(SEATS)
        self._state.tray = 0
        self._wake_board()

    def _wake_board(self) -> None:
        state = self._state
        self._board = self._make_board(state.boot)
        self._board.drops[:] = state.drops
        self._board.served[:] = state.served
        self._board.tray = state.tray
        self._on_change()

    def _on_change(self) -> None:
        """People or gravity have moved something: update the sensors."""
        self._remember()  # first: what the board reports must survive a kill
        if self._board is not None:
            there = self._state.tokens | self._state.cards
            self._board.sense(pack_seats(there - self._dead_sensors))
            self._run(self._board)

    def _receive(self, data: bytes) -> None:
        if self._board is not None:
            self._board.receive(data, self._clock.now_ms())
            self._run(self._board)

    def _run(self, board: RailBoard) -> None:
        """Let the board do what is due, let tokens fall, and set the timer for what is due next."""
        now = self._clock.now_ms()
        self.cable.send(board.advance(now))
        self._feel_lamps(board)
        if board.gates:
            self._let_fall()
        served = tuple(board.served)
        if served != self._state.served:
            self._state.served = served
            self._remember()
        self._clock.wake_at(board.next_wake(now))

    def _feel_lamps(self, board: RailBoard) -> None:
        """Update the board's dead lamps.

        It can test only lit lamps; for dark ones it keeps the last result.
        """
        if not self._dead_lamps and not board.dead_lamps:
            return
        lit = {seat for seat, lamp in zip(SEATS, unpack_lamps(board.lamps), strict=True) if lamp}
        found = unpack_seats(board.dead_lamps) - lit | lit & self._dead_lamps
        board.set_dead_lamps(pack_seats(found))

    def _let_fall(self) -> None:
        loose = (self.gates() & self._state.tokens) - self._state.jams
        for seat in loose - self._falling.keys():
            self._falling[seat] = self._loop.call_later(FALL_S, self._fall, seat)

    def _fall(self, seat: int) -> None:
        del self._falling[seat]
        # During the fall the token may be taken or jammed, or the gate may close.
        if seat not in self.gates() & self._state.tokens - self._state.jams:
            return
        self._state.tokens.remove(seat)
        if self._board is not None:
            self._board.count_drop(seat)
            self._state.drops = tuple(self._board.drops)
        self._state.chute += 1
        self._loop.call_later(self._chute_s, self._land)
        self._on_change()

    def _land(self) -> None:
        self._state.chute -= 1
        self._state.tray_tokens += 1
        if self._board is not None:
            self._board.count_in_tray()
            self._state.tray = self._board.tray
        self._on_change()
