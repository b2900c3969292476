"""No page keeps anybody out: axe-core finds nothing, in any state, in both languages."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from console.rules.codes import Duty
from tests.browser.axe import violations
from tests.browser.cabinet import Cabinet
from tests.browser.conftest import Visits
from tests.browser.supervisor import NAME, PIN, SupervisorPage
from tests.browser.web_table import TOURNAMENT, WebTable

pytestmark = pytest.mark.sampled(of=2)

AWARD = ("press GAME_OVER", "token 1 3 6", "press COIN_IN", "press FLUSH", "key JPL", "press JPOT")
COUP = ("shoe load", "shoe burn", "press GAME_OVER", "draw 9H 2C KS 7D")
HAND = ("press GAME_OVER", "press HAND", "press FLOP", "press TIME")
WALL = {"width": 1920, "height": 1080}


def check(page: Page, state: str) -> None:
    """Nothing is wrong with what stands on the page now."""
    assert violations(page) == [], state


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["it", "en"])
def test_the_cabinet_through_a_round(cabinet: Callable[..., Cabinet], language: str) -> None:
    ours = cabinet(language, inspector=True).shows_phase("PAUSED")
    check(ours.page, "idle")
    ours.table.do("press GAME_OVER", "token 1 3", "jam 3")
    ours.shows_phase("BETTING").shows_lamp("ON", 1, 3)
    check(ours.page, "betting")
    ours.table.do("press COIN_IN", "wait 2100ms")
    ours.shows_fault("TOKEN_STUCK").shows_lamp("ALERT", 3)
    check(ours.page, "a token is stuck")
    ours.table.play(
        "unjam 3", "press COIN_IN", "press FLUSH", "press JPOT", "key JPL", "press JPOT"
    )
    ours.shows_phase("AWARDING").shows_award("100,02" if language == "it" else "100.02")
    check(ours.page, "an award is pending, and a refusal is on record")


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["it", "en"])
def test_what_lies_over_the_cabinet(
    cabinet: Callable[..., Cabinet], visits: Visits, language: str
) -> None:
    ours = cabinet(language).shows_phase("PAUSED")
    page = ours.page
    page.locator('.seat[data-seat="1"] .seat-more').click()
    expect(page.get_by_role("menu")).to_be_visible()
    check(page, "the menu of a seat")
    page.keyboard.press("Escape")
    for opener, dialog in (("#open-drawer", "#drawer"), ("#open-help", "#help")):
        page.locator(opener).click()
        expect(page.locator(dialog)).to_be_visible()
        check(page, dialog)
        page.keyboard.press("Escape")
    ours.table.do("unplug rail", "wait 1200ms")
    ours.shows_fault("RAIL_LOST")
    check(page, "a cable is pulled")
    ours.table.do("power off")
    ours.shows_phase("OFF")
    check(page, "the power is out")
    visits.expect("ERR_CONNECTION|ERR_EMPTY_RESPONSE|WebSocket")
    ours.table.kill()
    expect(page.locator(".lost")).to_be_visible()
    check(page, "the table is lost")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "language", "acts"),
    [
        ("tre-card-stud", "it", AWARD[:2]),
        ("ultimate-texas-holdem", "en", ("deck load red",)),
        ("mini-punto-banco", "it", COUP),
        ("texas-holdem", "it", HAND),
        ("black-jack", "en", ("shoe load", "shoe burn", "press GAME_OVER", "draw")),
    ],
)
def test_the_other_games(
    cabinet: Callable[..., Cabinet], game: str, language: str, acts: tuple[str, ...]
) -> None:
    ours = cabinet(language, game)
    ours.table.play(*acts)
    check(ours.page, game)


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["it", "en"])
def test_the_sign(table: Callable[..., WebTable], visits: Visits, language: str) -> None:
    ours = table(language=language)
    wall = visits.to(ours, "/sign", viewport=WALL)
    small = visits.to(ours, "/sign?size=small", viewport={"width": 800, "height": 480})
    for page in (wall, small):
        expect(page.locator("#betting")).not_to_be_empty()
    for state, acts in {
        "idle": (),
        "an award is pending": AWARD,
        "it is paid": ("key R",),
        "betting": ("press GAME_OVER",),
    }.items():
        ours.play(*acts)
        for page in (wall, small):
            check(page, state)
    visits.expect("ERR_CONNECTION|ERR_EMPTY_RESPONSE|WebSocket")
    ours.kill()
    for page in (wall, small):
        expect(page.get_by_role("alert")).not_to_be_empty()
        check(page, "the table is lost")


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["it", "en"])
def test_the_sign_of_a_reading_shoe(
    table: Callable[..., WebTable], visits: Visits, language: str
) -> None:
    ours = table("mini-punto-banco", language)
    ours.do(*COUP)
    page = visits.to(ours, "/sign", viewport=WALL)
    expect(page.locator("#shoe")).not_to_be_empty()
    check(page, "a coup")


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["it", "en"])
def test_the_sign_of_a_tournament(
    table: Callable[..., WebTable], visits: Visits, language: str
) -> None:
    ours = table("texas-holdem", language, poker=TOURNAMENT)
    wall = visits.to(ours, "/sign", viewport=WALL)
    small = visits.to(ours, "/sign?size=small", viewport={"width": 800, "height": 480})
    for state, acts in {
        "stopped": (),
        "running": ("press GAME_OVER", "declare clock start"),
        "hand for hand": ("declare hand-for-hand on",),
    }.items():
        ours.do(*acts)
        for page in (wall, small):
            expect(page.locator(".clock-time")).not_to_be_empty()
            check(page, state)


@pytest.mark.sampled
@pytest.mark.parametrize(("language", "scheme"), [("it", "dark"), ("en", "light")])
def test_the_supervisors_page(
    table: Callable[..., WebTable], visits: Visits, language: str, scheme: str
) -> None:
    """What it says does not depend on its colours, nor they on its language."""
    ours = table(language=language)
    ours.enrol(NAME, Duty.FLOOR_MANAGER, PIN)
    ours.play(*AWARD, "key R", "press GAME_OVER", "press COIN_IN", "declare tray 3")
    ours.play(*AWARD, "unplug rail", "wait 1200ms")
    page = visits.to(ours, "/supervisor", color_scheme=scheme)
    anna = SupervisorPage(page)
    check(page, "the login")
    visits.expect("401|403|429")
    anna.enter(pin="000000")
    expect(page.locator("#login-refused")).not_to_be_empty()
    check(page, "a wrong PIN")
    anna.enter().shows("now")
    for view in ("now", "rounds", "nights", "plots", "compare", "rake", "help"):
        anna.open(view)
        check(page, view)
