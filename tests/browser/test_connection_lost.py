"""A page whose table is gone says so plainly, and comes back by itself (issue 6)."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.web_table import WebTable

PAGES = {
    "/cabinet?lang=it": ("Ultimo stato noto alle", "10.001,40"),
    "/cabinet?lang=en": ("Last known state at", "10,001.40"),
    "/sign?lang=it": ("Ultimo stato noto alle", "10.001,40"),
    "/sign?size=small&lang=en": ("Last known state at", "10,001.40"),
}
"""What each says of a table that is gone; what it shows of the one that is there again."""

AT_FIRST = re.compile(r"10[.,]000[.,]00")

GONE = r"ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|WebSocket"
"""What a browser says of a socket that nobody answers."""


def test_a_table_that_is_killed_and_started_again(
    table: Callable[..., WebTable], visits: Visits
) -> None:
    ours = table()
    pages = {path: visits.to(ours, path) for path in PAGES}
    notices = [
        page.get_by_role("alert").filter(has_text=PAGES[path][0]) for path, page in pages.items()
    ]
    for page in pages.values():
        expect(page.locator("body[data-ready=yes]")).to_contain_text(AT_FIRST)
    for notice in notices:
        expect(notice).to_be_hidden()
    visits.expect(GONE)
    ours.kill()
    for notice in notices:
        expect(notice).to_be_visible()
    ours.start()
    for notice in notices:
        expect(notice).to_be_hidden()
    ours.play("press GAME_OVER", "token 1", "press COIN_IN")
    for path, page in pages.items():
        expect(page.locator("body")).to_contain_text(PAGES[path][1])
