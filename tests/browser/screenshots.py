"""Pictures of the pages for the documents: python -m tests.browser.screenshots FOLDER."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from console.rules.codes import Duty
from tests.browser.cabinet import Cabinet
from tests.browser.chromium import DEADLINE_MS, DESKTOP, chromium
from tests.browser.night import (
    night_of,
    play_cash,
    play_punto_banco,
    play_stud,
    play_tournament,
    play_two_nights,
)
from tests.browser.supervisor import NAME, PIN, SupervisorPage
from tests.browser.web_table import TOURNAMENT, WebTable, serve_table

WALL: ViewportSize = {"width": 1920, "height": 1080}
SMALL: ViewportSize = {"width": 800, "height": 480}

COLOURS = 256
MOST_BYTES = 200_000

ROUND = ("press GAME_OVER", "token 1 3 6", "press COIN_IN")
STUD = night_of(play_stud, 5)
PUNTO_BANCO = night_of(play_punto_banco, 2.2)
CASH = night_of(play_cash, 3)
TOURNAMENT_NIGHT = night_of(play_tournament, 2)
SHOE = ("shoe load", "shoe burn", "press GAME_OVER", "press COIN_IN")
CARDS = (
    "9H 2C KS 7D", "4S 4D 3C 5H", "KD 9C QH AS", "6C TD JS 3H 8D", "7H 2S KC 6D 5S", "8C QS 3D 6H",
    "5D 3S AC KH 4C 9S", "JH 7C 9D 8S", "2D KS 6S 7H AD", "AH 4H 8H 5C", "9C TS QD 2H 7S",
    "6D 2C 3S 4C", "KH 9H TC 5S", "3C TD 4D 7S AS",
)  # fmt: skip


COUPS = (*SHOE, *(f"draw {cards}" for cards in CARDS * 2), "draw 6D 4H JC")


POTS = (
    *("deck load red", "deck ready", "press HAND", "press FLOP", "press TURN", "press RIVER"),
    *("press JPOT", "press CHIP_2", "press JPOT", "press CHIP_2", "press CHIP_2"),
    *("press JPOT", "press CHIP_1", "press CHIP_1"),
)
LEVEL = (
    *("press GAME_OVER", "declare entries 45 900000"),
    *("declare clock set 2 12m", "declare clock start", "press HAND"),
)


@dataclass(frozen=True, slots=True)
class Picture:
    """A page of a table after these acts; `ready` waits until it shows them."""

    name: str
    path: str
    ready: Callable[[Page, WebTable], object]
    acts: tuple[str, ...] = ()
    game: str = "caribbean-stud"
    language: str = "en"
    size: ViewportSize = field(default_factory=lambda: DESKTOP)
    poker: tuple[str, str] = ("", "")
    """Of a poker table, as `TableSettings` takes it."""
    night: Callable[[Path], None] | None = None
    """The hours before, as `serve_table` takes them."""
    sign: str = ""
    """The lines of the house's section."""
    width: int | None = None
    """Made smaller to so many pixels across."""
    nights: bool = False
    """Whether two nights of some hours have been played there before."""


def wait_for_awarding(page: Page, table: WebTable) -> None:
    Cabinet(page, table).shows_phase("AWARDING")


def wait_for_clock(page: Page, _: WebTable) -> None:
    expect(page.locator(".clock-time")).to_contain_text(":")


def wait_for_coup(page: Page, table: WebTable) -> None:
    Cabinet(page, table).displays("BANCO")


def wait_for_amount(page: Page, _: WebTable) -> None:
    expect(page.locator("#amount")).to_be_visible()
    expect(page.locator("#wins")).not_to_be_empty()


def wait_for_award(page: Page, _: WebTable) -> None:
    expect(page.locator("#award")).not_to_be_empty()


def wait_for_facts(page: Page, _: WebTable) -> None:
    expect(page.locator("#limits dd").last).to_be_visible()


def begin_first_round(page: Page, table: WebTable) -> None:
    Cabinet(page, table).shows_phase("BETTING")
    page.locator("#open-tour").click()


def wait_for_road(page: Page, _: WebTable) -> None:
    expect(page.locator("#shoe")).not_to_be_empty()


def log_in(page: Page, _: WebTable) -> None:
    SupervisorPage(page).enter().shows("now")
    expect(page.locator('#live[data-there="yes"]')).to_be_visible()
    expect(page.locator(".alarm .waits")).not_to_be_empty()
    expect(page.locator(".course canvas")).to_be_visible()
    expect(page.locator(".heat-map")).to_be_visible()
    expect(page.locator("#now")).not_to_contain_text("still being read")


def open_plots(page: Page, _: WebTable) -> None:
    SupervisorPage(page).enter().open("plots")
    expect(page.locator("#plots canvas").first).to_be_visible()


def open_comparison(page: Page, _: WebTable) -> None:
    SupervisorPage(page).enter().open("compare")
    expect(page.locator("#compare-plot canvas")).to_be_visible()


PENDING = (*ROUND, "press FLUSH", "key JPL", "press JPOT")

SHARED = (
    *("press GAME_OVER", "deck load red", "deck ready", "token 1 3 4 6", "press COIN_IN"),
    *("cover 4", "wait 600ms"),
    *("press FLUSH", "key JPL", "press JPOT", "press JPOT"),
)

SIGN = 'currency = "€"\nlowest = "10.00"\nhighest = "500.00"\n'
BETTING = ("press GAME_OVER", "token 1 3")
IN_COUP = ("press GAME_OVER", "press COIN_IN", "draw 6D 4H JC")

PICTURES = (
    Picture("cabinet", "/cabinet", wait_for_awarding, SHARED, night=STUD),
    Picture(
        *("cabinet-punto-banco", "/cabinet", wait_for_coup, IN_COUP, "mini-punto-banco", "it"),
        night=PUNTO_BANCO,
    ),
    Picture("cabinet-first-round", "/cabinet", begin_first_round, ("press GAME_OVER", "token 2")),
    Picture("sign", "/sign", wait_for_amount, BETTING, size=WALL, night=STUD, width=1280),
    Picture("sign-win", "/sign", wait_for_award, PENDING, size=WALL, night=STUD, width=1280),
    Picture("sign-small", "/sign?size=small", wait_for_amount, BETTING, size=SMALL, night=STUD),
    Picture(
        *("sign-punto-banco", "/sign", wait_for_road, IN_COUP, "mini-punto-banco", "it", WALL),
        night=PUNTO_BANCO,
        sign=SIGN,
        width=1280,
    ),
    Picture(
        *("cabinet-poker", "/cabinet", wait_for_awarding, POTS, "texas-holdem", "it"),
        poker=('shuffler = "deck"', ""),
        night=CASH,
    ),
    Picture(
        *("sign-cash", "/sign", wait_for_facts, ("press HAND",), "texas-holdem", "it", WALL),
        night=CASH,
        sign=SIGN,
        width=1280,
    ),
    Picture(
        *("sign-tournament", "/sign", wait_for_clock, LEVEL, "texas-holdem", "it", WALL),
        poker=TOURNAMENT,
        night=TOURNAMENT_NIGHT,
        width=1280,
    ),
    Picture("supervisor", "/supervisor", log_in, PENDING, nights=True),
    Picture("supervisor-trends", "/supervisor", open_plots, nights=True),
    Picture("supervisor-compare", "/supervisor", open_comparison, nights=True),
)


def take_picture(browser: Browser, picture: Picture, nights: Path | None) -> bytes:
    """The page as a PNG; `nights`: the ledger of a picture that has some behind it."""
    with (
        TemporaryDirectory(prefix="t", ignore_cleanup_errors=True) as folder,
        serve_table(
            *(Path(folder), picture.game, picture.language),
            ledger=nights if picture.nights else None,
            before=picture.night,
            poker=picture.poker,
            sign=picture.sign,
        ) as table,
    ):
        table.enrol(NAME, Duty.FLOOR_MANAGER, PIN)
        table.play(*picture.acts)
        context = browser.new_context(
            viewport=picture.size,
            reduced_motion="reduce",
            color_scheme="light",
            locale=picture.language,
        )
        context.set_default_timeout(DEADLINE_MS)
        page = context.new_page()
        page.goto(table.url + picture.path)
        picture.ready(page, table)
        page.mouse.move(0, 0)
        shot = page.screenshot(animations="disabled")
        context.close()
        return shot


def small(shot: bytes, width: int | None) -> bytes:
    """The picture with few colours, which is a tenth of the size and looks the same."""
    with Image.open(BytesIO(shot)) as whole:
        picture = whole.convert("RGB")
    if width is not None:
        height = round(picture.height * width / picture.width)
        picture = picture.resize((width, height), Image.Resampling.LANCZOS)
    file = BytesIO()
    colours = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=4)
    drawn = picture.quantize(palette=colours, dither=Image.Dither.NONE)
    drawn.save(file, "PNG", optimize=True)
    return file.getvalue()


def main(folder: Path, *names: str) -> None:
    """Take all of them, or those that are named, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [picture for picture in PICTURES if not names or picture.name in names]
    played = any(picture.nights for picture in wanted)
    with play_two_nights() if played else nullcontext() as nights, chromium() as browser:
        for picture in wanted:
            data = small(take_picture(browser, picture, nights), picture.width)
            file = folder / f"{picture.name}.png"
            file.write_bytes(data)
            print(f"{file}  {len(data)} bytes")
            assert len(data) < MOST_BYTES, f"{file} is too large"


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
