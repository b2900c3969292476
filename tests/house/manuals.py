"""Makes docs/manuals, pages of A4 for the people at a table: `make docs`.

The words are in manuals.toml; display texts, buttons and prizes are what the program has.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

import msgspec

from console.rules.codes import Refusal
from console.rules.games import GAMES
from console.texts.display import TEXTS
from console.texts.language import Language, Words
from devices.roles import DISPLAY_COLUMNS
from jackpot.money.prize_file import load_prizes
from jackpot.money.prizes import Combination
from tests.house.fault_pages import read_beside

FOLDER = "manuals"
JACKPOT_GAME, POKER_GAME = "caribbean-stud", "texas-holdem"
SEATS, KEYS = 7, ("R", "JPL", "JPH", "S")

STYLE = """
@page { size: A4; margin: 12mm }
* { box-sizing: border-box }
body { font: 10pt/1.28 "Liberation Sans", Arial, sans-serif; color: #1b2420; margin: 0 auto;
  max-width: 186mm }
h1 { font-size: 21pt; margin: 0; color: #0f3d2e }
h2 { font-size: 12.5pt; margin: 3.5mm 0 1mm; color: #0f3d2e; border-bottom: .4mm solid #0f3d2e }
p { margin: 1mm 0 }
ol { margin: 1mm 0; padding-left: 6mm }
li { margin: .6mm 0 }
code { font: 9.5pt "Liberation Mono", monospace }
.parts { columns: 2; column-gap: 8mm }
.parts section { break-inside: avoid }
.parts h2:first-child { margin-top: 0 }
.panel { width: 100%; margin: 2mm 0 }
table { border-collapse: collapse; width: 100% }
td { padding: .7mm 2mm .7mm 0; vertical-align: middle }
td:first-child { width: 62mm }
svg { display: block }
footer { margin-top: 3mm; font-size: 8pt; color: #5a645f }
@media screen { body { padding: 12mm } }
"""

LABELS = {
    "seats": Words("posti: il gettone è preso", "seats: the token is accepted"),
    "key": Words("chiave del capotavolo", "floor manager's key"),
    "close": Words("chiude", "closes"),
    "open": Words("apre", "opens"),
    "award": Words("vincita", "award"),
    "pot": Words("piatto", "pot"),
    "between": Words("tra le mani", "between hands"),
    "hand": Words("nella mano", "in a hand"),
    "count": Words("conto del piatto", "counting a pot"),
    "lamps": Words("Le lampade degli slot", "The slot lamps"),
    "display": Words("Il display", "The display"),
    "foot": Words(
        "banco · fatto da make docs · per esteso: docs/how-to/operating.md, guasti.md",
        "banco · made by make docs · the whole of it: docs/how-to/operating.md, faults.md",
    ),
}

LAMPS = (
    ("pulse", Words("pulsa: si può mettere un gettone", "pulses: a token may be put in")),
    ("steady", Words("fissa: gettone nello slot, o posto in gioco", "steady: a token lies there")),
    ("blink", Words("lampeggia: bisogna intervenire, libera lo slot", "blinks: somebody must act")),
    ("dark", Words("spenta: qui ora non si punta", "dark: no token is accepted now")),
)


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Steps under a title."""

    title: Words
    steps: tuple[Words, ...]


class Shown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A display, by its code, and what it means."""

    code: str
    means: Words


class Manual(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One page."""

    file: Words
    title: Words
    lead: Words
    panel: str
    lamps: bool
    part: tuple[Part, ...]
    display: tuple[Shown, ...]


class Manuals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file manuals.toml."""

    manual: tuple[Manual, ...]


def main(arguments: Sequence[str]) -> int:
    """Write all pages into `manuals` of this folder, usually `docs`."""
    (folder,) = arguments
    for name, text in pages():
        file = Path(folder) / FOLDER / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return 0


def pages() -> Iterator[tuple[str, str]]:
    """Each page: its file's name, and its text."""
    for manual in read_beside("manuals.toml", Manuals).manual:
        for language in Language:
            yield manual.file.in_(language), _page(manual, language)


def _page(manual: Manual, language: Language) -> str:
    title = escape(manual.title.in_(language))
    panel = _jackpot_panel(language) if manual.panel == "jackpot" else _poker_panel(language)
    parts = "\n".join(_part(part, language) for part in manual.part)
    shown = "\n".join(
        f"<tr><td>{_display(*_lines(one.code, language, poker=manual.panel == 'poker'))}</td>"
        f"<td>{_text(one.means, language)}</td></tr>"
        for one in manual.display
    )
    return f"""<!doctype html>
<html lang="{language.value}">
<meta charset="utf-8">
<title>{title}</title>
<style>{STYLE}</style>
<h1>{title}</h1>
<p>{_text(manual.lead, language)}</p>
{panel}
<div class="parts">
{parts}
{_lamps(language) if manual.lamps else ""}</div>
<h2>{_label("display", language)}</h2>
<table>
{shown}
</table>
<footer>{_label("foot", language)}</footer>
</html>
"""


def _part(part: Part, language: Language) -> str:
    steps = "\n".join(f"<li>{_text(step, language)}</li>" for step in part.steps)
    return f"<section><h2>{_text(part.title, language)}</h2>\n<ol>\n{steps}\n</ol></section>"


def _text(words: Words, language: Language) -> str:
    """What stands between backquotes is typed."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(words.in_(language), quote=False))


def _label(name: str, language: Language) -> str:
    return escape(LABELS[name].in_(language))


def _lines(code: str, language: Language, *, poker: bool) -> tuple[str, str]:
    """Both lines of the display, of a table that reads 10,004.20."""
    texts = TEXTS[language]
    amount = f"10{texts.thousands}004{texts.decimal}20 EUR"
    match code:
        case "JACKPOT":
            return texts.jackpot, amount
        case "COMBINATION":
            return f"{texts.combinations[Combination.FLUSH]} x2", f"100{texts.decimal}04 EUR"
        case "LAST_HAND":
            return texts.last_hands[1], amount
        case "HAND":
            return f"{texts.poker.holdem} 5/10", f"{texts.poker.hand} 17"
        case "COUNTING":
            pot, rake = f"200{texts.decimal}00", f"6{texts.decimal}00 EUR"
            return _spread(f"{texts.poker.pot} 1", pot), _spread(texts.poker.rake, rake)
        case "TIME":
            return _spread(texts.poker.time, "30"), f"{texts.poker.hand} 17"
        case _:
            faults = {fault.value: text for fault, text in texts.faults.items()}
            refusals = {refusal.value: text for refusal, text in texts.refusals.items()}
            second = f"{texts.poker.hand} 17" if poker else amount
            second = "" if code == Refusal.NO_HAND.value else second
            return (faults | refusals)[code], second


def _spread(left: str, right: str) -> str:
    """Both ends of a line of the display."""
    return f"{left}{right:>{DISPLAY_COLUMNS - len(left)}}"


def _display(first: str, second: str) -> str:
    lines = "".join(
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" xml:space="preserve">{escape(line)}</text>'
        for line, x, y, anchor in ((first, 10, 19, "start"), (second, 210, 37, "end"))
    )
    return (
        '<svg viewBox="0 0 220 46" width="58mm" role="img">'
        f"<title>{escape(first)} / {escape(second)}</title>"
        '<rect width="220" height="46" rx="4" fill="#10201c"/>'
        '<g font-family="Liberation Mono, monospace" font-size="16.6" style="white-space:pre"'
        f' fill="#7ff3d0">{lines}</g>'
        "</svg>"
    )


def _lamps(language: Language) -> str:
    rows = "".join(
        f"<tr><td>{_lamp(kind)}</td><td>{_text(words, language)}</td></tr>" for kind, words in LAMPS
    )
    rows = rows.replace("<td><svg", '<td style="width:34mm"><svg')
    return f"<section><h2>{_label('lamps', language)}</h2>\n<table>{rows}</table></section>\n"


def _lamp(kind: str) -> str:
    """A lamp, and its light over two seconds."""
    light = {
        "pulse": '<path d="M28 18 Q42 -10 56 18 Q70 -10 84 18 Z" fill="#e0a100"/>',
        "steady": '<rect x="28" y="5" width="64" height="13" fill="#e0a100"/>',
        "blink": "".join(
            f'<rect x="{28 + 8 * at}" y="5" width="4" height="13" fill="#c62828"/>'
            for at in range(8)
        ),
        "dark": "",
    }[kind]
    fill = {"dark": "#444", "blink": "#c62828"}.get(kind, "#e0a100")
    return (
        '<svg viewBox="0 0 94 22" width="31mm" aria-hidden="true">'
        f'<circle cx="11" cy="11" r="9" fill="{fill}" stroke="#222"/>{light}'
        '<path d="M28 18.5 H92" stroke="#222"/></svg>'
    )


def _jackpot_panel(language: Language) -> str:
    texts = TEXTS[language]
    names = [texts.combinations[one.combination] for one in load_prizes(JACKPOT_GAME).prizes]
    buttons = [_button(150 + 112 * at, 62, 104, 34, name) for at, name in enumerate(names)]
    seats = "".join(
        f'<circle cx="{30 + 34 * at}" cy="26" r="8" fill="#e0a100"/>'
        f'<text x="{30 + 34 * at}" y="52" text-anchor="middle">{at + 1}</text>'
        for at in range(SEATS)
    )
    seats += f'<text x="266" y="30">{_label("seats", language)}</text>'
    return _panel(seats + _ends(language, "award") + "".join(buttons), 172, "panel")


def _poker_panel(language: Language) -> str:
    """Each button under the names that it has between hands, in a hand, and counting a pot."""
    shapes = []
    for row, name in enumerate(("between", "hand", "count")):
        y = 18 + 26 * row
        shapes.append(f'<text x="14" y="{y + 15}">{_label(name, language)}</text>')
        for at, legends in enumerate(GAMES[POKER_GAME].legends):
            legend = (legends[-2], legends[0], legends[-1])[row]
            shapes.append(_button(150 + 112 * at, y, 104, 22, legend))
    return _panel("".join(shapes) + _ends(language, "pot"), 172, "panel")


def _ends(language: Language, award: str) -> str:
    """COIN IN, JPOT, the key and GAME OVER."""
    key = "".join(
        f'<text x="{x}" y="{y}" text-anchor="middle">{name}</text>'
        for name, (x, y) in zip(KEYS, ((466, 132), (490, 118), (534, 118), (556, 132)), strict=True)
    )
    return (
        _button(14, 130, 120, 30, f"COIN IN · {LABELS['close'].in_(language)}")
        + _button(160, 130, 150, 30, f"JPOT · {LABELS[award].in_(language)}")
        + f'<circle cx="511" cy="142" r="17" fill="#ddd" stroke="#222"/>'
        f'<rect x="508" y="128" width="6" height="28" fill="#222"/>{key}'
        f'<text x="440" y="147" text-anchor="end">{_label("key", language)}</text>'
        + _button(580, 130, 150, 30, f"GAME OVER · {LABELS['open'].in_(language)}")
    )


def _button(x: int, y: int, width: int, height: int, name: str) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" fill="#fff"'
        ' stroke="#222"/>'
        f'<text x="{x + width / 2:g}" y="{y + height / 2 + 4:g}" text-anchor="middle"'
        f' font-weight="bold">{escape(name)}</text>'
    )


def _panel(inside: str, height: int, name: str) -> str:
    return (
        f'<svg class="panel" viewBox="0 0 744 {height}" role="img"><title>{name}</title>'
        f'<rect x=".5" y=".5" width="743" height="{height - 1}" rx="10" fill="#e9eee9"'
        ' stroke="#222"/>'
        f'<g font-family="Liberation Sans, Arial, sans-serif" font-size="11.5">{inside}</g></svg>'
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
