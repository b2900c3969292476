"""Simulated shoes, and the counting shoe: cards, a cut card, and the sensor that they pass."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Protocol

from devices.device import Device
from devices.sim.board import BoardClock, SimulatedKey, with_key
from devices.sim.memory import SHOE_MEMORY_NUMBER, CabinetState, ShoeMemory
from devices.sim.plug import SimulatedCable
from devices.sim.rail import PhysicallyImpossible, do_nothing
from firmware_bridge.board.shoe import LAST_COUNT, NOT_YET, ShoeBoard
from firmware_bridge.repetition import Repetition


class CountingBoard(Protocol):
    """A counting shoe's board, as `firmware_bridge.board.shoe.ShoeBoard` is."""

    memory: int
    loads: int
    cards: int
    draws: int
    cut_after: int

    def count_load(self, cards: int) -> None: ...
    def count_draw(self) -> None: ...
    def note_cut_card(self) -> None: ...
    def receive(self, data: bytes, now_ms: int) -> None: ...
    def advance(self, now_ms: int) -> bytes: ...
    def next_wake(self, now_ms: int) -> int: ...


MakeBoard = Callable[[int], CountingBoard]
"""Makes the board of a boot, by its number."""


class SimulatedShoe(ABC):
    """A shoe with cards; its methods are people's actions.

    Without power it does not notice them.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        state: CabinetState,
        remember: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._memory = state.shoe
        self._remember = remember
        self._on = False
        self.cable = SimulatedCable(loop, self._receive)

    # What people do

    def load(self, cards: int = 312) -> None:
        """Fill it with this number of cards and the cut card, whatever was in it."""
        if not 0 <= cards <= LAST_COUNT:
            raise PhysicallyImpossible(f"{cards} cards do not go into a shoe")
        self._memory.left = cards
        self._memory.cut_out = False
        self._see(lambda: self._on_loaded(cards))

    def burn(self, cards: int = 5) -> None:
        """Draw this number of cards outside any coup."""
        self._let_out(cards)
        self._see(lambda: self._on_burnt(cards))

    def draw(self, card: str | None = None) -> None:
        """Draw a card: this one, or any."""
        self._let_out(1)
        self._see(lambda: self._on_drawn(card))

    def cut_card(self) -> None:
        """Let the cut card come out."""
        self._cards_left()
        if self._memory.cut_out:
            raise PhysicallyImpossible("the cut card is out already")
        self._memory.cut_out = True
        self._see(self._on_cut)

    @abstractmethod
    def power(self, on: bool) -> None:
        """Switch its power."""

    # What the shoe does then

    @abstractmethod
    def _on_loaded(self, cards: int) -> None: ...

    @abstractmethod
    def _on_burnt(self, cards: int) -> None: ...

    @abstractmethod
    def _on_drawn(self, card: str | None) -> None: ...

    @abstractmethod
    def _on_cut(self) -> None: ...

    @abstractmethod
    def _receive(self, data: bytes) -> None: ...

    def _cards_left(self) -> int:
        if self._memory.left is None:
            raise PhysicallyImpossible("no cards have been put into the shoe")
        return self._memory.left

    def _let_out(self, cards: int) -> None:
        left = self._cards_left()
        if left < cards:
            raise PhysicallyImpossible(f"{cards} cards cannot leave, {left} are in the shoe")
        self._memory.left = left - cards

    def _see(self, act: Callable[[], None]) -> None:
        if self._on:
            act()
        self._remember()


class SimulatedCountingShoe(SimulatedShoe):
    """A draw sensor around the counting shoe's own firmware."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        state: CabinetState,
        remember: Callable[[], None],
    ) -> None:
        super().__init__(loop, state, remember)
        key = SimulatedKey(Device.SHOE, state, remember)
        self._make_board: MakeBoard = with_key(lambda boot: ShoeBoard(boot, "SHOE-001"), key)
        self._stop_board: Callable[[], None] = do_nothing
        self._firmware: CountingBoard | None = None
        self._clock = BoardClock(loop, self._run_due)
        if state.powered:
            self._wake()  # it kept its power while the simulation's process was gone

    def power(self, on: bool) -> None:
        """Switch the power.

        With power the shoe boots: another boot number, the counts as before.
        """
        if on and self._firmware is None:
            self._memory.boot += 1
            self._wake()
        elif not on and self._firmware is not None:
            self._on = False
            self._firmware = None
            self._stop_board()
            self._clock.stop()

    def fit_board(self, make_board: MakeBoard, stop_board: Callable[[], None]) -> None:
        """Exchange the board for one that runs elsewhere; `stop_board` takes its power."""
        self._make_board, self._stop_board = make_board, stop_board
        if self._firmware is not None:
            self._wake()

    def repetition(self) -> Repetition | None:
        """See `Repeating`."""
        return self._clock.repetition(self._firmware, self.cable)

    def _wake(self) -> None:
        self._on = True
        kept = self._memory
        shoe = self._firmware = self._make_board(kept.boot)
        shoe.memory = SHOE_MEMORY_NUMBER
        shoe.loads, shoe.cards, shoe.draws = kept.loads, kept.cards, kept.draws
        shoe.cut_after = NOT_YET if kept.cut_after is None else kept.cut_after
        self._run(shoe)

    def _on_loaded(self, cards: int) -> None:
        self._sense(lambda firmware: firmware.count_load(cards))

    def _on_burnt(self, cards: int) -> None:
        for _ in range(cards):
            self._on_drawn(None)

    def _on_drawn(self, _card: str | None) -> None:
        self._sense(lambda firmware: firmware.count_draw())

    def _on_cut(self) -> None:
        self._sense(lambda firmware: firmware.note_cut_card())

    def _sense(self, what: Callable[[CountingBoard], None]) -> None:
        if self._firmware is not None:
            what(self._firmware)
            self._run(self._firmware)
            self._keep(self._memory, self._firmware)

    @staticmethod
    def _keep(kept: ShoeMemory, shoe: CountingBoard) -> None:
        kept.loads, kept.cards, kept.draws = shoe.loads, shoe.cards, shoe.draws
        kept.cut_after = None if shoe.cut_after == NOT_YET else shoe.cut_after

    def _receive(self, data: bytes) -> None:
        if self._firmware is not None:
            self._firmware.receive(data, self._clock.now_ms())
            self._run(self._firmware)

    def _run_due(self) -> None:
        if self._firmware is not None:
            self._run(self._firmware)

    def _run(self, firmware: CountingBoard) -> None:
        now = self._clock.now_ms()
        self.cable.send(firmware.advance(now))
        self._clock.wake_at(firmware.next_wake(now))
