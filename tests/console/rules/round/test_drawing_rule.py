"""The drawing rule against article 21's own table, for every combination of points and cards."""

from itertools import product

from console.rules.card_state import CoupOutcome
from console.rules.round.drawing_rule import RANKS, SUITS, count_of, next_place, outcome, points
from devices.card_reports import Place

# "TABELLA DELLA REGOLA": BANCO holding 3 to 6, PUNTO given 0 to 9, or none; T draws, R stands.
TABLE = {
    3: "T T T T T T T T R T T",
    4: "R R T T T T T T R R T",
    5: "R R R R T T T T R R T",
    6: "R R R R R R T T R R R",
}
NO_CARD = 10


def of(count: int) -> str:
    """A card that counts so much."""
    return {0: "KD", 1: "AS"}.get(count, f"{count}H")


def by_the_table(punto: int, banco: int, third: int | None) -> Place | None:
    """Who draws next after four cards, or after PUNTO's third, as the article has it."""
    if punto >= 8 or banco >= 8:
        return None
    if punto <= 5 and third is None:
        return Place.PUNTO
    given = NO_CARD if third is None else third
    if banco <= 2 or (banco in TABLE and TABLE[banco].split()[given] == "T"):
        return Place.BANCO
    return None


def test_every_card_counts_what_it_says() -> None:
    counts = [count_of(rank + suit) for rank, suit in product(RANKS, SUITS)]
    assert counts == [value for value in (*range(1, 10), 0, 0, 0, 0) for _ in SUITS]


def test_the_first_four_go_in_turn() -> None:
    assert next_place([], []) is Place.PUNTO
    assert next_place(["5H"], []) is Place.BANCO
    assert next_place(["5H"], ["5D"]) is Place.PUNTO
    assert next_place(["5H", "9S"], ["5D"]) is Place.BANCO


def test_after_four_cards_every_pair_of_points() -> None:
    for cards in product(range(10), repeat=4):
        punto, banco = [of(cards[0]), of(cards[2])], [of(cards[1]), of(cards[3])]
        expected = by_the_table(sum(cards[::2]) % 10, sum(cards[1::2]) % 10, None)
        assert next_place(punto, banco) is expected, (punto, banco)


def test_after_the_third_card_of_punto_every_points_and_card() -> None:
    for punto, banco, third in product(range(6), range(8), range(10)):
        drawn = ["KS", of(punto), of(third)]
        assert next_place(drawn, ["QC", of(banco)]) is by_the_table(punto, banco, third)


def test_after_the_third_card_of_banco_nobody_draws() -> None:
    for punto, banco, third in product(range(8), range(8), range(10)):
        drawn = ["KS", of(punto)]
        for more in ([], [of(third)]):
            assert next_place(drawn + more, ["QC", of(banco), of(third)]) is None


def test_the_higher_points_win_and_equal_ones_are_egalite() -> None:
    for punto, banco in product(range(10), repeat=2):
        wins = CoupOutcome.PUNTO if punto > banco else CoupOutcome.BANCO
        expected = CoupOutcome.EGALITE if punto == banco else wins
        assert outcome(["KS", of(punto)], [of(banco), "TD"]) is expected


def test_only_the_last_figure_of_points_counts() -> None:
    assert points(["9H", "9D", "9C"]) == 7
    assert points(["5H", "5D"]) == 0
