"""The simulated shuffler, mixer or deck shuffler: decks of cards around its board.

One deck is prepared (shuffled, then counted) while another is in play. What may be at the exit, its
board decides.
"""

import asyncio
from collections.abc import Callable, MutableSequence
from secrets import SystemRandom
from typing import Protocol, TypeVar

from devices.card_reports import Back, Card
from devices.device import Device
from devices.sim.board import BoardClock, SimulatedKey, with_key
from devices.sim.memory import CabinetState, ShufflerMemory
from devices.sim.plug import SimulatedCable
from devices.sim.rail import PhysicallyImpossible, do_nothing
from firmware_bridge.board.interlock import (
    EMPTY,
    JAMMED,
    NO_BACK,
    NOT_YET,
    READY,
    SHUFFLING,
    Machine,
    Orders,
)
from firmware_bridge.board.shuffler import DeckShufflerBoard, MixerBoard, ShufflerBoard
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.board_session.shuffler_messages import BackCode
from firmware_bridge.counter import CYCLE
from firmware_bridge.repetition import Repetition

T = TypeVar("T")

DECK = tuple(Card(rank + suit) for suit in "SHDC" for rank in "A23456789TJQK")
"""The 52 cards; the back belongs to the deck, not to the card."""

_CHANCE = SystemRandom()

CODE_OF = {None: NO_BACK, Back.RED: int(BackCode.RED), Back.BLUE: int(BackCode.BLUE)}


SHUFFLE_S = 60.0
"""The time of a shuffle; docs/reference/rules.md, section 8, allows 3 minutes."""

CARDS = 52
LARGEST_LOAD = 999

UNLOAD_S = 0.030
"""From the button until the cards are counted; docs/reference/rules.md, section 8, allows 5 s."""

OFFER_S = 0.005
"""From taking one packet until the next is at the exit; the protocol allows 10 ms."""

DECKS_OF = {BoardKind.SHUFFLER: 1, BoardKind.MIXER: 6, BoardKind.DECK_SHUFFLER: 1}

NO_HAND = 0
"""No hand has begun: a packet may be at the exit already; taking it brings its deck into play."""


def shuffle(cards: MutableSequence[T]) -> None:
    """Shuffle so that every order is equally likely: Fisher-Yates with the system's random source.

    `random` is not used: after 624 of its numbers all further ones are known.
    """
    _CHANCE.shuffle(cards)


def cards_of(decks: int, count: int) -> list[Card]:
    """The cards of the decks, in order; with another `count` some are missing or doubled."""
    cards = list(DECK) * decks
    while len(cards) > count:
        cards.remove(_CHANCE.choice(cards))
    while len(cards) < count:
        cards.append(_CHANCE.choice(DECK))
    return cards


class Drum:
    """Two places for a deck to be shuffled and counted; only the first one is reported."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        memory: ShufflerMemory,
        decks: int,
        on_change: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._memory = memory
        self._decks = decks
        self._on_change = on_change
        self._prepared = self.reshuffle_cards(memory.prepared_cards)
        self._behind = self.reshuffle_cards(memory.behind_cards)
        self._in_shuffle: list[Card] | None = None  # those being shuffled now
        self._timer: asyncio.TimerHandle | None = None

    def load(self, back: Back, cards: int | None) -> None:
        """Put a deck in; of its usual number of cards, or of `cards`."""
        memory = self._memory
        if memory.prepared_back is not None and memory.behind_back is not None:
            both = f"{memory.prepared_back.value} and {memory.behind_back.value}"
            raise PhysicallyImpossible(f"two decks are in it already, {both}")
        count = CARDS * self._decks if cards is None else cards
        if not 0 < count <= LARGEST_LOAD:
            raise PhysicallyImpossible(f"{count} cards are no deck")
        self._behind = cards_of(self._decks, count)
        memory.behind_back, memory.behind_cards, memory.behind_counted = back, count, None
        self._move_up()

    def take_out(self) -> list[Card]:
        """Take out the prepared deck, to be dealt or unloaded; the next one moves up."""
        cards, self._prepared = self._prepared, []
        if self._in_shuffle is cards:
            self.stop()
        memory = self._memory
        memory.prepared_back, memory.prepared_cards, memory.counted = None, 0, None
        self._move_up()
        return cards

    def turn(self) -> None:
        """Shuffle the decks that are not shuffled yet, one after the other."""
        memory = self._memory
        if self._timer is not None:
            return
        if memory.prepared_back is not None and memory.counted is None:
            self._in_shuffle = self._prepared
        elif memory.behind_back is not None and memory.behind_counted is None:
            self._in_shuffle = self._behind
        else:
            return
        self._timer = self._loop.call_later(SHUFFLE_S, self._end_shuffle)

    def stop(self) -> None:
        """Stop; an unfinished shuffle starts again later."""
        self._in_shuffle = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def pass_over(self) -> None:
        """End the shuffle now, with all its shuffling. Raises PhysicallyImpossible without one."""
        if self._timer is None:
            raise PhysicallyImpossible("no deck is being shuffled")
        self._timer.cancel()
        self._end_shuffle()

    def reshuffle_cards(self, count: int) -> list[Card]:
        """So many cards in a new order; the old order is not kept anywhere."""
        cards = cards_of(self._decks, max(count, CARDS * self._decks))
        shuffle(cards)
        return cards[:count]

    def _move_up(self) -> None:
        memory = self._memory
        if memory.prepared_back is None and memory.behind_back is not None:
            self._prepared, self._behind = self._behind, []
            memory.prepared_back, memory.prepared_cards = memory.behind_back, memory.behind_cards
            memory.counted = memory.behind_counted
            memory.behind_back, memory.behind_cards, memory.behind_counted = None, 0, None

    def _end_shuffle(self) -> None:
        self._timer = None
        cards, self._in_shuffle = self._in_shuffle, None
        if cards is None:
            return
        shuffle(cards)
        if cards is self._prepared:
            self._memory.counted = len(cards)
        else:
            self._memory.behind_counted = len(cards)
        self._on_change()


def deck_state(memory: ShufflerMemory) -> int:
    """The state of the deck being prepared."""
    if memory.jammed:
        return JAMMED
    if memory.prepared_back is None:
        return EMPTY
    return SHUFFLING if memory.counted is None else READY


def machine_of(memory: ShufflerMemory) -> Machine:
    """The machine as its board has it."""
    machine = Machine()
    machine.preparing = deck_state(memory)
    machine.prepared_back = CODE_OF[memory.prepared_back]
    machine.counted = NOT_YET if memory.counted is None else memory.counted
    machine.playing_back = CODE_OF[memory.playing_back]
    machine.left = memory.left
    machine.hand = memory.hand
    machine.dealt = memory.dealt
    machine.packets = memory.packets
    machine.unloaded = NOT_YET if memory.unloaded is None else memory.unloaded
    machine.waiting = memory.waiting
    machine.unloading = memory.unloading
    machine.presses = memory.presses
    return machine


class MachineBoard(Protocol):
    """The machine's board, as `firmware_bridge.board.shuffler.ShufflerBoard` is."""

    orders: Orders

    def set_machine(self, machine: Machine) -> None: ...
    def packet_due(self) -> int: ...
    def exit_is_open(self) -> bool: ...
    def ready_light(self) -> bool: ...
    def receive(self, data: bytes, now_ms: int) -> None: ...
    def advance(self, now_ms: int) -> bytes: ...
    def next_wake(self, now_ms: int) -> int: ...


MakeBoard = Callable[[int], MachineBoard]
"""Makes the board of a boot, by its number."""

BOARDS: dict[BoardKind, Callable[[int], ShufflerBoard]] = {
    BoardKind.SHUFFLER: lambda boot: ShufflerBoard(boot, "SHUFFLER"),
    BoardKind.MIXER: lambda boot: MixerBoard(boot, "MIXER-01"),
    BoardKind.DECK_SHUFFLER: lambda boot: DeckShufflerBoard(boot, "DECKS-01"),
}


class SimulatedShuffler:
    """A machine with real cards in it; its methods are people's actions."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        kind: BoardKind,
        state: CabinetState,
        remember: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._kind = kind
        self._memory = state.shuffler
        self._remember = remember
        self.drum = Drum(loop, self._memory, DECKS_OF[kind], self._on_change)
        self._playing = self.drum.reshuffle_cards(self._memory.left)
        self._work: asyncio.TimerHandle | None = None  # the machine does one thing at a time
        self._clock = BoardClock(loop, self.run_board)
        key = SimulatedKey(Device.SHUFFLER, state, remember)
        self._make_board: MakeBoard = with_key(BOARDS[kind], key)
        self._stop_board: Callable[[], None] = do_nothing
        self._board: MachineBoard | None = None
        self.cable = SimulatedCable(loop, self._receive)
        if state.powered:
            self._wake_board()

    # What people do

    def load_deck(self, back: Back, cards: int | None = None) -> None:
        """Put a deck in; of its usual number of cards, or of `cards`."""
        self.drum.load(back, cards)
        self._on_change()

    def take_packet(self) -> list[Card]:
        """Take the packet at the exit; no cards if there is none, or if the exit is shut."""
        self.run_board()  # the host may have become silent just now
        memory = self._memory
        if not self.exit_is_open() or not memory.waiting:
            return []
        if memory.playing_back is None:
            self._bring_into_play()
        taken, self._playing = self._playing[: memory.waiting], self._playing[memory.waiting :]
        memory.left -= len(taken)
        memory.dealt += len(taken)
        memory.packets += 1
        memory.waiting = 0
        if not memory.left:
            memory.playing_back = None
            memory.unloaded = 0
        self._on_change()
        return taken

    def unload_deck(self) -> None:
        """Press the button that unloads the rest of the deck in play, or else the prepared deck.

        Nothing happens if the machine is empty, jammed or without power.
        """
        memory = self._memory
        if self._board is None or memory.jammed or memory.unloading:
            return
        if memory.playing_back is not None or memory.prepared_back is not None:
            memory.unloading = True
            memory.waiting = 0
            self._stop_work()
            self._on_change()

    def press_green(self) -> None:
        """Press a deck shuffler's green button; without power nothing counts it."""
        if self._kind is not BoardKind.DECK_SHUFFLER:
            raise PhysicallyImpossible("this shuffler has no green button")
        if self._board is not None:
            self._memory.presses = (self._memory.presses + 1) % CYCLE
            self._on_change()

    def jam(self) -> None:
        """Let a card jam the machine: it stops, its exit is shut."""
        self._memory.jammed = True
        self._stop_work()
        self.drum.stop()
        self._on_change()

    def unjam(self) -> None:
        """Free the card: the machine continues; an unfinished shuffle starts again."""
        self._memory.jammed = False
        self._on_change()

    def power(self, on: bool) -> None:
        """Switch the power. With power the board boots; decks and counts are unchanged."""
        if on and self._board is None:
            self._memory.boot += 1
            self._wake_board()
        elif not on and self._board is not None:
            self._board = None
            self._stop_board()
            self._stop_work()
            self.drum.stop()
            self._clock.stop()

    def fit_board(self, make_board: MakeBoard, stop_board: Callable[[], None]) -> None:
        """Exchange the board, before anything has happened, for one that runs elsewhere.

        `stop_board` is called when it loses its power.
        """
        self._make_board, self._stop_board = make_board, stop_board
        if self._board is not None:
            self._wake_board()

    def repetition(self) -> Repetition | None:
        """See `Repeating`; what the machine works on has timers of its own."""
        return self._clock.repetition(self._board, self.cable)

    # What people see

    def green_light(self) -> bool:
        """Whether a shuffler's green light is lit: nothing is left of the deck in play."""
        return self._board is not None and self._memory.playing_back is None

    def ready_light(self) -> bool:
        """Whether a deck shuffler's green light is lit: GREEN would be accepted."""
        return self._board is not None and self._board.ready_light()

    def exit_is_open(self) -> bool:
        """Whether the packet at the exit can be taken."""
        return self._board is not None and self._board.exit_is_open()

    # What the machine does

    def _set_to_work(self) -> None:
        memory = self._memory
        if self._board is None or memory.jammed:
            return
        self.drum.turn()
        if self._work is not None:
            return
        if memory.unloading:
            self._work = self._loop.call_later(UNLOAD_S, self._end_unload)
        elif self._board.packet_due() and not self._board.exit_is_open():
            self._work = self._loop.call_later(OFFER_S, self._offer)

    def _offer(self) -> None:
        """Put the next packet at the exit; a packet of another hand goes back.

        A deck of which nothing was taken serves whatever hand is dealt now.
        """
        self._work = None
        memory, board = self._memory, self._board
        due = 0 if board is None else board.packet_due()
        if board is None or not due:
            return
        if memory.playing_back is None and board.orders.hand != NO_HAND:
            self._bring_into_play()
        if not memory.packets:
            memory.hand = board.orders.hand
        memory.waiting = due
        self._on_change()
        if self._kind is BoardKind.DECK_SHUFFLER:
            # docs/reference/poker-rules.md 21: a deck given out is taken at once
            self.take_packet()

    def _bring_into_play(self) -> None:
        memory = self._memory
        memory.playing_back, memory.left = memory.prepared_back, memory.prepared_cards
        self._playing = self.drum.take_out()
        memory.dealt = memory.packets = 0
        memory.unloaded = None

    def _end_unload(self) -> None:
        self._work = None
        memory = self._memory
        memory.unloading = False
        if memory.playing_back is not None:
            memory.unloaded = len(self._playing)
            memory.playing_back, memory.left, self._playing = None, 0, []
        else:
            self.drum.take_out()
        self._on_change()

    def _stop_work(self) -> None:
        if self._work is not None:
            self._work.cancel()
            self._work = None

    # Its board

    def _wake_board(self) -> None:
        self._board = self._make_board(self._memory.boot)
        self._on_change()

    def _on_change(self) -> None:
        """People or the machine have moved something: remember it, and tell the board."""
        self._remember()  # first: what the board reports must survive a kill
        if self._board is not None:
            self._board.set_machine(machine_of(self._memory))
        self.run_board()

    def _receive(self, data: bytes) -> None:
        if self._board is not None:
            self._board.receive(data, self._clock.now_ms())
            self.run_board()

    def run_board(self) -> None:
        """Let the board send, let the machine work, and set the timer for what is due next."""
        if self._board is None:
            return
        now = self._clock.now_ms()
        self.cable.send(self._board.advance(now))
        self._set_to_work()
        self._clock.wake_at(self._board.next_wake(now))
