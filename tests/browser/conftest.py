"""Tables that serve their pages, and Debian's Chromium to look at them."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from console.simulation.run import CABINET_FILE
from tests.browser.browser_monitor import BrowserMonitor
from tests.browser.cabinet import Cabinet
from tests.browser.chromium import DEADLINE_MS, DESKTOP, chromium
from tests.browser.web_table import WebTable, serve_table

STILL = {"reduced_motion": "reduce"}


class Site(Protocol):
    """Whatever serves pages: a table, or a room."""

    url: str


class Visits:
    """The pages opened in one test, each in a browser context of its own with a monitor.

    Animations are off unless a test asks for them: without a graphics card, lamps that pulse take
    a whole processor.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._watches: list[BrowserMonitor] = []

    def to(self, table: Site, path: str, **options: Any) -> Page:
        """Open a page, such as "/sign?lang=en"; `options`: of playwright's `new_context`.

        A table's browser speaks its language.
        """
        spoken = {"locale": table.language} if isinstance(table, WebTable) else {}
        context = self._browser.new_context(**{**STILL, "viewport": DESKTOP, **spoken, **options})
        context.set_default_timeout(DEADLINE_MS)
        self._contexts.append(context)
        self._watches.append(BrowserMonitor(context, table.url))
        page = context.new_page()
        page.goto(table.url + path)
        return page

    def expect(self, pattern: str) -> None:
        """Complaints that match this pattern do not fail the test."""
        for watch in self._watches:
            watch.expect(pattern)

    def end(self) -> list[str]:
        """Close all pages; return the complaints that were not expected."""
        for context in self._contexts:
            context.close()
        return [complaint for watch in self._watches for complaint in watch.complaints]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One for this folder, not for the session: the other folders' tests may want asyncio."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., WebTable]]:
    """Starts a table: `table("tre-card-stud", "en")`; the arguments of `serve_table`."""
    with ExitStack() as tables:

        def start(*what: str, **settings: Any) -> WebTable:
            return tables.enter_context(
                serve_table(tmp_path_factory.mktemp("t"), *what, **settings)
            )

        yield start


@pytest.fixture
def visits(browser: Browser) -> Iterator[Visits]:
    """Opens pages: `visits.to(table, "/sign")`. Whatever goes wrong in one fails the test."""
    visits = Visits(browser)
    yield visits
    assert visits.end() == []


@pytest.fixture
def cabinet(table: Callable[..., WebTable], visits: Visits) -> Callable[..., Cabinet]:
    """Opens a cabinet's page: `cabinet("it", "caribbean-stud")`, or with settings of the table."""

    def open_page(language: str = "it", game: str = "caribbean-stud", **settings: Any) -> Cabinet:
        ours = table(game, language, **settings)
        return Cabinet(visits.to(ours, "/cabinet"), ours)

    return open_page


@pytest.fixture
def cabinet_with_red_deck(table: Callable[..., WebTable], visits: Visits) -> Callable[..., Cabinet]:
    """Opens a page whose table has a red deck ready: what takes a minute was done before."""

    def open_page(language: str, game: str, **settings: Any) -> Cabinet:
        ours = table(game, language, **settings)
        ours.do("deck load red")
        ours.kill()
        file = ours.folder / CABINET_FILE
        remembered = json.loads(file.read_text("utf-8"))
        remembered["shuffler"]["counted"] = remembered["shuffler"]["prepared_cards"]
        file.write_text(json.dumps(remembered), "utf-8")
        ours.start()
        return Cabinet(visits.to(ours, "/cabinet"), ours)

    return open_page
