"""No page of a simulation can be taken for a real table's."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.running import SimulatedTable

WORDS = ("SIMULAZIONE - NESSUN DENARO REALE", "SIMULATION - NO REAL MONEY")
PHONE = {"width": 390, "height": 664}
TO_THE_END = """
() => {
  scrollTo(document.documentElement.scrollWidth, document.documentElement.scrollHeight);
  for (const element of document.querySelectorAll("*")) {
    element.scrollTop = element.scrollHeight;
  }
}
"""


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 900}], ids=["phone", "desk"])
def test_the_banner_stays_in_sight_in_both_languages(
    table: Callable[..., SimulatedTable], visits: Visits, viewport: dict[str, int]
) -> None:
    ours = table()
    for path in ("/", "/cabinet", "/sign", "/sign?size=small", "/supervisor"):
        page = visits.to(ours, path, viewport=viewport)
        banner = page.locator(".banner")
        expect(banner).to_be_visible()
        page.evaluate(TO_THE_END)
        for words in WORDS:
            expect(banner.get_by_text(words)).to_be_in_viewport(ratio=0.99)
        top = "() => document.elementFromPoint(innerWidth / 2, 8).closest('.banner') !== null"
        assert page.evaluate(top), f"{path}: something lies over it"
