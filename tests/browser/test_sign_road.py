"""The sign of Punto Banco: the coup on the table, and the roads as tables show them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visits
from tests.browser.sign import TABLE, Sign
from tests.browser.web_table import WebTable, serve_table

pytestmark = pytest.mark.sampled(of=2)

PUNTO_WINS = "draw 9S KH QD 2C"
BANCO_WINS = "draw 2S 9H QD KC"
EGALITE = "draw 9S 9H QD KC"

DERIVED = ("eye", "smallRoad", "cockroach")
LETTERS = {"P": "PUNTO", "B": "BANCO", "E": "EGALITE", "V": "VOID"}


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page from whose address the sign's modules can be had."""
    folder = tmp_path_factory.mktemp("t")
    with serve_table(folder, "black-jack") as table, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{table.url}/sign")
        yield page


def road(page: Page, kind: str, results: str, columns: int = 26) -> list[dict[str, Any]]:
    """The cells of a road of coups, one letter each."""
    cells: list[dict[str, Any]] = page.evaluate(
        f"""([coups, columns]) => import("/pages/sign/roads.js")
            .then((roads) => roads.{kind}Road(coups, columns))""",
        [[LETTERS[letter] for letter in results], columns],
    )
    return cells


def places(cells: list[dict[str, Any]]) -> list[tuple[int, int]]:
    return [(cell["column"], cell["row"]) for cell in cells]


def test_the_bead_road_has_every_coup_six_to_a_column(page: Page) -> None:
    cells = road(page, "bead", "PBEVPBB")
    assert places(cells) == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 0)]
    assert [cell["result"] for cell in cells[:4]] == ["PUNTO", "BANCO", "EGALITE", "VOID"]


def test_the_bead_road_drops_its_oldest_columns(page: Page) -> None:
    cells = road(page, "bead", "P" * 6 + "B" * 6 + "E", columns=2)
    assert places(cells) == [*((0, row) for row in range(6)), (1, 0)]
    assert cells[0]["result"] == "BANCO"


def test_the_big_road_has_a_column_for_each_run(page: Page) -> None:
    assert places(road(page, "big", "PPBPBB")) == [(0, 0), (0, 1), (1, 0), (2, 0), (3, 0), (3, 1)]


def test_a_long_run_turns_right_at_the_foot(page: Page) -> None:
    assert places(road(page, "big", "P" * 8))[5:] == [(0, 5), (1, 5), (2, 5)]


def test_a_run_turns_right_above_another_one_s_tail_and_stays_there(page: Page) -> None:
    cells = road(page, "big", "P" * 8 + "B" * 8)
    assert places(cells)[8:] == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4), (3, 4), (4, 4)]


def read_derived_road(page: Page, kind: str, results: str) -> str:
    """The marks of a derived road in their order: r repeats, b does not."""
    cells = page.evaluate(
        """([coups, kind]) => import("/pages/sign/roads.js")
            .then((roads) => roads.derivedRoad(coups, kind, 99))""",
        [[LETTERS[letter] for letter in results], kind],
    )
    return "".join("r" if cell["result"] == "BANCO" else "b" for cell in cells)


def test_the_derived_roads_say_whether_the_shoe_repeats_itself(page: Page) -> None:
    """Each begins with the second coup of its second, third or fourth run, or with the next run."""
    chops = "BPBPBPBP"
    assert [read_derived_road(page, kind, chops) for kind in DERIVED] == ["r" * 6, "r" * 5, "r" * 4]
    assert read_derived_road(page, "eye", "BB" + "PP" + "B") == "rr"
    assert read_derived_road(page, "eye", "B" + "PP" + "B") == "bb"
    assert read_derived_road(page, "eye", "B" + "PPP" + "B") == "brb"
    assert read_derived_road(page, "smallRoad", "BB" + "P" + "BBB" + "P") == "rbb"
    assert read_derived_road(page, "eye", "BEBVPEP") == read_derived_road(page, "eye", "BBPP")


def test_egalite_is_a_mark_on_the_coup_before_it(page: Page) -> None:
    cells = road(page, "big", "PEEBE")
    assert [(cell["result"], cell["ties"]) for cell in cells] == [("PUNTO", 2), ("BANCO", 1)]


def test_egalite_before_any_other_waits_for_the_first(page: Page) -> None:
    assert road(page, "big", "E") == []
    assert [cell["ties"] for cell in road(page, "big", "EPP")] == [1, 0]


def test_a_coup_that_is_void_is_not_in_the_big_road(page: Page) -> None:
    assert places(road(page, "big", "PVP")) == [(0, 0), (0, 1)]


def test_the_big_road_drops_its_oldest_columns(page: Page) -> None:
    cells = road(page, "big", "PB" * 20, columns=5)
    assert places(cells) == [(column, 0) for column in range(5)]


@pytest.mark.sampled
@pytest.mark.parametrize("query", ["", "?size=small"])
def test_a_shoe_is_followed(table: Callable[..., WebTable], visits: Visits, query: str) -> None:
    ours = table("mini-punto-banco", "it")
    ours.do("press GAME_OVER", "shoe load", "shoe burn")
    viewport = {"viewport": TABLE} if query else {}
    sign = Sign.of(visits, ours, query, **viewport).shows_texts("In attesa del colpo")
    ours.do(PUNTO_WINS, BANCO_WINS, EGALITE, BANCO_WINS)
    sign.shows_texts("Vince banco", "291 carte nel sabot")
    bead = sign.page.get_by_role("img", name="Tabella dei colpi: Punto, Banco, Egalité, Banco")
    expect(bead.locator("i")).to_have_text(["P", "B", "E", "B"])
    expect(sign.page.locator(".road.big i")).to_have_count(3)
    expect(sign.page.locator(".road.big i.tied")).to_have_count(1)
    expect(sign.page.locator(".tally")).to_contain_text("Banco 2")
    ours.do("draw 3S KH 2D 4C")
    sign.shows_texts("Carta a Punto")
    ours.do("draw 6H")
    expect(sign.page.locator(".side.punto .points")).to_have_text("1")
    expect(sign.page.locator(".side.punto .card")).to_have_count(3)
    sign.shows_texts("Carta a Banco")
    ours.do("cut-card", "draw 5S")
    sign.shows_texts("Vince banco", "Ultimo colpo")


def test_a_shoe_in_english(table: Callable[..., WebTable], visits: Visits) -> None:
    ours = table("mini-punto-banco", "en")
    ours.do("press GAME_OVER", "shoe load", "shoe burn", EGALITE)
    sign = Sign.of(visits, ours).shows_texts(
        "MINI PUNTO BANCO", "303 cards in the shoe", "Bets open"
    )
    expect(sign.page.get_by_role("img", name="9 of spades")).to_be_visible()
    ours.do("declare coup-void")
    sign.shows_texts("Coup void")
    expect(sign.page.get_by_role("img", name="Bead road: Coup void")).to_be_visible()
