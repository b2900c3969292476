"""A page whose table is gone says so plainly, and comes back by itself (issue 6)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.running import SimulatedTable

SAYS = {"it": "Il tavolo non risponde", "en": "The table does not answer"}

GONE = r"ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|WebSocket"
"""What a browser says of a socket that nobody answers."""


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("path", ["/cabinet", "/sign", "/sign?size=small"])
def test_a_table_that_is_killed_and_started_again(
    table: Callable[..., SimulatedTable], visits: Visits, path: str, language: str
) -> None:
    ours = table(language=language)
    page = visits.to(ours, path)
    notice = page.get_by_role("alert").filter(has_text=SAYS[language])
    expect(page.locator("body")).to_contain_text("10.000,00" if language == "it" else "10,000.00")
    expect(notice).to_be_hidden()
    visits.expects(GONE)
    ours.kill()
    expect(notice).to_be_visible()
    ours.start()
    expect(notice).to_be_hidden()
    ours.do("press GAME_OVER", "token 1", "press COIN_IN")
    expect(page.locator("body")).to_contain_text("10.001,40" if language == "it" else "10,001.40")
