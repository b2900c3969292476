"""Decks of named cards, and the shuffle."""

from collections.abc import MutableSequence
from secrets import SystemRandom
from typing import TypeVar

from devices.card_reports import Card

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
