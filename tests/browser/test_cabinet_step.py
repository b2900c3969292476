"""The line that says what comes next, the light on what can be done, and a refusal's remedy."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.cabinet import Cabinet
from tests.browser.web_table import TOURNAMENT

pytestmark = pytest.mark.sampled(of=2)


def says(ours: Cabinet, text: str) -> None:
    expect(ours.page.locator("#step")).to_contain_text(text)


def can(ours: Cabinet, answer: str, *names: str) -> None:
    for name in names:
        expect(ours.button(name)).to_have_attribute("data-can", answer)


def test_each_step_of_a_round_with_an_award_is_said_and_lit(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = cabinet("en")
    says(ours, "GAME OVER opens betting.")
    can(ours, "yes", "GAME_OVER")
    can(ours, "no", "COIN_IN", "JPOT", "FLUSH")
    ours.press("GAME_OVER").shows_phase("BETTING")
    says(ours, "Players stake")
    ours.token(2)
    says(ours, "COIN IN closes betting and collects the tokens.")
    ours.press("COIN_IN").shows_phase("PLAYING").press("FLUSH").shows_lit("FLUSH")
    says(ours, "Turn the key to JPL.")
    expect(ours.page.locator('.key [data-to="JPL"]')).to_have_attribute("data-can", "yes")
    ours.press("JPOT").answers("WRONG_KEY").answers("Turn the key to JPL.")
    ours.key("JPL")
    says(ours, "JPOT makes the award.")
    can(ours, "yes", "JPOT")
    ours.press("JPOT").shows_phase("AWARDING")
    says(ours, "Key to R pays the award.")
    can(ours, "no", "GAME_OVER", "COIN_IN")
    ours.key("R").shows_phase("PLAYING")
    says(ours, "GAME OVER ends the round")


def test_a_stuck_token_is_said_with_its_seat_and_what_to_do(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = cabinet("it")
    ours.press("GAME_OVER").shows_phase("BETTING").token(4).type("jam 4").press("COIN_IN")
    ours.shows_fault("TOKEN_STUCK")
    says(ours, "Gettone incastrato al posto 4: liberare lo sportello, poi COIN IN.")
    ours.type("unjam 4")
    says(ours, "Lo sportello al posto 4 è libero: COIN IN riprova.")
    ours.press("COIN_IN").shows_phase("PLAYING")


def test_without_power_or_panel_nothing_is_lit(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en").switch("panel")
    can(ours, "no", "GAME_OVER")
    ours.switch("panel")
    can(ours, "yes", "GAME_OVER")
    ours.switch("power").shows_phase("OFF")
    says(ours, "The table has no power")
    can(ours, "no", "GAME_OVER")


def test_a_poker_table_names_what_can_be_pressed(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en", "texas-holdem", poker=TOURNAMENT)
    says(ours, "You can press now: GAME OVER.")
    can(ours, "no", "HAND")
    expect(ours.page.locator(".legend-others", has_text="CHIP")).to_have_count(0)


def test_at_poker_what_comes_next_is_bright_and_what_was_done_has_a_lamp(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = cabinet("en", "texas-holdem")
    ours.table.do("press GAME_OVER", "press HAND", "press FLOP")
    ours.shows_lit("HAND", "FLOP")
    inks = {
        name: ours.button(name).evaluate("button => getComputedStyle(button).color")
        for name in ("HAND", "FLOP", "TURN", "RIVER")
    }
    dark, light = "rgb(37, 26, 0)", "rgb(255, 255, 255)"
    assert inks == {"HAND": light, "FLOP": light, "TURN": dark, "RIVER": light}
    can(ours, "no", "RIVER")
    assert violations(ours.page) == []
