"""A whole round by keyboard alone: with the single keys, and going from control to control."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.cabinet import Cabinet

pytestmark = pytest.mark.sampled(of=2)


def press_keys(cabinet: Cabinet, *keys: str) -> None:
    for key in keys:
        cabinet.page.keyboard.press(key)


def go_to(cabinet: Cabinet, selector: str, *, back: bool = False) -> None:
    """Tab until the focus is there; it can be seen where it is."""
    wanted = cabinet.page.locator(selector)
    for _ in range(80):
        press_keys(cabinet, "Shift+Tab" if back else "Tab")
        if wanted.evaluate("(element) => element === document.activeElement"):
            assert wanted.evaluate("(element) => getComputedStyle(element).outlineStyle") != "none"
            return
    pytest.fail(f"the focus never comes to {selector}")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "jackpot", "each"),
    [("it", "9.902,78", "100,02"), ("en", "9,902.78", "100.02")],
)
def test_a_round_with_the_single_keys(
    cabinet: Callable[..., Cabinet], language: str, jackpot: str, each: str
) -> None:
    ours = cabinet(language).shows_phase("PAUSED")
    press_keys(ours, "g")
    ours.shows_phase("BETTING").shows_lamp("INVITE", 1, 2, 3, 4, 5, 6, 7)
    press_keys(ours, "1", "3")
    ours.shows_lamp("ON", 1, 3)
    press_keys(ours, "c")
    ours.shows_phase("PLAYING").shows_led("ON", 1, 3).shows_led("DARK", 2, 4, 5, 6, 7)
    press_keys(ours, "t")
    ours.shows_lit("FLUSH")
    press_keys(ours, "k", "ArrowLeft")
    ours.shows_key("JPL")
    press_keys(ours, "j")
    ours.shows_phase("AWARDING").displays(each).shows_award(each)
    press_keys(ours, "k", "ArrowRight")
    ours.shows_key("R").shows_phase("PLAYING").shows_account("jackpot", jackpot)
    press_keys(ours, "g")
    ours.shows_phase("BETTING").shows_lit()


def test_a_round_from_control_to_control(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en").shows_phase("PAUSED")
    go_to(ours, '[data-press="GAME_OVER"]')
    press_keys(ours, "Enter")
    ours.shows_phase("BETTING")
    go_to(ours, "#seat-2", back=True)
    press_keys(ours, "Space")
    ours.shows_lamp("ON", 2)
    go_to(ours, '[data-press="COIN_IN"]')
    press_keys(ours, "Enter")
    ours.shows_phase("PLAYING")
    go_to(ours, '[data-press="FULL_HOUSE"]', back=True)
    press_keys(ours, "Space")
    ours.shows_lit("FULL_HOUSE")
    go_to(ours, '.key [tabindex="0"]')
    press_keys(ours, "ArrowLeft")
    ours.shows_key("JPL")
    go_to(ours, '[data-press="JPOT"]', back=True)
    press_keys(ours, "Enter")
    ours.shows_phase("AWARDING").shows_award("200.02")
    go_to(ours, '.key [tabindex="0"]')
    press_keys(ours, "ArrowRight")
    ours.shows_phase("PLAYING").shows_account("paid", "200.02")


def test_a_changed_card_by_the_menu_of_its_seat(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en")
    ours.table.play("press GAME_OVER", "token 2 5", "press COIN_IN")
    ours.shows_phase("PLAYING").shows_led("ON", 2, 5)
    go_to(ours, '.seat[data-seat="5"] .seat-more')
    press_keys(ours, "Enter")
    expect(ours.page.get_by_role("menuitem", name="Cover with a card")).to_be_visible()
    while ours.page.locator(":focus").inner_text() != "Cover with a card":
        press_keys(ours, "ArrowDown")
    press_keys(ours, "Enter")
    ours.shows_led("ALERT", 5).shows_led("ON", 2)
    expect(ours.page.locator('.seat[data-seat="5"] .seat-more')).to_be_focused()
