"""The plug is pulled, a cable, the disk fills up: what the page then shows, and what comes back."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.cabinet import Cabinet

pytestmark = pytest.mark.sampled(of=2)


def test_an_award_outlives_a_power_cut(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en").press("GAME_OVER").shows_phase("BETTING").token(1, 2).press("COIN_IN")
    ours.shows_phase("PLAYING").press("FULL_HOUSE").key("JPL").shows_key("JPL")
    ours.press("JPOT").shows_phase("AWARDING").shows_award("200.05")
    ours.switch("power").shows_phase("OFF").displays("Display dark").shows_lamp("DARK", 1, 2)
    expect(ours.page.locator("#display")).to_contain_class("dark")
    ours.switch("power").shows_phase("AWARDING").shows_award("200.05").shows_lit("FULL_HOUSE")
    ours.shows_led("ON", 1, 2).displays("200.05")
    ours.key("R").shows_phase("PLAYING").shows_account("paid", "200.05")


@pytest.mark.sampled
@pytest.mark.parametrize(("language", "dark"), [("it", "Display spento"), ("en", "Display dark")])
def test_a_display_unplugged_is_dark(
    cabinet: Callable[..., Cabinet], language: str, dark: str
) -> None:
    ours = cabinet(language).displays("JACKPOT").switch("display")
    ours.displays(dark).shows_fault("DISPLAY_LOST")
    ours.switch("display").displays("JACKPOT").shows_fault("none")


def test_a_full_disk_locks_the_table_until_the_technician_clears_it(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = cabinet("en").press("GAME_OVER").shows_phase("BETTING").token(1).switch("disk")
    ours.press("COIN_IN").shows_fault("LEDGER_FAULT").press("GAME_OVER").answers("LOCKED")
    ours.switch("disk").key("S").shows_key("S").shows_phase("SERVICE")
    ours.page.locator("#open-drawer").click()
    ours.page.get_by_role("button", name="Clear LEDGER_FAULT").click()
    ours.shows_fault("none")


def test_the_key_between_two_positions_is_a_fault(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en").key("between").shows_key("between").shows_fault("KEY_FAULT")
    ours.key("R").shows_key("R").shows_fault("none")
