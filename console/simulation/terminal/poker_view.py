"""A poker table as a picture of characters, seen from the croupier's place: pure."""

from math import cos, radians, sin

from console.rules.observation import Observation
from console.simulation.scenario.cabinet_facts import CabinetFacts, ShufflerDecks
from console.simulation.terminal.cabinet_view import (
    COMBINATION_STEP,
    HEIGHT,
    PANEL_AT,
    WIDTH,
    WORDS_AT,
    ScreenTraits,
    below_banner,
    draw_display,
    draw_header,
    draw_key,
    draw_lit_button,
    draw_panel_frame,
    draw_presses,
    draw_word,
)
from console.simulation.terminal.canvas import Canvas, Fragments
from console.simulation.terminal.poker_facts import LargeClock, PokerFacts

ROWS = 3

BLOCKS = (
    "█▀█ ▀█  ▀▀█ ▀▀█ █ █ █▀▀ █▀▀ ▀▀█ █▀█ █▀█",
    "█ █  █  █▀▀ ▀▀█ ▀▀█ ▀▀█ █▀█   █ █▀█ ▀▀█",
    "▀▀▀ ▀▀▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀",
)
STROKES = (
    " _       _   _       _   _   _   _   _ ",
    "| |   |  _|  _| |_| |_  |_    | |_| |_|",
    "|_|   | |_   _|   |  _| |_|   | |_|  _|",
)
GLYPH, STEP = 3, 4

COLONS = {True: ("▄", "▄", " "), False: (" ", ".", ".")}
"""By whether the terminal shows Unicode."""


def write_large(text: str, *, unicode: bool) -> tuple[str, ...]:
    """Digits and colons as rows of characters. Raises ValueError for any other character."""
    glyphs = [_glyph(character, unicode) for character in text]
    return tuple(" ".join(glyph[row] for glyph in glyphs) for row in range(ROWS))


def _glyph(character: str, unicode: bool) -> tuple[str, ...]:
    if character == ":":
        return COLONS[unicode]
    at = int(character) * STEP
    return tuple(row[at : at + GLYPH] for row in (BLOCKS if unicode else STROKES))


MIDDLE, ACROSS, UP = (39, 6), 33, 5
"""The ellipse on which the positions stand."""
FIRST_ANGLE, LAST_ANGLE = 174, 6

CLOCK_AT = (39, 2)
"""Its middle column and first row."""
HAND_AT, CARDS_AT = (9, 6), (52, 6)
REFUSED_AT, MONEY_WIDTH = 52, 50


def draw_poker(
    seen: Observation, facts: CabinetFacts, poker: PokerFacts, look: ScreenTraits
) -> Fragments:
    """The banner, and below it WIDTH x HEIGHT characters in the middle of the width."""
    canvas = Canvas(WIDTH, HEIGHT)
    draw_header(canvas, seen, facts)
    _positions(canvas, poker)
    if poker.clock is not None and facts.powered:
        _clock(canvas, poker.clock, look)
    draw_display(canvas, seen, look)
    for (x, y), lines in ((HAND_AT, poker.about_hand), (CARDS_AT, poker.about_cards)):
        for row, line in enumerate(lines, start=y):
            canvas.put(x, row, line, "class:felt")
    _panel(canvas, seen, facts, poker, look)
    _words(canvas, seen, facts, poker)
    return below_banner(canvas, look)


def _positions(canvas: Canvas, poker: PokerFacts) -> None:
    """Counted from the dealer button's left; the button is the last one."""
    (middle, bottom), last = MIDDLE, poker.players
    for place in range(1, last + 1):
        angle = radians(FIRST_ANGLE - (place - 1) * (FIRST_ANGLE - LAST_ANGLE) / (last - 1))
        words = [str(place), "#" * poker.hole, "(D)" if place == last else ""]
        text = " ".join(word for word in words if word)
        x, y = middle + ACROSS * cos(angle), bottom - UP * sin(angle)
        canvas.centre(round(x), round(y), text, "class:dealer" if place == last else "class:seat")


def _clock(canvas: Canvas, clock: LargeClock, look: ScreenTraits) -> None:
    """Digits three rows high, or a word in their place; left of them what is counted."""
    middle, y = CLOCK_AT
    style = "class:clock.called" if clock.called else "class:clock"
    if clock.text[0].isdigit():
        lines = write_large(clock.text, unicode=look.unicode)
    else:
        lines = ("", " ".join(clock.text), "")
    left = middle - len(lines[1]) // 2
    for row, line in enumerate(lines, start=y):
        canvas.put(left, row, line, style)
    canvas.put(left - 2 - len(clock.name), y + 1, clock.name, style)


def _panel(
    canvas: Canvas, seen: Observation, facts: CabinetFacts, poker: PokerFacts, look: ScreenTraits
) -> None:
    x, y = PANEL_AT
    draw_panel_frame(canvas, look)
    draw_key(canvas, facts)
    counting = poker.legends[0].startswith("CHIP")
    values = poker.chips if counting else ("",) * len(poker.legends)
    lamps = [names[0] in seen.lamps for names in poker.buttons]
    buttons = zip(poker.legends, values, lamps, strict=True)
    for place, (legend, value, lit) in enumerate(buttons):
        at = (x + 2 + COMBINATION_STEP * place, y + 3)
        draw_lit_button(canvas, at, (legend, value), lit=lit)
    draw_presses(canvas, jpot=True)


def _words(canvas: Canvas, seen: Observation, facts: CabinetFacts, poker: PokerFacts) -> None:
    x, y = WORDS_AT
    draw_word(canvas, (x, y), "FAULTS", " ".join(each.value for each in seen.faults), "class:fault")
    money = list(poker.about_money)
    while len("  ".join(money)) > MONEY_WIDTH:
        del money[0]  # the older pots: the one that is counted stays
    canvas.put(x, y + 1, "  ".join(money), "class:accounts")
    refused = seen.refused.value if seen.refused else ""
    draw_word(canvas, (REFUSED_AT, y + 1), "REFUSED", refused, "class:fault")
    if facts.decks is not None:
        draw_word(canvas, (x, y + 2), "SHUFFLER", _describe(facts.decks), "class:accounts")
        lit = seen.ready_light
        word, style = ("[*GREEN*]", "class:green") if lit else ("[ GREEN ]", "class:button")
        canvas.put(WIDTH - 11, y + 2, word, style)


def _describe(decks: ShufflerDecks) -> str:
    places = (
        ("prepared", decks.prepared, decks.prepared_cards),
        ("behind", decks.behind, decks.behind_cards),
        ("in play", decks.playing, decks.left),
    )
    words = [f"{place} {back} {cards}" for place, back, cards in places if back]
    return "  ".join([*words, "JAMMED"] if decks.jammed else words)
