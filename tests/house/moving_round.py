"""Makes docs/pictures/first-round.svg: the README's first round, played and drawn: `make docs`."""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from console.simulation.scenario.cabinet_facts import facts_of
from console.simulation.terminal.cabinet_view import HEIGHT, WIDTH, Fragments, ScreenTraits, draw
from tests.console.table import table_in
from tests.house.documents import blocks, page

PICTURE = "pictures/first-round.svg"
SECONDS_A_FRAME = 3.5
SHOWN_STILL = 6
"""The frame for who wants no motion: the award."""

CELL, LINE, MARGIN = 8.4, 17, 14
COLOURS = {
    "class:banner": "#ffd166",
    "class:lamp.invite": "#ffd166",
    "class:lamp.on": "#7ff3d0",
    "class:lamp.alert": "#ff6b6b",
    "class:label": "#9fb3ab",
}
PAPER, INK, TYPED, WHY = "#10201c", "#e6efe9", "#7ff3d0", "#9fb3ab"


def main(arguments: Sequence[str]) -> int:
    """Write the picture into this folder, usually `docs`."""
    (folder,) = arguments
    file = Path(folder) / PICTURE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(picture(), encoding="utf-8")
    return 0


def picture() -> str:
    """The SVG: each line of the round, typed, and the cabinet after it."""
    frames = list(_frames())
    width, height = CELL * WIDTH + 2 * MARGIN, LINE * (HEIGHT + 4) + 2 * MARGIN
    whole, share = SECONDS_A_FRAME * len(frames), 100 / len(frames)
    delays = "\n".join(
        f"#f{at} {{ animation-delay: {SECONDS_A_FRAME * at:g}s }}" for at in range(len(frames))
    )
    shapes = "\n".join(
        f'<g id="f{at}" class="frame">{_shapes(*frame)}</g>' for at, frame in enumerate(frames)
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">
<title>A first round in the terminal: what is command, why, and what the cabinet shows</title>
<style>
text {{ font: 14px "DejaVu Sans Mono", "Liberation Mono", monospace; white-space: pre }}
.frame {{ visibility: hidden; animation: show {whole:g}s step-end infinite }}
{delays}
@keyframes show {{ 0% {{ visibility: visible }} {share:.3f}% {{ visibility: hidden }} }}
@media (prefers-reduced-motion: reduce) {{
  .frame {{ animation: none }}
  #f{SHOWN_STILL} {{ visibility: visible }}
}}
</style>
<rect width="{width:g}" height="{height:g}" rx="8" fill="{PAPER}"/>
{shapes}
</svg>
"""


def _frames() -> Iterator[tuple[Fragments, str, str]]:
    """The cabinet, what was typed before, and why."""
    (round_lines,) = (
        block for block in blocks(page("README.md"), "scenario") if "press JPOT" in block
    )
    with tempfile.TemporaryDirectory() as folder, table_in(Path(folder)) as table:
        for line in ("", *round_lines.splitlines()):
            command, _, why = (part.strip() for part in line.partition("#"))
            if command:
                table.play(command)
            machine, service = table.machine, table.simulated_table.service
            facts = facts_of(machine.cabinet, machine.disk, service)
            yield draw(table.seen, facts, ScreenTraits()), command, why


def _shapes(fragments: Fragments, command: str, why: str) -> str:
    shapes, row, column = [], 1, 0
    for style, text in fragments:
        for at, piece in enumerate(text.split("\n")):
            row, column = (row + 1, 0) if at else (row, column)
            if piece.strip():
                shapes.append(_words(row, column, piece, _colour(style)))
            column += len(piece)
    shapes.append(_words(HEIGHT + 3, 0, f"> {command}", TYPED))
    shapes.append(_words(HEIGHT + 4, 2, why, WHY))
    return "".join(shapes)


def _words(row: int, column: int, text: str, colour: str) -> str:
    x, y = MARGIN + CELL * (column + len(text) - len(text.lstrip())), MARGIN + LINE * row - 4
    words = text.strip()
    return (
        f'<text x="{x:g}" y="{y:g}" textLength="{CELL * max(1, len(words)):g}" fill="{colour}">'
        f"{escape(words)}</text>"
    )


def _colour(style: str) -> str:
    return COLOURS.get(style.removesuffix(".dim"), INK)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
