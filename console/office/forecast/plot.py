"""The plot of a forecast as SVG: the band of the meter over the hours of play.

Beside it, where it is given, what was really played.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape

from msgspec import Struct

from console.bordereau.words import Wording
from console.office.forecast.outlook import Outlook
from console.texts import forecast_texts as texts
from console.texts.language import Words

WIDTH, HEIGHT = 860, 420
LEFT, RIGHT, TOP, BOTTOM = 100, 24, 56, 56
LEGEND = 41
TICKS = 6
STEPS = (1, 2, 5)
NEAR = 2
"""A level is drawn up to so many times the highest meter."""

Point = tuple[Fraction, Fraction]
"""Hours of play, and cents."""

STYLE = """<style>
text{font:13px sans-serif;fill:#333}.title{font-size:16px;font-weight:600}
.grid{stroke:#ddd}.band{fill:#9ec5e8;fill-opacity:.6}.median{stroke:#14568f;fill:#14568f}
.played{stroke:#c0392b;fill:#c0392b}.level{stroke:#666;stroke-dasharray:6 4}
polyline{fill:none!important;stroke-width:2}.axis{stroke:#333}
</style>"""


class _Frame(Struct, frozen=True):
    """The hours and cents that the plot reaches, and where they lie on it."""

    hours: int
    cents: int

    def place(self, point: Point) -> str:
        hours, cents = point
        across = LEFT + hours / self.hours * (WIDTH - LEFT - RIGHT)
        up = HEIGHT - BOTTOM - cents / self.cents * (HEIGHT - TOP - BOTTOM)
        return f"{_tenths(across)},{_tenths(up)}"


def draw_plot(
    outlook: Outlook, say: Wording, played: Sequence[Point] = (), style: str = STYLE
) -> str:
    """The plot; `played`: what was really read, in rising hours. A page has a style of its own."""
    hours = outlook.simulated.hours
    shown = [point for point in played if point[0] <= hours]
    levels = _levels(outlook)
    seen = [Fraction(1), *(Fraction(band.high) for _, band in outlook.meters)]
    highest = max([*seen, *(cents for _, cents in shown)])
    near = [(words, cents) for words, cents in levels if cents <= highest * NEAR]
    top = max([highest, *(cents for _, cents in near)])
    frame = _Frame(hours, _round_up(top))
    parts = [
        *_heading(outlook, say, bool(shown)),
        *_grid(frame, say),
        *_band(outlook, frame),
        *(line for words, cents in near for line in _level(frame, say(words), cents)),
    ]
    if shown:
        parts.append(_curve("played", frame, shown))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img">{style}'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _levels(outlook: Outlook) -> Sequence[tuple[Words, Fraction]]:
    limit = outlook.averages.terms.prizes.limit
    known = (
        (texts.EQUILIBRIUM, outlook.averages.find_equilibrium()),
        (texts.BREAK_EVEN, outlook.averages.find_break_even()),
        (texts.LIMIT, None if limit is None else Fraction(limit)),
    )
    return [(words, cents) for words, cents in known if cents is not None]


def _heading(outlook: Outlook, say: Wording, played: bool) -> Iterator[str]:
    title = say(texts.PLOT_TITLE.fill(outlook.averages.terms.prizes.currency))
    yield f"<title>{escape(title)}</title>"
    yield _text(LEFT, 24, title, "title")
    legend = [("median", texts.PLOT_MEDIAN), ("band", texts.PLOT_BAND)]
    if played:
        legend.append(("played", texts.PLOT_PLAYED))
    across = LEFT
    for kind, words in legend:
        height = 10 if kind == "band" else 2
        y = LEGEND - height // 2
        yield f'<rect class="{kind}" x="{across}" y="{y}" width="22" height="{height}"/>'
        yield _text(across + 28, LEGEND + 5, say(words))
        across += 60 + 8 * len(say(words))


def _grid(frame: _Frame, say: Wording) -> Iterator[str]:
    for cents in _ticks(frame.cents):
        start, end = frame.place((Fraction(0), cents)), frame.place((Fraction(frame.hours), cents))
        yield _line("grid", start, end)
        y = start.partition(",")[2]
        amount = say.cents(round(cents))
        yield f'<text x="{LEFT - 8}" y="{y}" dy="4" text-anchor="end">{escape(amount)}</text>'
    for hours in _ticks(frame.hours):
        start = frame.place((hours, Fraction(0)))
        x = start.partition(",")[0]
        yield f'<text x="{x}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{round(hours)}</text>'
    yield _line(
        "axis",
        frame.place((Fraction(0), Fraction(0))),
        frame.place((Fraction(frame.hours), Fraction(0))),
    )
    yield (
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 12}" text-anchor="end">'
        f"{escape(say(texts.PLOT_HOURS))}</text>"
    )


def _band(outlook: Outlook, frame: _Frame) -> Iterator[str]:
    meters = [(Fraction(hours), band) for hours, band in outlook.meters if hours <= frame.hours]
    edge = [(hours, Fraction(band.high)) for hours, band in meters]
    edge += [(hours, Fraction(band.low)) for hours, band in reversed(meters)]
    yield f'<polygon class="band" points="{" ".join(map(frame.place, edge))}"/>'
    yield _curve("median", frame, [(hours, Fraction(band.median)) for hours, band in meters])


def _level(frame: _Frame, name: str, cents: Fraction) -> Iterator[str]:
    start, end = frame.place((Fraction(0), cents)), frame.place((Fraction(frame.hours), cents))
    yield _line("level", start, end)
    x, _, y = end.partition(",")
    yield f'<text x="{x}" y="{y}" dy="-5" text-anchor="end">{escape(name)}</text>'


def _curve(kind: str, frame: _Frame, points: Iterable[Point]) -> str:
    return f'<polyline class="{kind}" points="{" ".join(map(frame.place, points))}"/>'


def _line(kind: str, start: str, end: str) -> str:
    (x1, y1), (x2, y2) = start.split(","), end.split(",")
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _text(x: int, y: int, text: str, kind: str = "") -> str:
    return f'<text x="{x}" y="{y}" class="{kind}">{escape(text)}</text>'


def _ticks(end: int) -> Iterator[Fraction]:
    step = _step(Fraction(end, TICKS))
    at = Fraction(0)
    while at <= end:
        yield at
        at += step


def _round_up(cents: Fraction) -> int:
    step = _step(cents / TICKS)
    return -(-cents // step) * step


def _step(least: Fraction) -> int:
    """The next of 1, 2, 5, 10, 20, ..."""
    tens = 1
    while True:
        for step in STEPS:
            if step * tens >= least:
                return step * tens
        tens *= 10


def _tenths(place: Fraction) -> str:
    whole, rest = divmod(round(place * 10), 10)
    return f"{whole}.{rest}"
