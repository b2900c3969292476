"""The clock that the tables of a tournament share, on the room's sign and its page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.conftest import Visits
from tests.console.link.clock_tables import ClockRoom
from tests.console.web.serving.room.room_rig import RoomRig, run_room
from tests.open_folder import make_open_folder

SIZES = {
    "wall": {"width": 1920, "height": 1080},
    "desk": {"width": 1024, "height": 768},
    "phone": {"width": 390, "height": 844},
}


class ClockHouse:
    """The room, and two tables that share the clock of `night`."""

    def __init__(self, rig: RoomRig) -> None:
        self.rig = rig
        self.url = rig.url
        self.tables = ClockRoom(rig.centre, 0, 7_000)

    def declare(self, *words: str) -> None:
        """At the first table; the second one hears it."""
        for each in words:
            self.tables.tables[0].declare(each)
            self.tables.speak()

    def play_hand(self) -> None:
        """After hand for hand the clock runs from the next beginning."""
        first = self.tables.tables[0]
        first.press()
        self.tables.speak()
        first.end_hand()
        self.tables.speak()


@pytest.fixture(scope="module")
def house() -> Iterator[ClockHouse]:
    with make_open_folder() as folder, run_room(folder) as rig:
        yield ClockHouse(rig)


def test_the_sign_of_a_tournament_follows_its_tables(house: ClockHouse, visits: Visits) -> None:
    house.declare("players 7", "clock set 1 12m", "clock stop", "hand-for-hand off")
    page = visits.to(house, "/clock/night?lang=it", viewport=SIZES["wall"])
    clock = page.locator("#clock")
    expect(page.locator(".clock-time")).to_have_text("12:00")
    expect(page.locator(".game")).to_have_text("TORNEO")
    for text in ("Livello 1", "500 / 1000", "Orologio fermo", "PoiPausa", "Giocatori16", "Tavoli2"):
        expect(clock).to_contain_text(text)
    house.declare("entries 45 900000")
    for text in ("Giocatori16 / 45", "Stack medio56.250"):
        expect(clock).to_contain_text(text)
    assert violations(page) == []
    house.declare("clock start")
    expect(page.locator(".clock-time")).to_contain_text("11:5")
    house.declare("hand-for-hand on")
    expect(clock).to_contain_text("Mano per mano")
    house.declare("hand-for-hand off")
    house.play_hand()
    expect(clock).not_to_contain_text("Mano per mano")
    house.declare("clock set 2 3m")
    expect(page.locator("#clock-name")).to_have_text("Livello 2")
    expect(clock).to_contain_text("600 / 1200")
    expect(clock).to_contain_text("Ultimo livello")


def test_a_break_and_the_step_after_it_in_english(house: ClockHouse, visits: Visits) -> None:
    house.declare("clock set 1 1s", "clock start")
    page = visits.to(house, "/clock?lang=en&size=small", viewport={"width": 800, "height": 480})
    expect(page.locator("#clock-name")).to_have_text("Break")
    expect(page.locator("#clock")).to_contain_text("NextLevel 2: 600/1200")
    expect(page.locator(".clock-time")).to_contain_text("04:")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("size", SIZES)
def test_the_page_of_the_tournaments_has_the_same_clock(
    size: str, house: ClockHouse, visits: Visits
) -> None:
    house.declare("clock set 1 12m", "clock start")
    page = visits.to(house, "/tournament?lang=en", viewport=SIZES[size])
    clock = page.locator("#clocks .clock")
    expect(clock).to_have_count(1)
    expect(page.locator("#clocks h2")).to_have_text("night")
    expect(clock.locator(".clock-time")).to_contain_text("11:")
    for text in ("Level 1", "500 / 1000", "NextBreak", "Tables2"):
        expect(clock).to_contain_text(text)
    page.locator("#language").click()
    expect(clock).to_contain_text("Livello 1")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_the_centre_there_are_dashes(house: ClockHouse, visits: Visits) -> None:
    """The last test: the house has no servers after it"""
    house.declare("clock set 1 12m", "clock start")
    page = visits.to(house, "/clock?lang=en", viewport=SIZES["wall"])
    expect(page.locator(".clock-time")).to_contain_text("11:")
    house.rig.pair.primary.kill()
    expect(page.locator(".clock-time")).to_have_text("--:--", timeout=30_000)
