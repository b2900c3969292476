"""The shuffle: every card stands at every position as often as chance has it."""

import math
from collections import Counter
from collections.abc import Callable
from itertools import chain
from random import Random

import pytest

from devices.card_reports import Back, Card
from devices.sim.shuffler import DECK, cards_of, shuffle
from tests.devices.shuffler_table import ShufflerTable

SHUFFLES = 3000
"""58 are expected in each of the 52 x 52 cells: enough for the chi-squared distribution."""

FREEDOM = 51 * 51
"""The cells of a table whose rows and columns have given sums."""

SIGMAS = 5.0
"""A normal variable is beyond them once in 3.5 million times: a false alarm is below 1e-6."""


SEEDED = Random(52)
"""Chance for the bad ones: it is always the same, so that they are always found out."""


def highest_chance_allows() -> float:
    """The chi-squared value that far out (Wilson and Hilferty's approximation)."""
    ninth = 2 / (9 * FREEDOM)
    return float(FREEDOM * (1 - ninth + SIGMAS * math.sqrt(ninth)) ** 3)


def chi_squared(shuffled: Callable[[list[Card]], None]) -> float:
    """How far the cards' positions are from uniform after shuffling a new deck."""
    place = {card: number for number, card in enumerate(DECK)}
    seen = [[0] * 52 for _ in DECK]
    for _ in range(SHUFFLES):
        cards = list(DECK)
        shuffled(cards)
        for position, card in enumerate(cards):
            seen[position][place[card]] += 1
    expected = SHUFFLES / 52
    spread = sum((count - expected) ** 2 for count in chain.from_iterable(seen)) / expected
    return spread * 51 / 52  # every row and every column has a sum that is given


def naive(cards: list[Card]) -> None:
    """The well-known mistake: each card changes places with any other."""
    for at in range(52):
        other = SEEDED.randrange(52)
        cards[at], cards[other] = cards[other], cards[at]


def never_in_place(cards: list[Card]) -> None:
    """The other one (Sattolo's): no card may stay where it was."""
    for at in range(51, 0, -1):
        other = SEEDED.randrange(at)
        cards[at], cards[other] = cards[other], cards[at]


def top_stays(cards: list[Card]) -> None:
    """A good shuffle, and then the top card is put back on top every tenth time."""
    top = cards[0]
    shuffle(cards)
    if SEEDED.random() < 1 / 10:
        cards.remove(top)
        cards.insert(0, top)


def test_every_card_is_everywhere_as_often() -> None:
    assert chi_squared(shuffle) < highest_chance_allows()


@pytest.mark.parametrize("bad", [naive, never_in_place, top_stays])
def test_a_bad_shuffle_is_found_out(bad: Callable[[list[Card]], None]) -> None:
    assert chi_squared(bad) > highest_chance_allows()


@pytest.mark.parametrize(("decks", "count"), [(1, 52), (1, 51), (1, 53), (6, 312), (6, 311)])
def test_a_deck_has_every_card_but_for_the_missing_and_the_doubled(decks: int, count: int) -> None:
    cards = Counter(cards_of(decks, count))
    wrong = sum(abs(cards[card] - decks) for card in DECK)
    assert (cards.total(), wrong) == (count, abs(count - 52 * decks))


def hand_of_a_whole_deck() -> list[Card]:
    """The cards in the order in which the machine deals them."""
    table = ShufflerTable()
    table.start()
    table.ready(Back.RED)
    table.show(1, packets=(13,) * 4)
    cards: list[Card] = []
    for _ in range(4):
        cards += table.cabinet.shuffler.take_packet()
        table.run(0.01)
    table.close()
    return cards


def test_the_machine_deals_every_card_once_and_never_in_the_same_order() -> None:
    one, other = hand_of_a_whole_deck(), hand_of_a_whole_deck()
    assert set(one) == set(other) == set(DECK)
    assert len({tuple(one), tuple(other), DECK}) == 3
