"""What a sign says of its table besides the jackpot: limits, rake, seats, breaks, its house."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.conftest import Visits
from tests.browser.screenshots import COUPS, LEVEL
from tests.browser.sign import FLUSH_PENDING, PAID, SHAPES, STAKED, Sign
from tests.browser.web_table import TOURNAMENT, Tables

pytestmark = pytest.mark.sampled(of=2)

STAKES = 'lowest = "10.00"\nhighest = "500.00"\ncurrency = "€"\n'
UPRIGHT = SHAPES[1]
LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><path d="M0 0h90v30z"/></svg>'
)


def test_a_cash_table_says_its_rake_and_its_free_seats(table: Tables, visits: Visits) -> None:
    ours = table("texas-holdem", "en", sign=STAKES)
    sign = Sign.of(visits, ours)
    facts = sign.page.locator("#limits dd")
    expect(facts).to_have_text(["10 \N{EN DASH} 500 €", "5 / 10 €", "5 %, max 30 €", "0"])
    ours.do("press GAME_OVER", "declare players 7", "press HAND")
    expect(facts.last).to_have_text("2")
    assert violations(sign.page) == []


def test_a_tournament_says_when_its_break_comes(table: Tables, visits: Visits) -> None:
    ours = table("texas-holdem", "en", poker=TOURNAMENT, sign=STAKES)
    sign = Sign.of(visits, ours)
    fact = sign.page.locator(".clock-facts div", has_text="Break in").locator("dd")
    expect(fact).to_have_text("40 min")
    expect(sign.page.locator("#stakes")).to_have_text("Stake 10 \N{EN DASH} 500 €")
    ours.do(*LEVEL)
    expect(fact).to_have_text("12 min")
    ours.do("declare clock set 2 90s")
    expect(fact).to_have_text("2 min")
    ours.do("declare clock set 2 1s", "wait 1100ms")
    expect(fact).to_have_count(0)
    assert violations(sign.page) == []


def test_a_tournament_says_its_entries_and_the_average_stack(table: Tables, visits: Visits) -> None:
    """POKER 16.20"""
    ours = table("texas-holdem", "en", poker=TOURNAMENT)
    ours.do("press GAME_OVER", "press HAND")
    sign = Sign.of(visits, ours)
    facts = sign.page.locator(".clock-facts div")
    expect(facts.filter(has_text="Players")).to_have_text("Players9")
    expect(facts.filter(has_text="Average")).to_have_count(0)
    ours.do("declare entries 45 900000")
    expect(facts.filter(has_text="Players")).to_have_text("Players9 / 45")
    expect(facts.filter(has_text="Average")).to_have_text("Average stack100,000")
    ours.do("press GAME_OVER", "press FEWER")
    expect(facts.filter(has_text="Players")).to_have_text("Players8 / 45")
    expect(facts.filter(has_text="Average")).to_have_text("Average stack112,500")


def test_under_a_shared_clock_a_tables_own_players_are_named_so(
    table: Tables, visits: Visits
) -> None:
    """Here with no centre: the table counts on by itself."""
    ours = table("texas-holdem", "it", poker=TOURNAMENT, centre="127.0.0.1:9")
    sign = Sign.of(visits, ours)
    facts = sign.page.locator(".clock-facts div")
    expect(facts.filter(has_text="Giocatori")).to_have_text("Giocatori qui9")
    expect(facts.filter(has_text="Stack")).to_have_count(0)
    assert violations(sign.page) == []


def test_a_shoe_says_its_limits_and_tells_its_beads_by_their_shape(
    table: Tables, visits: Visits
) -> None:
    ours = table("mini-punto-banco", "en", sign=STAKES)
    ours.do(*COUPS)
    wall, upright = Sign.of(visits, ours), Sign.of(visits, ours, viewport=UPRIGHT)
    for sign in (wall, upright):
        expect(sign.page.locator("#stakes")).to_have_text("Stake 10 \N{EN DASH} 500 €")
        assert violations(sign.page) == []
    expect(wall.page.locator(".bead i.banco").first).to_have_text("B")
    shapes = {
        side: upright.page.locator(f".bead i.{side}").first.evaluate(
            "bead => getComputedStyle(bead).borderRadius + ' ' + getComputedStyle(bead).rotate"
        )
        for side in ("punto", "banco", "egalite")
    }
    assert shapes == {"punto": "50% none", "banco": "0px none", "egalite": "0px 45deg"}


@pytest.mark.parametrize(
    ("ground", "ink", "accent"),
    [("#0b3d2e", "#ffffff", "#f2c14e"), ("#ffffff", "#6f6f6f", "#8f8f8f")],
    ids=["green", "white, as pale as it may be"],
)
def test_a_houses_colours_are_read_in_every_state(
    table: Tables, visits: Visits, ground: str, ink: str, accent: str
) -> None:
    colours = f'ground = "{ground}"\nink = "{ink}"\naccent = "{accent}"\n'
    ours = table("caribbean-stud", "en", sign=STAKES + colours)
    signs = [Sign.of(visits, ours), Sign.of(visits, ours, viewport=UPRIGHT)]
    states = {
        "idle": (),
        "open": STAKED[:2],
        "pending": (STAKED[2], *FLUSH_PENDING),
        "paid": (PAID,),
    }
    for state, acts in states.items():
        ours.play(*acts)
        for sign in signs:
            assert violations(sign.page) == [], state
    for panel in ("ladder", "wins", "limits"):
        signs[0].show_panel(panel)
        assert violations(signs[0].page) == [], panel


def test_a_logo_stands_in_the_place_of_the_name(
    table: Tables, visits: Visits, tmp_path: Path
) -> None:
    file = tmp_path / "logo.svg"
    file.write_text(LOGO, "utf-8")
    ours = table("caribbean-stud", "en", sign=f'house = "Riviera"\nlogo = "{file}"')
    sign = Sign.of(visits, ours)
    logo = sign.page.get_by_role("img", name="Riviera")
    expect(logo).to_be_visible()
    assert logo.evaluate("logo => logo.complete && logo.naturalWidth") == 90
    assert violations(sign.page) == []


@pytest.mark.parametrize(("sound", "rang"), [("", None), ("sound = true", "moment")])
def test_a_prize_is_heard_only_where_the_house_wants_it(
    table: Tables, visits: Visits, sound: str, rang: str | None
) -> None:
    ours = table("caribbean-stud", "en", sign=sound)
    ours.play(*STAKED)
    sign = Sign.of(visits, ours)
    expect(sign.page.locator("#wins")).not_to_be_empty()
    ours.play(*FLUSH_PENDING, PAID)
    expect(sign.page.locator('html[data-award="paid"]')).to_have_count(1)
    assert sign.page.locator("html").get_attribute("data-rang") == rang
