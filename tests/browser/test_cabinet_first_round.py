"""The guided first round: somebody does what it says, and nothing else, to its end."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.cabinet import Cabinet
from tests.browser.web_table import TOURNAMENT

pytestmark = pytest.mark.sampled(of=2)


def is_at(ours: Cabinet, step: str) -> None:
    expect(ours.page.locator(".tour-step.now")).to_have_attribute("data-step", step)


def begin(ours: Cabinet) -> Cabinet:
    ours.page.locator("#open-tour").click()
    return ours


def test_a_first_round_is_ticked_from_the_record_and_repeated_with_a_jam(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = begin(cabinet("en"))
    is_at(ours, "open")
    assert violations(ours.page) == []
    ours.press("GAME_OVER")
    is_at(ours, "stake")
    ours.token(2)
    is_at(ours, "collect")
    ours.press("GAME_OVER").answers("ALREADY_OPEN")
    is_at(ours, "collect")  # what is refused ticks nothing
    ours.press("COIN_IN")
    is_at(ours, "choose")
    ours.press("FLUSH")
    is_at(ours, "turn")
    ours.key("JPL")
    is_at(ours, "award")
    ours.press("JPOT")
    is_at(ours, "pay")
    ours.key("R")
    is_at(ours, "next")
    ours.press("GAME_OVER")
    is_at(ours, "close")
    ours.press("COIN_IN")
    expect(ours.page.locator(".tour-over")).to_have_text(
        "The guide is over: each step is on record."
    )
    assert violations(ours.page) == []
    ours.page.get_by_role("button", name="Again, with a token that sticks").click()
    with_a_jam(ours)


def with_a_jam(ours: Cabinet) -> None:
    is_at(ours, "open")
    ours.press("GAME_OVER").token(3)
    is_at(ours, "jam")
    ours.page.get_by_text("Jam", exact=True).click()
    ours.seat(3).click()
    ours.press("COIN_IN")
    is_at(ours, "free")
    ours.shows_fault("TOKEN_STUCK")
    assert violations(ours.page) == []
    ours.seat(3).click()
    ours.press("COIN_IN")
    is_at(ours, "next")
    ours.shows_fault("none").press("GAME_OVER").press("COIN_IN")
    expect(ours.page.locator(".tour-over")).to_contain_text("taken once")


def test_it_is_left_at_any_time_and_begins_where_the_table_is(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = begin(cabinet("it").press("GAME_OVER").shows_phase("BETTING"))
    is_at(ours, "stake")
    ours.page.get_by_role("button", name="Esci dalla guida").click()
    expect(ours.page.locator("#tour")).to_be_hidden()
    begin(ours.token(1))
    is_at(ours, "collect")
    ours.page.locator("#language").click()
    expect(ours.page.locator(".tour-step.now")).to_contain_text("Press COIN IN")


TO_DEAL = (("bets", "press GAME_OVER"), ("deal", "press COIN_IN"))
SHOE = (("shoe", "shoe load"), *TO_DEAL)
HAND = (("table", "press GAME_OVER"), ("hand", "press HAND"), ("flop", "press FLOP"))
NEXT, SHUT = ("next", "press GAME_OVER"), ("shut", "press COIN_IN")
COUNTED = (("count", "press JPOT"), ("count", "press CHIP_2"), ("rake", "press GAME_OVER"))


@pytest.mark.parametrize(
    ("game", "poker", "steps"),
    [
        ("black-jack", ("", ""), (*SHOE, NEXT)),
        ("mini-punto-banco", ("", ""), (*SHOE, ("coup", "draw 4S 4D KC 5H"), NEXT)),
        ("ultimate-texas-holdem", ("", ""), (*TO_DEAL, NEXT)),
        ("texas-holdem", ("", ""), (*HAND, *COUNTED, SHUT)),
        ("texas-holdem", TOURNAMENT, (*HAND, ("over", "press GAME_OVER"), SHUT)),
    ],
    ids=["shoe", "coup", "cards", "cash", "tournament"],
)
def test_a_table_without_tokens_has_its_own(
    cabinet: Callable[..., Cabinet],
    game: str,
    poker: tuple[str, str],
    steps: tuple[tuple[str, str], ...],
) -> None:
    """Each step is ticked by what it says, and by nothing before"""
    ours = begin(cabinet("en", game, poker=poker))
    for step, act in steps:
        is_at(ours, step)
        ours.table.do(act)
    expect(ours.page.locator(".tour-over")).to_contain_text("The guide is over")
    assert violations(ours.page) == []
