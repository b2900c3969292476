"""The poker table on its pages: legends, positions, pots and clock; the tournament on the sign."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.cabinet import Cabinet
from tests.browser.conftest import Visits
from tests.browser.web_table import TOURNAMENT, WebTable

pytestmark = pytest.mark.sampled(of=2)

GAME = "texas-holdem"

COLLECT_TIMES = """() => {
  const place = document.querySelector(".clock");
  const times = [];
  new MutationObserver(() => {
    const time = place.querySelector(".clock-time")?.textContent;
    if (time && times.at(-1) !== time) {
      times.push(time);
      document.body.dataset.times = times.join(" ");
    }
  }).observe(place, { childList: true, characterData: true, subtree: true });
}"""


def legends(ours: Cabinet, *names: str) -> None:
    """The lit buttons have these legends now, from the left."""
    expect(ours.page.locator(".legend")).to_have_text(list(names))


def push(ours: Cabinet, legend: str) -> None:
    """Push the lit button that has this legend now."""
    ours.page.locator(f'.combination[data-legend="{legend}"]').click()


def test_a_cash_hand_from_the_deal_to_its_rake(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en", GAME).shows_phase("PAUSED")
    facts = ours.page.locator("#poker-facts")
    ours.press("GAME_OVER").shows_phase("BETTING")
    legends(ours, "HAND", "FEWER", "MORE", "DEALER", "DECK")
    push(ours, "FEWER")
    expect(ours.page.locator(".position")).to_have_count(8)
    expect(ours.page.locator('.position[data-position="8"] .dealer')).to_have_count(1)
    expect(ours.page.locator(".hole")).to_have_count(0)
    push(ours, "HAND")
    ours.shows_phase("PLAYING")
    legends(ours, "HAND", "FLOP", "TURN", "RIVER", "TIME")
    expect(ours.page.locator(".hole")).to_have_count(16)
    push(ours, "FLOP")
    expect(ours.page.locator('[data-out="yes"]')).to_have_count(3)
    expect(facts).to_contain_text("Hand 1 · 8 players · Blinds 5/10 · flop · stub: 32 cards")
    push(ours, "TIME")
    expect(ours.page.locator(".poker-clock-name")).to_have_text("Time")
    expect(ours.page.locator('.combination[data-press="TIME"]')).to_have_attribute(
        "aria-pressed", "true"
    )
    push(ours, "TIME")
    expect(ours.page.locator(".poker-clock")).to_be_hidden()
    ours.press("JPOT").shows_phase("AWARDING")
    legends(ours, "CHIP 500", "CHIP 100", "CHIP 25", "CHIP 5", "CHIP 1")
    push(ours, "CHIP_2")
    ours.press("JPOT")
    push(ours, "CHIP_1")
    expect(facts).to_contain_text("Pot 1: 100.00 · Pot 2: 500.00 · Rake 5+25 EUR")
    ours.press("GAME_OVER").shows_phase("BETTING").displays("RAKE 5+25 EUR")
    expect(facts).to_contain_text("rake: 30.00 EUR", ignore_case=True)


def test_the_machine_s_light_says_when_green_may_be_pressed(
    cabinet_with_red_deck: Callable[..., Cabinet],
) -> None:
    ours = cabinet_with_red_deck("en", GAME, poker=('shuffler = "deck"', ""))
    green = ours.page.locator(".push-green")
    may = ours.page.get_by_role("img", name="green light: GREEN may be pressed")
    expect(ours.page.get_by_role("img", name="green light off")).to_be_visible()
    expect(green).to_have_attribute("data-lit", "no")
    ours.press("GAME_OVER").shows_phase("BETTING")
    expect(may).to_be_visible()
    expect(green).to_have_attribute("data-lit", "yes")
    green.click()
    ours.shows_phase("PLAYING")
    expect(may).to_have_count(0)
    expect(green).to_have_attribute("data-lit", "no")


def test_what_is_done_on_the_page_can_be_saved_as_a_scenario(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = cabinet("it", GAME, poker=TOURNAMENT)
    ours.press("GAME_OVER").shows_phase("BETTING")
    text = ours.page.request.get(f"{ours.table.url}/cabinet/scenario").text()
    for line in ("set house prestige", "set level 1200s 200/400/50", "set break 600s"):
        assert f"{line}\n" in text
    assert "press GAME_OVER" in text


@pytest.mark.parametrize("language", ["it", "en"])
def test_with_four_cards_each_the_game_is_omaha(
    language: str, cabinet: Callable[..., Cabinet], visits: Visits
) -> None:
    ours = cabinet(language, GAME, poker=("hole = 4", ""))
    for place in ("#title", "#felt-title"):
        expect(ours.page.locator(place)).to_have_text("OMAHA")
    expect(ours.page).to_have_title(re.compile("^OMAHA - "))
    ours.press("GAME_OVER").shows_phase("BETTING").displays("OMAHA 5/10")
    sign = visits.to(ours.table, "/sign")
    expect(sign.locator(".game")).to_have_text("OMAHA")
    assert "HOLD'EM" not in sign.content().upper()


def test_the_keys_push_what_counts(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("it", GAME)
    ours.page.keyboard.press("g")
    ours.shows_phase("BETTING")
    ours.page.keyboard.press("e")
    ours.answers("press MORE")
    expect(ours.page.locator(".position")).to_have_count(10)
    ours.page.keyboard.press("q")
    ours.shows_phase("PLAYING")
    ours.page.keyboard.press("e")
    ours.answers("press TURN: rifiutato, WRONG_STREET")


def test_the_sign_counts_the_level_down(table: Callable[..., WebTable], visits: Visits) -> None:
    ours = table(GAME, "it", poker=TOURNAMENT)
    page = visits.to(ours, "/sign")
    clock = page.locator("#clock")
    expect(page.locator(".clock-time")).to_have_text("20:00")
    expect(clock).to_contain_text("Orologio fermo")
    expect(clock).to_contain_text("100 / 200")
    expect(clock).to_contain_text("Livello 2: 200/400/50")
    expect(page.locator("#betting")).to_have_text("Tavolo chiuso")
    page.evaluate(COLLECT_TIMES)
    ours.do("press GAME_OVER", "declare clock start")
    expect(page.locator("body")).to_have_attribute("data-times", re.compile("(:.*){4}"))
    times = read_times(page)
    assert times == sorted(set(times), reverse=True), f"not always later: {times}"
    expect(page.locator("#betting")).to_have_text("Tra una mano e l'altra")
    ours.do("declare clock set 2 30s")
    expect(page.locator("h1#clock-name")).to_have_text("Livello 2")
    expect(clock).to_contain_text("200 / 400")
    expect(clock).to_contain_text("PoiPausa")
    ours.do("declare hand-for-hand on", "declare go", "press HAND")
    expect(clock).to_contain_text("Mano per mano")
    english = visits.to(ours, "/sign?lang=en")
    expect(english.locator("#clock")).to_contain_text("Hand for hand")
    expect(english.locator("#betting")).to_have_text("Hand in play")


def read_times(page: Page) -> list[str]:
    """What the clock has shown since it was started."""
    shown = page.locator("body").get_attribute("data-times") or ""
    return [time for time in shown.split() if ":" in time]


def fill(ours: Cabinet, line: str, *typed: str) -> None:
    """Type into the fields beside an act of the drawer, and press Enter."""
    row = ours.page.locator(".drawer-act").filter(
        has=ours.page.locator(f'[data-act="declare {line}"]')
    )
    fields = row.locator("input")
    expect(fields).to_have_count(len(typed))
    for place, text in enumerate(typed):
        fields.nth(place).fill(text)
    fields.last.press("Enter")


def says(ours: Cabinet, words: str) -> None:
    """What is wrong is said beside the field, which has the focus, and nothing was done."""
    expect(ours.page.locator(".drawer-wrong", has_text=re.compile("."))).to_have_text([words])
    assert ours.page.evaluate("document.activeElement.getAttribute('aria-invalid')") == "true"


def open_drawer(ours: Cabinet) -> Cabinet:
    ours.page.keyboard.press("m")
    expect(ours.page.locator("#drawer")).to_be_visible()
    return ours


def test_the_floor_manager_sets_the_clock_in_the_drawer(cabinet: Callable[..., Cabinet]) -> None:
    ours = open_drawer(cabinet("it", GAME, poker=TOURNAMENT))
    fill(ours, "clock set # #", "4", "7:30")
    says(ours, "Scrivere un numero intero da 1 a 3.")
    fill(ours, "clock set # #", "2", "7:3")
    says(ours, "Scrivere minuti, oppure minuti e secondi: 7 o 7:30, al massimo 24 ore.")
    fill(ours, "clock set # #", "2", "7:30")
    ours.answers("declare clock set 2 450s")
    expect(ours.page.locator(".drawer-wrong", has_text=re.compile("."))).to_have_count(0)
    expect(ours.page.locator(".poker-clock-name")).to_have_text("Livello 2")
    fill(ours, "clock set # #", "1", "20")
    ours.answers("declare clock set 1 1200s")
    expect(ours.page.locator(".poker-clock-name")).to_have_text("Livello 1")
    for cash_only in ("rake #", "drop #"):
        expect(ours.page.locator(f'[data-act="declare {cash_only}"]')).to_have_count(0)
    assert violations(ours.page) == []


def test_the_floor_manager_corrects_the_rake_and_counts_the_box(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = cabinet("en", GAME)
    ours.table.do("press GAME_OVER", "press HAND", "press FLOP", "press JPOT", "press CHIP_1")
    ours.table.do("press GAME_OVER")
    open_drawer(ours)
    for no_parts in ("5,10", "5 10"):
        fill(ours, "rake #", no_parts)
        says(ours, "Type the whole euro of each pot, the main pot first: 5+10+15.")
    fill(ours, "rake #", "5 + 10")
    ours.answers("declare rake 5+10").displays("RAKE 5+10 EUR")
    fill(ours, "drop #", "12.345")
    says(ours, "Type the amount in euro: 1250 or 1250.50.")
    fill(ours, "drop #", "14,50")
    ours.answers("declare drop 14.50: refused, ALREADY_OPEN")
    ours.press("COIN_IN").shows_phase("PAUSED")
    fill(ours, "drop #", "14,50")
    ours.answers("declare drop 14.50")
    fill(ours, "players #", "12")
    says(ours, "Type a whole number from 2 to 11.")
    expect(ours.page.locator('[data-act="declare clock set # #"]')).to_have_count(0)
    assert violations(ours.page) == []


def test_a_break_and_a_stopped_clock_on_the_cabinet(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en", GAME, poker=TOURNAMENT)
    name, time = ours.page.locator(".poker-clock-name"), ours.page.locator(".poker-clock-time")
    expect(time).to_have_text("Stopped")
    ours.table.do("press GAME_OVER", "declare clock set 2 1s", "declare clock start", "wait 1100ms")
    expect(name).to_have_text("Break")
    expect(time).to_contain_text(":")
    ours.page.locator("#open-drawer").click()
    expect(ours.page.locator('[data-act="declare go"]')).to_be_visible()
    expect(ours.page.locator('[data-act="declare rake none"]')).to_have_count(0)
    ours.page.get_by_role("button", name="The clock stops").click()
    ours.answers("declare clock stop")
    expect(time).to_have_text("Stopped")
