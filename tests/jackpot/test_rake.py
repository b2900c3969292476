"""The rake: every figure of docs/reference/poker-rules.md, section 18, and what holds for all
pots.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.money.amounts import Cents, parse_cents
from jackpot.money.rake import (
    EURO,
    RakeCap,
    RakeHouse,
    RakeTerms,
    choose_terms,
    divide_rake,
    parse_cap,
    reckon_rake,
)

PRESTIGE = choose_terms(RakeHouse.PRESTIGE)
HALF = choose_terms(RakeHouse.PRESTIGE, half=True)
SANREMO = choose_terms(RakeHouse.SANREMO)
BY_PLAYERS = choose_terms(RakeHouse.SANREMO, cap=parse_cap("2:10 5:20 7:30"))
SAN_MARINO = choose_terms(RakeHouse.SAN_MARINO)
FIVE = choose_terms(RakeHouse.SAN_MARINO, rate=500)
FIVE_AND_TWO = choose_terms(RakeHouse.SAN_MARINO, rate=500, fixed=Cents(200))

FIGURES = (
    (PRESTIGE, "18→0, 19.99→0, 20→1, 39→1, 40→2, 79→3, 132→6, 339→16, 499→24, 500→25, 520→25"),
    (HALF, "132→3, 79→1, 20→0, 500→12"),
    (PRESTIGE, "100/200/1000→25+0+0, 6/200→6+4, 6.50/200→6+4, 4/3/500→4+3+18"),
    (SANREMO, "59.99→0, 60→3, 79→3, 80→4, 190→9, 199→9, 200→10, 599→29, 600→30, 619→30"),
    (SANREMO, "100/200/1000→5+10+15, 40/300→2+15, 90/150→4+8, 30/20→0+0, 700/100→30+0"),
    (SANREMO, "79.99/0.01→4+0"),
    (SAN_MARINO, "190→5, 170→4, 180→5, 179→4, 20→1, 19→0, 579→14, 580→15, 900→15"),
    (FIVE, "40/300→2+13, 160/40→8+2, 50/50→3+2, 9→0, 10→1, 289→14, 310/100→15+0"),
    (FIVE_AND_TWO, "100→7, 100/100→7+5, 10→3, 260→15, 1→1"),
)


def read_pots(text: str) -> list[int]:
    return [parse_cents(pot) for pot in text.split("/")]


@pytest.mark.parametrize(
    ("terms", "figure"),
    [(terms, figure) for terms, figures in FIGURES for figure in figures.split(", ")],
    ids=lambda value: value if isinstance(value, str) else value.house.value,
)
def test_every_figure_of_the_rules(terms: RakeTerms, figure: str) -> None:
    """POKER 18.2, 18.3, 18.6, 18.7, 18.8, 18.9, 18.12, 18.13, 18.14, 18.15"""
    pots, parts = figure.split("→")
    assert "+".join(str(part) for part in divide_rake(terms, read_pots(pots), 9)) == parts


def test_a_cap_by_players() -> None:
    """POKER 18.5, 18.14"""
    rakes = {players: divide_rake(BY_PLAYERS, [1000 * EURO], players) for players in range(2, 12)}
    caps = dict.fromkeys((2, 3, 4), 10) | {5: 20, 6: 20} | dict.fromkeys(range(7, 12), 30)
    assert rakes == {players: (cap,) for players, cap in caps.items()}


def test_below_the_first_step_the_first_cap_holds() -> None:
    """POKER 18.5"""
    assert RakeCap(((5, 20), (7, 30))).of(2) == 20


def test_a_shared_pot_is_raked_at_prestige_only() -> None:
    """POKER 18.2, 18.14, 18.19"""
    assert divide_rake(SANREMO, [190 * EURO], 9, shared=True) == (0,)
    assert divide_rake(SAN_MARINO, [190 * EURO], 9, shared=True) == (0,)
    assert divide_rake(PRESTIGE, [190 * EURO], 9, shared=True) == (9,)


@pytest.mark.parametrize("terms", [PRESTIGE, SANREMO, SAN_MARINO])
def test_no_flop_no_drop(terms: RakeTerms) -> None:
    """POKER 18.2, 18.14"""
    assert divide_rake(terms, [700 * EURO, 300 * EURO], 9, flop=False) == (0, 0)


def test_what_no_pot_holds_as_a_whole_euro_is_not_taken() -> None:
    """POKER 18.4, 18.10"""
    assert divide_rake(FIVE_AND_TWO, [50, 50], 9) == (0, 0)


def test_what_a_house_does_not_set_is_refused() -> None:
    with pytest.raises(ValueError, match="san-marino only"):
        choose_terms(RakeHouse.SANREMO, rate=250)
    with pytest.raises(ValueError, match="san-marino only"):
        choose_terms(RakeHouse.PRESTIGE, fixed=Cents(0))
    with pytest.raises(ValueError, match="it is not set"):
        choose_terms(RakeHouse.PRESTIGE, cap=parse_cap("30"))
    with pytest.raises(ValueError, match="prestige only"):
        choose_terms(RakeHouse.SAN_MARINO, half=True)


NO_CAPS = (
    "",
    " ",
    "-5",
    "15.50",
    "15.005",
    "2:10 5",
    "5:20 2:10",
    "5:1 5:2",
    "1:10",
    "12:9",
    "2:x",
)


@pytest.mark.parametrize("text", NO_CAPS)
def test_what_is_no_cap_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"cap|amount"):
        parse_cap(text)


ALL_TERMS = st.sampled_from([PRESTIGE, HALF, SANREMO, BY_PLAYERS, SAN_MARINO, FIVE, FIVE_AND_TWO])
AMOUNTS = st.integers(0, 2_000 * EURO) | st.integers(0, 40).map(lambda euro: euro * EURO)
POTS = st.lists(AMOUNTS, min_size=1, max_size=9)
PLAYERS = st.integers(2, 11)


@given(ALL_TERMS, POTS, PLAYERS)
def test_no_part_above_its_pot_and_the_sum_never_above_the_cap(
    terms: RakeTerms, pots: list[int], players: int
) -> None:
    """POKER 18.4, 18.10"""
    parts = divide_rake(terms, pots, players)
    assert len(parts) == len(pots)
    assert all(0 <= part <= pot // EURO for part, pot in zip(parts, pots, strict=True))
    assert sum(parts) <= min(terms.cap.of(players), reckon_rake(terms, sum(pots), players))


@given(ALL_TERMS, st.lists(st.integers(0, 500), min_size=1, max_size=9), PLAYERS)
def test_of_pots_in_whole_euro_the_parts_are_the_rake_of_the_sum(
    terms: RakeTerms, euros: list[int], players: int
) -> None:
    """POKER 18.1, 18.3, 18.7, 18.8"""
    pots = [euro * EURO for euro in euros]
    total = sum(pots)
    due = reckon_rake(terms, total, players) if total >= terms.minimum else 0
    assert sum(divide_rake(terms, pots, players)) == due


@given(ALL_TERMS, AMOUNTS, AMOUNTS, PLAYERS)
def test_more_in_the_pot_is_never_less_rake(
    terms: RakeTerms, pot: int, more: int, players: int
) -> None:
    assert divide_rake(terms, [pot], players) <= divide_rake(terms, [pot + more], players)


@given(ALL_TERMS, AMOUNTS, PLAYERS)
def test_a_side_pot_of_nothing_changes_nothing(terms: RakeTerms, pot: int, players: int) -> None:
    assert divide_rake(terms, [pot, 0], players) == (*divide_rake(terms, [pot], players), 0)
