"""A whole round by mouse: stakes, collection, an award; what is refused; the scenario of it all."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.cabinet import Cabinet
from tests.console.technician.terminal.programs import (
    BANCO,
    environment,
)
from tests.deadlines import DEADLINE_S

pytestmark = pytest.mark.sampled(of=2)

SEATS = (1, 2, 3, 4, 5, 6, 7)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "staked", "each", "left"),
    [
        ("it", "10.002,80", "100,02", "9.902,78"),
        ("en", "10,002.80", "100.02", "9,902.78"),
    ],
)
def test_a_whole_round_by_mouse(
    cabinet: Callable[..., Cabinet], language: str, staked: str, each: str, left: str
) -> None:
    ours = cabinet(language).shows_phase("PAUSED").shows_fault("none")
    ours.press("GAME_OVER").shows_phase("BETTING").shows_lamp("INVITE", *SEATS)
    ours.token(1, 3, 5).shows_lamp("ON", 1, 3, 5).take(5).shows_lamp("INVITE", 5)
    ours.press("COIN_IN").shows_phase("PLAYING")
    ours.shows_led("ON", 1, 3).shows_led("DARK", 2, 4, 5, 6, 7).shows_lamp("DARK", 5)
    ours.displays(f"{staked} EUR").shows_account("jackpot", staked)
    ours.press("FLUSH").shows_lit("FLUSH").key("JPL").shows_key("JPL")
    ours.press("JPOT").shows_phase("AWARDING").shows_award(each).displays(each)
    ours.key("R").shows_phase("PLAYING").shows_award("").shows_lit()
    ours.shows_account("paid", each).shows_account("jackpot", left).displays(f"{left} EUR")
    ours.press("GAME_OVER").shows_phase("BETTING").shows_led("DARK", *SEATS)


def test_the_tokens_fall_into_the_tray(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet()
    ours.press("GAME_OVER").shows_phase("BETTING").token(2, 4, 6).press("COIN_IN")
    expect(ours.page.locator("#tray")).to_have_attribute("data-count", "3")
    expect(ours.page.locator(".with-token")).to_have_count(0)


def test_what_is_refused_is_said_where_it_was_done_and_stands_in_the_record(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = (
        cabinet("en")
        .press("JPOT")
        .answers("press JPOT: refused, NOT_OPEN: the table is not open for this")
    )
    refusal = ours.page.locator("#record li.refusal")
    expect(refusal).to_have_count(1)
    expect(refusal).to_contain_text("refused NOT_OPEN")
    ours.type("press NOTHING").answers("not done").shows_phase("PAUSED")


def test_a_card_dragged_over_a_slot_costs_its_seat_the_jackpot(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = cabinet()
    ours.press("GAME_OVER").shows_phase("BETTING").token(2, 5).press("COIN_IN")
    ours.shows_phase("PLAYING").lay_card(5)
    ours.shows_led("ALERT", 5).shows_led("ON", 2).shows_lamp("ON", 5)
    ours.lift_card(5).shows_led("ALERT", 5)


def test_a_card_goes_from_seat_to_seat(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet().lay_card(3)
    ours.drag(ours.around(3).locator(".card-over"), ours.seat(4))
    expect(ours.around(4)).to_contain_class("with-card")
    expect(ours.around(3)).not_to_contain_class("with-card")


def test_money_and_record_are_told_as_they_move(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en")
    ours.press("GAME_OVER").shows_phase("BETTING").token(1).press("COIN_IN")
    jackpot = ours.page.locator('[data-account="jackpot"]')
    expect(jackpot.locator(".moved")).to_have_text("+1.40")
    newest = ours.page.locator("#record li").filter(has_text="Jackpot +1.40")
    expect(newest).to_have_count(1)


def test_the_language_is_switched_at_the_table(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("it")
    expect(ours.button("FLUSH")).to_contain_text("COLORE")
    ours.page.locator("#language").click()
    expect(ours.button("FLUSH")).to_contain_text("FLUSH")
    ours.shows_account("jackpot", "10,000.00")
    assert "lang=en" in ours.page.url
    expect(ours.page.locator("html")).to_have_attribute("lang", "en")


def test_what_was_done_is_saved_and_plays_again(
    cabinet: Callable[..., Cabinet], tmp_path: Path
) -> None:
    ours = cabinet()
    ours.press("GAME_OVER").shows_phase("BETTING").token(1, 3).press("COIN_IN")
    ours.shows_phase("PLAYING").shows_account("jackpot", "10.002,80")
    with ours.page.expect_download() as saving:
        ours.page.locator("#save").click()
    file = tmp_path / "saved.scenario"
    saving.value.save_as(file)
    text = file.read_text("utf-8")
    assert "token 3" in text
    file.write_text(f"{text}\nexpect phase PLAYING\nexpect jackpot 10002.80\n", "utf-8")
    subprocess.run(
        [*BANCO, "play", file], check=True, timeout=DEADLINE_S, env=environment(tmp_path)
    )
