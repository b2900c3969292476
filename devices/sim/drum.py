"""Where a shuffler's decks are shuffled: the prepared deck, and one more that waits behind it."""

import asyncio
from collections.abc import Callable, MutableSequence
from secrets import SystemRandom
from typing import TypeVar

from devices.card_reports import Back, Card
from devices.sim.rail import PhysicallyImpossible
from devices.sim.shuffler_memory import ShufflerMemory

T = TypeVar("T")

DECK = tuple(Card(rank + suit) for suit in "SHDC" for rank in "A23456789TJQK")
"""The 52 cards; the back belongs to the deck, not to the card."""

_CHANCE = SystemRandom()


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


SHUFFLE_S = 60.0
"""The time of a shuffle; docs/reference/rules.md, section 8, allows 3 minutes."""

CARDS = 52
LARGEST_LOAD = 999


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
        self._prepared = self.cards_again(memory.prepared_cards)
        self._behind = self.cards_again(memory.behind_cards)
        self._in_hand: list[Card] | None = None  # those being shuffled now
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
        if self._in_hand is cards:
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
            self._in_hand = self._prepared
        elif memory.behind_back is not None and memory.behind_counted is None:
            self._in_hand = self._behind
        else:
            return
        self._timer = self._loop.call_later(SHUFFLE_S, self._end_shuffle)

    def stop(self) -> None:
        """Stop; an unfinished shuffle starts again later."""
        self._in_hand = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def cards_again(self, count: int) -> list[Card]:
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
        cards, self._in_hand = self._in_hand, None
        if cards is None:
            return
        shuffle(cards)
        if cards is self._prepared:
            self._memory.counted = len(cards)
        else:
            self._memory.behind_counted = len(cards)
        self._on_change()
