"""A token that does not drop: seen, told, tried again, given up."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.cabinet import Cabinet

pytestmark = pytest.mark.sampled(of=2)


def jam_seat_4(ours: Cabinet) -> Cabinet:
    """Seats 2 and 4 stake; the token of seat 4 does not drop."""
    ours.press("GAME_OVER").shows_phase("BETTING").token(2, 4)
    ours.page.get_by_role("radiogroup", name="In hand").get_by_text("Jam").click()
    ours.seat(4).click()
    expect(ours.around(4)).to_contain_class("with-jam")
    return ours.press("COIN_IN").shows_lamp("ALERT", 4).shows_fault("TOKEN_STUCK")


def test_a_stuck_token_alerts_and_drops_when_it_is_freed(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = (
        jam_seat_4(cabinet("en"))
        .shows_phase("COLLECTING")
        .shows_led("ON", 2)
        .displays("TOKEN STUCK")
    )
    expect(ours.seat(4)).to_have_accessible_name("Seat 4, lamp: alert, token, jammed")
    ours.seat(4).click()
    expect(ours.around(4)).not_to_contain_class("with-jam")
    ours.press("COIN_IN").shows_phase("PLAYING").shows_fault("none").shows_led("ON", 2, 4)
    ours.shows_account("jackpot", "10,002.80")


def test_a_stuck_token_taken_back_leaves_its_seat_out(cabinet: Callable[..., Cabinet]) -> None:
    ours = jam_seat_4(cabinet("en"))
    ours.page.get_by_text("Token", exact=True).click()
    ours.take(4).press("COIN_IN").shows_phase("PLAYING").shows_fault("none")
    ours.shows_led("ON", 2).shows_led("DARK", 4).shows_account("jackpot", "10,001.40")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "jam", "free"),
    [("it", "Incastra lo sportello", "Libera lo sportello"), ("en", "Jam it", "Free it")],
)
def test_a_seat_is_jammed_by_its_menu(
    cabinet: Callable[..., Cabinet], language: str, jam: str, free: str
) -> None:
    ours = cabinet(language)
    for name, there in ((jam, 1), (free, 0)):
        ours.seat(6).click(button="right")
        ours.page.get_by_role("menuitem", name=name).click()
        expect(ours.page.locator(".with-jam")).to_have_count(there)


def test_the_rail_unplugged_locks_the_round(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en").switch("rail").shows_fault("RAIL_LOST")
    ours.press("GAME_OVER").answers("refused, LOCKED").shows_phase("PAUSED")
    ours.switch("rail").shows_fault("none").press("GAME_OVER").shows_phase("BETTING")
