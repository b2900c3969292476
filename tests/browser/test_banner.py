"""No page of a simulation can be taken for a real table's."""

from collections.abc import Callable

from playwright.sync_api import ViewportSize, expect

from tests.browser.chromium import DESKTOP
from tests.browser.conftest import Visits
from tests.browser.web_table import WebTable

WORDS = ("SIMULAZIONE - NESSUN DENARO REALE", "SIMULATION - NO REAL MONEY")
PHONE: ViewportSize = {"width": 390, "height": 664}
TO_THE_END = """
() => {
  scrollTo(document.documentElement.scrollWidth, document.documentElement.scrollHeight);
  for (const element of document.querySelectorAll("*")) {
    element.scrollTop = element.scrollHeight;
  }
}
"""

ON_TOP = """
() => document.elementFromPoint(innerWidth / 2, 8).closest(".banner") !== null
"""


def test_the_banner_stays_in_sight_in_both_languages(
    table: Callable[..., WebTable], visits: Visits
) -> None:
    ours = table()
    for path in ("/", "/cabinet", "/sign", "/sign?size=small", "/supervisor"):
        page = visits.to(ours, path)
        for viewport in (DESKTOP, PHONE):
            page.set_viewport_size(viewport)
            page.evaluate(TO_THE_END)
            for words in WORDS:
                expect(page.locator(".banner").get_by_text(words)).to_be_in_viewport(ratio=0.99)
            assert page.evaluate(ON_TOP), f"{path}: something lies over it"
