"""How often each combination comes, counted hand by hand; nothing here is a known number."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest

from jackpot.failures import Refused
from jackpot.money.expected import chance_of
from jackpot.money.prize_file import load_prizes
from jackpot.money.prizes import Combination, Prize, PrizeTable

DECK = range(52)
ACE_HIGH, ACE_LOW = 12, -1


def name_of(cards: tuple[int, ...]) -> str:
    """The best combination of a hand; a card is 4 x rank + suit, the ace is rank 12."""
    counts = sorted(Counter(card >> 2 for card in cards).values(), reverse=True)
    ranks = sorted({card >> 2 for card in cards})
    in_one_suit = len({card & 3 for card in cards}) == 1
    if len(ranks) == len(cards) and in_one_suit:
        if not is_straight(ranks):
            return "FLUSH"
        return "ROYAL_FLUSH" if ranks[0] == ACE_HIGH + 1 - len(cards) else "STRAIGHT_FLUSH"
    named = {(4, 1): "FOUR_OF_A_KIND", (3, 2): "FULL_HOUSE", (3, 1, 1): "THREE_OF_A_KIND"}
    return {**named, (3,): "THREE_OF_A_KIND"}.get(tuple(counts), "")


def is_straight(ranks: list[int]) -> bool:
    with_low_ace = sorted({ACE_LOW if rank == ACE_HIGH else rank for rank in ranks})
    return any(one[-1] - one[0] == len(ranks) - 1 for one in (ranks, with_low_ace))


@cache
def count_hands(cards: int) -> Counter[str]:
    """Every hand of the deck that wins, by its name."""
    return Counter(name_of(hand) for hand in hands_that_may_win(cards))


def hands_that_may_win(cards: int) -> Iterator[tuple[int, ...]]:
    """All hands but those of several suits with at most one pair: they win nothing."""
    for hand in combinations(DECK, cards):
        ranks = {card >> 2 for card in hand}
        if len(ranks) <= cards - 2 or len({card & 3 for card in hand}) == 1:
            yield hand


@pytest.mark.parametrize(("cards", "hands"), [(5, 2_598_960), (3, 22_100)])
def test_known_combinations_come_as_often_as_their_hands(cards: int, hands: int) -> None:
    """PRIZES 3.2: counted over all hands of five cards, and of three."""
    assert comb(52, cards) == hands
    counted = count_hands(cards)
    for name in ("ROYAL_FLUSH", "STRAIGHT_FLUSH", "THREE_OF_A_KIND", "FLUSH"):
        assert chance(name, cards, "ROYAL_FLUSH") == Fraction(counted[name], hands), name
    for name in ("FOUR_OF_A_KIND", "FULL_HOUSE") if cards == 5 else ():
        assert chance(name, cards) == Fraction(counted[name], hands), name
    both = counted["ROYAL_FLUSH"] + counted["STRAIGHT_FLUSH"]
    assert chance("STRAIGHT_FLUSH", cards) == Fraction(both, hands)


def test_a_double_three_is_a_pair_of_hands() -> None:
    """PRIZES 3.3: counted over both hands, where the player's is three of a kind."""
    won: Counter[str] = Counter()
    for player in combinations(DECK, 3):
        if name_of(player) != "THREE_OF_A_KIND":
            continue
        left = [card for card in DECK if card not in player]
        for dealer in combinations(left, 3):
            if dealer[0] >> 2 == dealer[2] >> 2:
                won["PLAYER" if player > dealer else "DEALER"] += 1
    pairs = comb(52, 3) * comb(49, 3)
    for who in ("PLAYER", "DEALER"):
        assert chance(f"DOUBLE_THREE_{who}", 3) == Fraction(won[who], pairs)


def test_ways_of_a_prize_come_first() -> None:
    """PRIZES 3.4: what the file says, and an error that names a prize of which nothing is known."""
    own = Prize("MINI_ROYAL", 10_000, True, it="MINI", en="MINI", ways="1/22100")
    assert chance_of(own, PrizeTable((own,)), 5) == Fraction(1, 22_100)
    flush = Prize("FLUSH", 100, False, ways="1/100")
    assert chance_of(flush, PrizeTable((flush,)), 5) == Fraction(1, 100)
    for name, cards in (("MINI_ROYAL", 3), ("FULL_HOUSE", 3), ("DOUBLE_THREE_PLAYER", 5)):
        with pytest.raises(Refused, match=f"^{name}: .* write ways in its prize"):
            chance(name, cards)


@pytest.mark.parametrize(("game", "cards"), [("caribbean-stud", 5), ("tre-card-stud", 3)])
def test_the_houses_own_prizes_are_all_known(game: str, cards: int) -> None:
    table = load_prizes(game)
    assert all(chance_of(prize, table, cards) > 0 for prize in table.prizes)
    assert set(Combination) >= {prize.combination for prize in table.prizes}


def chance(name: str, cards: int, *others: str) -> Fraction:
    """Of a table that pays for these combinations."""
    prizes = tuple(Prize(one, 100, False) for one in dict.fromkeys((name, *others)))
    return chance_of(prizes[0], PrizeTable(prizes), cards)
