"""Mini Punto Banco: who draws, what the cards count, who wins.

Pure functions of the cards on the table; `PUNTO` and `BANCO` are the cards' counts, 0 to 9
(docs/reference/rules.md, section 9; Article 21).
"""

from collections.abc import Sequence

from console.rules.card_state import CoupOutcome
from devices.card_reports import Place

RANKS = "A23456789TJQK"
SUITS = "SHDC"
TENS = "TJQK"

TWO = 2
NATURAL = 8
PUNTO_STANDS = 6

BANCO_DRAWS: dict[int, frozenset[int]] = {
    0: frozenset(range(10)),
    1: frozenset(range(10)),
    2: frozenset(range(10)),
    3: frozenset(range(10)) - {8},
    4: frozenset(range(2, 8)),
    5: frozenset(range(4, 8)),
    6: frozenset({6, 7}),
    7: frozenset(),
}
"""By BANCO's points: the third cards of PUNTO on which BANCO draws."""


def count_of(card: str) -> int:
    """The count of a card such as `TD` or `9H`: tens and faces 0, an ace 1."""
    return 0 if card[0] in TENS else RANKS.index(card[0]) + 1


def points(cards: Sequence[str]) -> int:
    """The points of cards: the last digit of their counts' sum."""
    return sum(count_of(card) for card in cards) % 10


def next_place(punto: Sequence[str], banco: Sequence[str]) -> Place | None:
    """Who draws the next card; None: the coup is complete."""
    if len(banco) < TWO:
        return Place.PUNTO if len(punto) == len(banco) else Place.BANCO
    if len(banco) > TWO:
        return None
    if len(punto) == TWO:
        return _after_four(points(punto), points(banco))
    draws = count_of(punto[TWO]) in BANCO_DRAWS[points(banco)]
    return Place.BANCO if draws else None


def _after_four(punto: int, banco: int) -> Place | None:
    if punto >= NATURAL or banco >= NATURAL:
        return None
    if punto < PUNTO_STANDS:
        return Place.PUNTO
    return Place.BANCO if banco < PUNTO_STANDS else None


def outcome(punto: Sequence[str], banco: Sequence[str]) -> CoupOutcome:
    """Who wins a complete coup."""
    difference = points(punto) - points(banco)
    if difference == 0:
        return CoupOutcome.EGALITE
    return CoupOutcome.PUNTO if difference > 0 else CoupOutcome.BANCO
