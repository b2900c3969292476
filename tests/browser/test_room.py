"""The room over real servers: overview and sign, while all is well and when the primary dies.

One house for all tests, which are in the order of an evening.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from jackpot.money.prizes import Combination
from tests.browser.axe import violations
from tests.browser.conftest import Visits
from tests.console.link.linked_table import LinkedTable
from tests.console.web.serving.room.room_rig import NAME, PIN, RoomRig, run_room
from tests.open_folder import make_open_folder

WALL = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 844}


class RoomHouse:
    """The room, and two tables that the tests play."""

    def __init__(self, rig: RoomRig) -> None:
        self.rig = rig
        self.url = rig.url
        self.tables = [LinkedTable(name, rig.centre.member(name)) for name in ("one", "two")]
        for table in self.tables:
            table.start()
            table.join()
            table.open(2)
        self.beat()

    def beat(self) -> None:
        """All tables are heard."""
        for table in self.tables:
            table.beat()


@pytest.fixture(scope="module")
def house() -> Iterator[RoomHouse]:
    with make_open_folder() as folder, run_room(folder) as rig:
        yield RoomHouse(rig)


def enter(visits: Visits, house: RoomHouse, query: str = "", **options: object) -> Page:
    page = visits.to(house, f"/room{query}", **options)
    page.locator("#name").fill(NAME)
    page.locator("#pin").fill(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#jackpots table")).to_be_visible()
    return page


def test_who_has_not_entered_sees_no_table(house: RoomHouse, visits: Visits) -> None:
    page = visits.to(house, "/room")
    expect(page.locator("#login-form")).to_be_visible()
    expect(page.locator("#room")).to_be_hidden()
    assert violations(page) == []


EN = ("Playing", "linked", "10,005.60 EUR", "in sync", "Read from the standby")
IT = ("In gioco", "collegato", "10.005,60 EUR", "sincronizzata", "dalla copia")
ENDS_EN, ENDS_IT = "your PIN opens until {}", "il PIN vale fino al {}"


@pytest.mark.parametrize(
    ("viewport", "query", "words", "ends"),
    [(WALL, "?lang=en", EN, ENDS_EN), (PHONE, "?lang=it", IT, ENDS_IT)],
)
def test_the_overview_on_a_wall_and_on_a_phone(
    house: RoomHouse,
    visits: Visits,
    viewport: dict[str, int],
    query: str,
    words: tuple[str, ...],
    ends: str,
) -> None:
    """LINK 7.13: each table's phase, beat, amount; the copies in sync; and when the PIN ends"""
    page = enter(visits, house, query, viewport=viewport)
    expect(page.locator("#person")).to_contain_text(ends.format(house.rig.pin_ends))
    house.beat()
    for word in words:
        expect(page.locator("#room")).to_contain_text(word)
    expect(page.locator(".no-alarm")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_award_stands_on_sign_and_overview_with_its_table(
    house: RoomHouse, visits: Visits
) -> None:
    """LINK 7.11, 7.13: the sign for everybody, the overview for who has entered"""
    sign = visits.to(house, "/sign", viewport=WALL)
    expect(sign.locator("#amount")).to_have_text("10,005.60")
    house.tables[0].claim(Combination.ROYAL_FLUSH)
    for words in ("Being checked", "ROYAL FLUSH", "one", "10,005.60 EUR"):
        expect(sign.locator("#award")).to_contain_text(words)
    assert violations(sign) == []
    page = enter(visits, house)
    expect(page.locator(".award")).to_contain_text("No. 1: royal flush, 1 x 10,005.60 EUR")
    expect(page.locator(".award .parts")).to_have_text("one: pending")
    expect(page.locator(".holds li")).to_contain_text("two, round 1")
    assert violations(page) == []
    house.tables[1].close()
    house.tables[0].agree()
    expect(sign.locator("#award")).to_contain_text("Congratulations!")
    expect(sign.locator("#wins .where")).to_have_text(["one"])
    expect(page.locator(".award")).to_have_count(0)
    final = page.locator(".finals li")
    expect(final.locator("b")).to_have_text("one")
    expect(final).to_contain_text("No. 1: royal flush")


def test_an_award_that_is_cancelled_leaves_the_sign(house: RoomHouse, visits: Visits) -> None:
    sign = visits.to(house, "/sign", viewport=WALL)
    house.tables[0].close()
    house.tables[0].open(1)
    house.tables[0].claim(Combination.FLUSH)
    expect(sign.locator("#award")).to_contain_text("Being checked")
    house.tables[0].cancel()
    expect(sign.locator("#award")).to_be_hidden()
    expect(sign.locator("#amount")).to_have_text("5,001.40")


@pytest.mark.parametrize(
    ("query", "alarm", "means"),
    [
        ("?lang=en", "one: somebody guesses a PIN.", "somebody guesses a PIN"),
        ("?lang=it", "one: qualcuno prova a indovinare un PIN.", "qualcuno prova a indovinare"),
    ],
)
def test_a_pin_that_is_guessed_at_a_table_is_an_alarm_until_it_tells_no_more(
    query: str, alarm: str, means: str, house: RoomHouse, visits: Visits
) -> None:
    page = enter(visits, house, query)
    house.tables[0].beat(faults=("PIN_GUESSED",))
    expect(page.locator("#alarms")).to_contain_text(alarm)
    expect(page.locator(".faults li")).to_contain_text(means)
    assert violations(page) == []
    house.tables[0].beat()
    expect(page.locator(".no-alarm")).to_be_visible()


def test_the_keyboard_alone_comes_everywhere(house: RoomHouse, visits: Visits) -> None:
    page = visits.to(house, "/room")
    expect(page.locator("#name")).to_be_focused()
    page.keyboard.type(NAME)
    page.keyboard.press("Tab")
    page.keyboard.type(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#jackpots table")).to_be_visible()
    wanted = {"language", "leave", ""}
    reached = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    assert wanted <= reached
    page.locator("#leave").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#login-form")).to_be_visible()
    assert "10,00" not in page.locator("body").inner_text()


def test_a_sign_that_loses_its_room_forgets_the_amount_by_itself(
    house: RoomHouse, visits: Visits
) -> None:
    sign = visits.to(house, "/sign", viewport=WALL)
    expect(sign.locator("#amount")).to_have_text("5,001.40")
    visits.expect("ERR_CONNECTION|ERR_EMPTY_RESPONSE|WebSocket")
    assert house.rig.stop() == 0
    expect(sign.get_by_role("alert")).to_contain_text("Connection to the centre interrupted")
    expect(sign.locator("#amount")).to_have_text("5,001.40")
    expect(sign.locator("#amount")).to_have_text("---")
    house.rig.start()


def test_when_the_primary_dies_it_is_said_at_once_and_no_amount_grows_old(
    house: RoomHouse, visits: Visits
) -> None:
    """LINK 7.12: the standby still answers, and yet the amount goes"""
    sign = visits.to(house, "/sign", viewport=WALL)
    page = enter(visits, house)
    expect(sign.locator("#amount")).to_have_text("5,001.40")
    house.rig.pair.primary.kill()
    expect(page.locator('.alarm[data-code="PRIMARY_SILENT"]')).to_be_visible()
    expect(sign.locator("#amount")).to_have_text("5,001.40")
    expect(sign.locator("#amount")).to_have_text("---")
    expect(page.locator(".jackpot-amount")).to_have_text("---")
    expect(page.locator('tr[data-table="one"]')).to_contain_text("NO LINK")
    assert violations(page) == []
    visits.expect("ERR_CONNECTION|ERR_EMPTY_RESPONSE|WebSocket")
    assert house.rig.stop() == 0
    expect(page.locator(".lost")).to_contain_text("The room does not answer")
