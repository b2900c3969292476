"""Decks of named cards, and the shuffle."""

from collections.abc import MutableSequence
from secrets import SystemRandom
from typing import TypeVar

from devices.card_reports import Card

T = TypeVar("T")

DECK = tuple(Card(rank + suit) for suit in "SHDC" for rank in "A23456789TJQK")
"""The 52 cards; the back is the deck's, not the card's."""

_CHANCE = SystemRandom()


def shuffle(cards: MutableSequence[T]) -> None:
    """Every order of the cards is as likely as any other: Fisher and Yates, on the system's chance.

    `random` would not do: 624 of its numbers seen, and all that follow are known.
    """
    _CHANCE.shuffle(cards)


def cards_of(decks: int, count: int) -> list[Card]:
    """The cards of so many decks, in order; for another `count` some are missing, or doubled."""
    cards = list(DECK) * decks
    while len(cards) > count:
        cards.remove(_CHANCE.choice(cards))
    while len(cards) < count:
        cards.append(_CHANCE.choice(DECK))
    return cards
