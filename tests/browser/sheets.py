"""Sheets of each page and paper, before and after: python -m tests.browser.sheets FOLDER.

Before is the tree of BEFORE, checked out beside this one: it takes its own pictures, after the same
seeded nights. A bordereau's pages are drawn by pdftoppm (poppler-utils).
"""

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import ViewportSize

from console.configuration.file import load_configuration
from console.simulation.cabinet import cabinet_for
from console.simulation.scenario import simulated_machine
from console.texts.language import Language
from tests.browser import night, screenshots, web_table
from tests.browser.chromium import DEADLINE_MS, DESKTOP, chromium

ROOT = Path(__file__).resolve().parents[2]
BEFORE = "8a0a9037a1c25332ea5375e25e839afca4d27aa6"
"""The last commit before the sign, pages and papers were made anew (issue 29)."""

SHOTS = (
    *("cabinet", "cabinet-poker", "cabinet-punto-banco"),
    *("supervisor", "supervisor-trends", "supervisor-compare"),
)
"""Pictures of `screenshots`; before there was no comparison."""

SHEETS = {
    "cabinet": (SHOTS[:1], SHOTS[1:2], SHOTS[2:3]),
    "supervisor": (SHOTS[3:4], SHOTS[4:5], SHOTS[5:]),
    "room": (("room-overview",), ("tournaments",)),
    "papers": (("bordereau-1", "bordereau-2"), ("croupier", "capotavolo", "poker")),
}
"""What stands in each row."""

COLOURS = 128
WIDTH, GAP, HEADING = 640, 6, 22
A4: ViewportSize = {"width": 794, "height": 1123}
MANUALS = ("croupier.it", "capotavolo.it", "poker.it")
CLOCK = ("players 7", "clock set 1 12m", "clock start")


def main(folder: Path) -> None:
    """Take both sides, and lay them beside each other."""
    with TemporaryDirectory(prefix="s") as temporary:
        old, sides = Path(temporary, "tree"), (Path(temporary, "before"), Path(temporary, "after"))
        check_out(old)
        for tree, side in zip((old, ROOT), sides, strict=True):
            command = [sys.executable, "-m", "tests.browser.sheets", str(side), "one"]
            subprocess.run(command, cwd=tree, check=True)  # each imports its own tree
        for name, rows in SHEETS.items():
            file = folder / f"{name}-before-after.png"
            cells = [[lay_pair(one, *sides) for one in row] for row in rows]
            lay_out(cells).save(file, optimize=True)
            print(f"{file}  {file.stat().st_size} bytes")


def check_out(tree: Path) -> None:
    """The old tree, with what plays the nights and takes these pictures."""
    subprocess.run(["git", "clone", "-q", "--shared", str(ROOT), str(tree)], check=True)
    subprocess.run(["git", "-C", str(tree), "checkout", "-q", BEFORE], check=True)
    for name in ("night.py", "sheets.py"):
        shutil.copy(ROOT / "tests/browser" / name, tree / "tests/browser")


def take_one_side(folder: Path) -> None:
    """In either tree: what it has of all pictures."""
    folder.mkdir()
    names = [one.name for one in screenshots.PICTURES if one.name in SHOTS]
    if hasattr(screenshots, "play_two_nights"):
        with night.play_two_nights(language=Language.IT) as nights:
            print_bordereau(nights, folder)
        screenshots.main(folder, *names)
    else:
        take_before(folder, names)
    shutil.copy(Path("docs/pictures/room-overview.png"), folder)
    take_pages(folder)


def take_before(folder: Path, names: list[str]) -> None:
    """The old tree's pictures, with the nights of today's."""
    played = {
        "caribbean-stud": night.night_of(night.play_stud, 5),
        "mini-punto-banco": night.night_of(night.play_punto_banco, 2.2),
        "texas-holdem": night.night_of(night.play_cash, 3),
    }
    with patch.object(night, "machine_in_virtual_time", start_machine()):
        with patch.object(web_table, "write_configuration", write_file(played)):
            screenshots.main(folder, *(name for name in names if name.startswith("cabinet")))
        with night.play_two_nights() as nights:
            print_bordereau(nights, folder)

            def lay_down(file: Path) -> None:
                ledger = Path(load_configuration(file).ledger.folder, nights.name)
                shutil.copytree(nights, ledger)

            written = write_file({"caribbean-stud": lay_down})
            with patch.object(web_table, "write_configuration", written):
                screenshots.main(folder, *(name for name in names if name.startswith("supervisor")))


def start_machine() -> Callable[..., Any]:
    """As today's machine is started: the old one knew neither a memory nor when it began."""
    start = simulated_machine.machine_in_virtual_time

    def begin(plan: Any, folder: Path, *, memory: Path | None = None, epoch: Any) -> Any:
        def fit_cabinet(loop: Any, plan: Any) -> Any:
            return cabinet_for(loop, plan, memory)

        patch.object(simulated_machine, "VIRTUAL_EPOCH", epoch).start()
        patch.object(simulated_machine, "cabinet_for", fit_cabinet).start()
        return start(plan, folder)

    return begin


def write_file(before: Mapping[str, Callable[[Path], None]]) -> Callable[..., Path]:
    """As the old tree writes a table's file; then what goes before at a table of this game."""
    write = web_table.write_configuration

    def write_and_play(folder: Path, game: Any, *rest: Any, **settings: Any) -> Path:
        file: Path = write(folder, game, *rest, **settings)
        before[game.name](file)
        return file

    return write_and_play


def print_bordereau(nights: Path, folder: Path) -> None:
    """The open night's, each page a picture."""
    file = folder / "bordereau.pdf"
    report = [sys.executable, "-m", "console", "report", str(nights), "--language", "it"]
    subprocess.run([*report, "--format", "pdf", "--out", str(file)], check=True)
    draw = ["pdftoppm", "-r", "96", "-png", str(file), str(folder / "bordereau")]
    subprocess.run(draw, check=True)


def take_pages(folder: Path) -> None:
    """The tournaments' page, and the manuals where there are any."""
    from tests.browser.test_room_clock import ClockHouse
    from tests.console.web.serving.room.room_rig import run_room
    from tests.open_folder import make_open_folder

    with make_open_folder() as open_folder, run_room(open_folder) as rig, chromium() as browser:
        house = ClockHouse(rig)
        house.declare(*CLOCK)
        with closing(browser.new_page(viewport=DESKTOP, color_scheme="light")) as page:
            page.set_default_timeout(DEADLINE_MS)
            page.goto(f"{house.url}/tournament?lang=en")
            page.locator("#clocks .clock-time", has_text="11:").wait_for()
            page.screenshot(path=folder / "tournaments.png")
        with closing(browser.new_page(viewport=A4)) as page:
            for manual in MANUALS:
                file = ROOT / "docs/manuals" / f"{manual}.html"
                if file.exists():
                    page.goto(file.as_uri())
                    page.screenshot(path=folder / f"{manual.partition('.')[0]}.png")


def lay_out(rows: list[list[Image.Image]]) -> Image.Image:
    """The rows under each other."""
    heights = [max(cell.height for cell in row) for row in rows]
    width = max(sum(cell.width for cell in row) for row in rows)
    whole = Image.new("RGB", (width, sum(heights)), "white")
    for at, row in enumerate(rows):
        for place, cell in enumerate(row):
            left = sum(one.width for one in row[:place])
            whole.paste(cell, (left, sum(heights[:at])))
    return whole.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)


def lay_pair(name: str, before: Path, after: Path) -> Image.Image:
    """Before and after, or what was not there before, under its name."""
    found = (read_picture(side / f"{name}.png") for side in (before, after))
    pictures = [one for one in found if one is not None]
    height = max(one.height for one in pictures)
    cell = Image.new("RGB", (len(pictures) * (WIDTH + GAP), height + HEADING + GAP), "white")
    sides = "before, after" if len(pictures) > 1 else "none before"
    font = ImageFont.load_default(16)
    ImageDraw.Draw(cell).text((GAP, 2), f"{name}: {sides}", "black", font)
    for at, picture in enumerate(pictures):
        cell.paste(picture, (at * (WIDTH + GAP), HEADING))
    return cell


def read_picture(file: Path) -> Image.Image | None:
    """As wide as its place; None if there is none."""
    if not file.exists():
        return None
    with Image.open(BytesIO(file.read_bytes())) as whole:
        height = round(whole.height * WIDTH / whole.width)
        return whole.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    if sys.argv[2:] == ["one"]:
        take_one_side(Path(sys.argv[1]))
    else:
        main(Path(sys.argv[1]))
