"""What stays on the sign is read at 8 m: capitals of 3.5 % of its height, in every shape."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.conftest import Visits
from tests.browser.screenshots import COUPS, LEVEL
from tests.browser.sign import FLUSH_PENDING, PAID, ROYAL_PENDING, SHAPES, STAKED, TABLE, Sign
from tests.browser.web_table import TOURNAMENT, Tables, WebTable

pytestmark = pytest.mark.sampled(of=2)

LEAST = 0.035
PANELS = ("ladder", "wins", "limits", "message")

HOUSE = """
house = "Casinò della Riviera"
currency = "€"
lowest = "5.00"
highest = "500.00"
messages = [{it = "Torneo giovedì alle 20", en = "Tournament on Thursdays at 8 p.m."}]
"""

SMALL_LETTERS = """
() => {
  const height = document.getElementById("sign").clientHeight;
  const found = [];
  for (const one of document.querySelectorAll("#sign *")) {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    const seen = one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen");
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (own && seen && size > 0 && size * 0.7 < height * LEAST) {
      const part = (size * 70 / height).toFixed(2);
      found.push(`${one.className || one.tagName} "${one.textContent}" ${part} %`);
    }
  }
  return found;
}
""".replace("LEAST", str(LEAST))
"""Texts whose capitals (0.7 of a letter's size in this typeface) are smaller."""


OUT_OF_PLACE = """
() => {
  const whole = document.getElementById("sign").getBoundingClientRect();
  const band = document.querySelector(".band").getBoundingClientRect();
  const shown = [...document.querySelectorAll("#sign *")].filter((one) => one.checkVisibility() &&
    !one.closest(".unseen, .band, .gone, .road, .meter, .head") &&
    [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""));
  const found = shown.filter((one) => {
    const { left, right, bottom } = one.getBoundingClientRect();
    return left < whole.left - 1 || right > whole.right + 1 || bottom > band.top + 1;
  });
  const facts = shown.filter((one) => one.matches(".fact > *, .clock-facts :is(dt, dd)"));
  const over = facts.filter((one, at) => facts.slice(at + 1).some((other) => {
    const [a, b] = [one, other].map((each) => each.getBoundingClientRect());
    const beside = a.left > b.right - 1 || b.left > a.right - 1;
    return !beside && a.top < b.bottom - 9 && b.top < a.bottom - 9;
  }));
  return [...found, ...over].map((one) => `${one.className || one.tagName} "${one.textContent}"`);
}
"""
"""Texts that leave the sign or lie under its band, and facts over each other."""

ANTES, START = LEVEL[:3], LEVEL[3:]
CLOCK_STATES = {
    "stopped": ((), ".clock-stopped"),
    "stopped in a level with antes": (ANTES, ".clock-stopped ~ .clock-blinds b:nth-of-type(2)"),
    "running": (START, '.clock[data-state="running"] dd:text-is("1")'),
    "hand for hand": (("declare hand-for-hand on",), ".clock-each"),
}
"""What is declared, and what the sign shows then."""


def hang_up(visits: Visits, ours: WebTable) -> list[Sign]:
    """One of each shape, and a small one at the table."""
    signs = [Sign.of(visits, ours, viewport=shape) for shape in SHAPES]
    return [*signs, Sign.of(visits, ours, "?size=small", viewport=TABLE)]


def check(signs: list[Sign], state: str) -> None:
    for sign in signs:
        small: list[Any] = sign.evaluate(SMALL_LETTERS)
        assert small == [], (state, sign.page.viewport_size)


def check_places(signs: list[Sign], state: str) -> None:
    for sign in signs:
        wrong: list[Any] = sign.evaluate(OUT_OF_PLACE)
        assert wrong == [], (state, sign.page.viewport_size)


@pytest.mark.parametrize("language", ["it", "en"])
def test_a_night_with_awards(table: Tables, visits: Visits, language: str) -> None:
    ours = table("caribbean-stud", language, sign=HOUSE)
    ours.play(*STAKED, *FLUSH_PENDING, PAID, "press GAME_OVER")
    signs = hang_up(visits, ours)
    for sign in signs:
        expect(sign.page.locator("#wins .one")).to_have_count(1)
    for panel in PANELS:
        for sign in signs:
            sign.show_panel(panel)
        check(signs, panel)
        assert violations(signs[0].page) == [], panel
    for acts, there in (
        (("token 1 2 3", "press COIN_IN", *FLUSH_PENDING), "pending"),
        ((PAID,), "paid"),
        (("press GAME_OVER", "token 1", "press COIN_IN", *ROYAL_PENDING), "pending"),
        ((PAID,), "paid"),
        (("unplug rail", "wait 2s"), "paid"),
    ):
        ours.play(*acts)
        for sign in signs:
            expect(sign.page.locator(f'html[data-award="{there}"]')).to_have_count(1)
        check(signs, there)
        assert violations(signs[0].page) == [], there


def test_a_shoe_a_tournament_and_a_cash_table(table: Tables, visits: Visits) -> None:
    shoe = table("mini-punto-banco", "it", sign=HOUSE)
    shoe.play(*COUPS)
    signs = hang_up(visits, shoe)
    for sign in signs:
        expect(sign.page.locator(".tally")).not_to_be_empty()
    check(signs, "shoe")
    poker = table("texas-holdem", "it", poker=TOURNAMENT, sign=HOUSE)
    signs = hang_up(visits, poker)
    for state, (acts, shown) in CLOCK_STATES.items():
        poker.play(*acts)
        for sign in signs:
            expect(sign.page.locator(shown)).to_be_visible()
        check(signs, state)
        check_places(signs, state)
    shared = table("texas-holdem", "it", poker=TOURNAMENT, centre="127.0.0.1:9", sign=HOUSE)
    signs = hang_up(visits, shared)
    for sign in signs:
        expect(sign.page.get_by_text("Giocatori qui")).to_be_visible()
    check(signs, "shared")
    check_places(signs, "shared")
    cash = table("texas-holdem", "en", sign=HOUSE)
    signs = hang_up(visits, cash)
    for sign in signs:
        expect(sign.page.locator('[data-fact="blinds"] dd')).to_have_text("5 / 10 €")
        sign.show_panel("limits")
    check(signs, "cash")
    check_places(signs, "cash")
