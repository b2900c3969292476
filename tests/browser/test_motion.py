"""Lamps pulse and blink as docs/reference/rules.md, section 2, has them; who wants no motion sees
none.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.cabinet import Cabinet
from tests.browser.conftest import Visits
from tests.browser.web_table import WebTable

TURN_MS = """
(seat) => document.querySelector(`.seat[data-seat="${seat}"] .lamp`)
  .getAnimations().map((moving) => moving.effect.getTiming().duration)
"""
"""How long one turn of each thing that moves at a seat's lamp takes."""


def turns(page: Page, seat: int) -> list[float]:
    found: list[float] = page.evaluate(TURN_MS, seat)
    return found


@pytest.fixture
def cabinet_of(visits: Visits) -> Callable[[WebTable, str], Cabinet]:
    """The page of a table, for who likes motion or does not."""

    def open_page(ours: WebTable, motion: str) -> Cabinet:
        return Cabinet(visits.to(ours, "/cabinet", reduced_motion=motion), ours)

    return open_page


def test_an_invitation_is_slow_an_alert_fast_a_token_steady(
    table: Callable[..., WebTable], cabinet_of: Callable[[WebTable, str], Cabinet]
) -> None:
    ours = table()
    moving, still = cabinet_of(ours, "no-preference"), cabinet_of(ours, "reduce")
    ours.do("press GAME_OVER", "token 1 2", "jam 2")
    for cabinet in (moving, still):
        cabinet.shows_lamp("ON", 1, 2).shows_lamp("INVITE", 3)
    [slow] = turns(moving.page, 3)
    assert turns(moving.page, 1) == []
    assert turns(still.page, 3) == []
    ours.do("press COIN_IN", "wait 2100ms")
    for cabinet in (moving, still):
        cabinet.shows_lamp("ALERT", 2)
    [fast] = turns(moving.page, 2)
    assert turns(still.page, 2) == []
    assert fast * 3 < slow
