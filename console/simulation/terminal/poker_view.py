"""A poker table as a picture of characters and words, seen from the croupier's place: pure."""

from math import cos, radians, sin

from msgspec import Struct

from console.rules.game_modules import legends
from console.rules.observation import Observation
from console.rules.poker.poker_observation import see_poker
from console.rules.poker.poker_outputs import shorten_blinds
from console.rules.poker.poker_shown import PokerSeen, PokerShown, show_poker
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState
from console.service.table_service import TableService
from console.simulation.scenario.cabinet_facts import CabinetFacts, ShufflerDecks
from console.simulation.terminal.cabinet_view import (
    COMBINATION_STEP,
    HEIGHT,
    PANEL_AT,
    WIDTH,
    WORDS_AT,
    Canvas,
    Fragments,
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
from console.texts import terminal_texts
from console.texts.display import TEXTS
from console.texts.language import Language, Words
from console.texts.page_words import Group, Page, page_words
from console.texts.record_vocabulary import BACKS
from console.texts.table_texts import PHASES, POKER_PHASES

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


MIDDLE, ACROSS, UP = (39, 6), 33, 5
"""The ellipse on which the positions stand."""
FIRST_ANGLE, LAST_ANGLE = 174, 6

CLOCK_AT = (39, 2)
"""Its middle column and first row."""
HAND_AT, CARDS_AT = (9, 6), (52, 6)
REFUSED_AT, MONEY_WIDTH = 52, 50


class LargeClock(Struct, frozen=True):
    """The clock: what it counts, and its digits, or a word in their place."""

    name: str
    text: str
    called: bool = False
    """Whether a player has been called, which comes before the level's clock."""


class PokerFacts(Struct, frozen=True):
    """A poker table at one instant.

    From the left `buttons`, the names of each lit button; `legends`, those that count; `chips`,
    their values in a count.
    """

    buttons: tuple[tuple[str, ...], ...]
    legends: tuple[str, ...]
    chips: tuple[str, ...]
    players: int
    hole: int
    """Cards that each player holds now."""
    clock: LargeClock | None
    """None in cash while nobody is called."""
    about_hand: tuple[str, ...]
    about_cards: tuple[str, ...]
    about_money: tuple[str, ...]


def poker_facts_of(service: TableService, language: Language) -> PokerFacts | None:
    """The facts now; None at another game's table."""
    state, settings = service.state, service.rules.poker
    if not isinstance(settings, PokerSettings):
        return None
    poker = state.poker
    if not isinstance(poker, PokerState):  # at the first start nothing is on record yet
        poker = PokerState(players=settings.players)
    now, say = service.clock.now(), _Say(language)
    seen, shown = see_poker(state, poker, settings, now), show_poker(poker, settings)
    return PokerFacts(
        buttons=service.rules.game.legends,
        legends=legends(state, service.rules),
        chips=tuple(_write_whole(cents, language) for cents in settings.chips),
        players=seen.players,
        hole=settings.hole if seen.deal > 0 and not shown.awaited else 0,
        clock=_read_clock(seen, shown, settings, say, now),
        about_hand=_about_hand(seen, say),
        about_cards=_about_cards(seen, shown, say),
        about_money=_about_money(seen, shown, say),
    )


class _Say:
    """The words of the cabinet's page in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def __call__(self, name: str, **values: object) -> str:
        return self.of("hold", name).format(**values)

    def of(self, group: str, name: str) -> str:
        """A word of a group by its code."""
        words: Words | Group = page_words(Page.CABINET)[group]
        if isinstance(words, Words):
            raise KeyError(group)
        return words[name].in_(self.language)

    def amount(self, cents: int) -> str:
        """As the language writes it."""
        return TEXTS[self.language].number(cents)


def _write_whole(cents: int, language: Language) -> str:
    """Without cents where there are none."""
    texts = TEXTS[language]
    return texts.number(cents).removesuffix(f"{texts.decimal}00")


def _read_clock(
    seen: PokerSeen, shown: PokerShown, settings: PokerSettings, say: _Say, now: int
) -> LargeClock | None:
    if shown.time_until is not None:
        return _read_call(seen, shown, shown.time_until, say, now)
    if shown.step is None:
        return None
    is_break = settings.structure[shown.step].blinds is None
    each = shown.hand_for_hand and not is_break
    name = "handForHand" if each else "break" if is_break else "level"
    stands = not shown.ticks and not each
    text = say("stopped").upper() if stands else seen.clock.zfill(len("00:00"))
    return LargeClock(say(name, level=seen.level), text)


def _read_call(seen: PokerSeen, shown: PokerShown, until: int, say: _Say, now: int) -> LargeClock:
    if not until:
        return LargeClock("", say("timeUp").upper(), called=True)
    counted = 0 < shown.countdown_ms >= until - now
    return LargeClock(say("count" if counted else "time"), seen.time, called=True)


def _about_hand(seen: PokerSeen, say: _Say) -> tuple[str, ...]:
    facts = [say("hand" if seen.hand else "noHand", hand=seen.hand)]
    if seen.deal > 1:
        facts.append(say("deal", deal=seen.deal).capitalize())
    return (*facts, say("blinds", blinds=shorten_blinds(seen.blinds)))


def _about_cards(seen: PokerSeen, shown: PokerShown, say: _Say) -> tuple[str, ...]:
    facts = []
    if shown.awaited:
        facts.append(say("awaited").capitalize())
    elif seen.street != "none":
        known = seen.stub is not None
        stub = say("stub" if known else "unknownStub", stub=seen.stub)
        facts.append(f"{say.of('streets', seen.street)}, {stub}".capitalize())
    if seen.deck != "unknown":
        facts.append(say("deck", deck=say.of("backs", seen.deck).lower()).capitalize())
    return (*facts, say("change")) if seen.change == "due" else tuple(facts)


def _about_money(seen: PokerSeen, shown: PokerShown, say: _Say) -> tuple[str, ...]:
    facts = [
        say("pot", number=place, amount=say.amount(pot)) for place, pot in enumerate(shown.pots, 1)
    ]
    return (*facts, say("rake", rake=seen.rake)) if seen.rake != "none" else tuple(facts)


def write_large(text: str, *, unicode: bool) -> tuple[str, ...]:
    """Digits and colons as rows of characters. Raises ValueError for any other character."""
    glyphs = [_glyph(character, unicode) for character in text]
    return tuple(" ".join(glyph[row] for glyph in glyphs) for row in range(ROWS))


def _glyph(character: str, unicode: bool) -> tuple[str, ...]:
    if character == ":":
        return COLONS[unicode]
    at = int(character) * STEP
    return tuple(row[at : at + GLYPH] for row in (BLOCKS if unicode else STROKES))


def draw_poker(
    seen: Observation, facts: CabinetFacts, poker: PokerFacts, look: ScreenTraits
) -> Fragments:
    """The banner, and below it WIDTH x HEIGHT characters in the middle of the width."""
    canvas = Canvas(WIDTH, HEIGHT)
    draw_header(canvas, seen, facts, look, {**PHASES, **POKER_PHASES})
    _positions(canvas, poker)
    if poker.clock is not None and facts.powered:
        _clock(canvas, poker.clock, look)
    draw_display(canvas, seen, look)
    for (x, y), lines in ((HAND_AT, poker.about_hand), (CARDS_AT, poker.about_cards)):
        for row, line in enumerate(lines, start=y):
            canvas.put(x, row, line, "class:felt")
    _panel(canvas, seen, facts, poker, look)
    _words(canvas, seen, facts, poker, look)
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
    draw_key(canvas, facts, look)
    counting = poker.legends[0].startswith("CHIP")
    values = poker.chips if counting else ("",) * len(poker.legends)
    lamps = [names[0] in seen.lamps for names in poker.buttons]
    buttons = zip(poker.legends, values, lamps, strict=True)
    for place, (legend, value, lit) in enumerate(buttons):
        at = (x + 2 + COMBINATION_STEP * place, y + 3)
        draw_lit_button(canvas, at, (legend, value), lit=lit)
    draw_presses(canvas, jpot=True)


def _words(
    canvas: Canvas, seen: Observation, facts: CabinetFacts, poker: PokerFacts, look: ScreenTraits
) -> None:
    x, y = WORDS_AT
    faults = " ".join(each.value for each in seen.faults)
    draw_word(canvas, (x, y), look.say(terminal_texts.FAULTS), faults, "class:fault")
    money = list(poker.about_money)
    while len("  ".join(money)) > MONEY_WIDTH:
        del money[0]  # the older pots: the one that is counted stays
    canvas.put(x, y + 1, "  ".join(money), "class:accounts")
    refused = seen.refused.value if seen.refused else ""
    name = look.say(terminal_texts.REFUSED)
    draw_word(canvas, (REFUSED_AT, y + 1), name, refused, "class:fault")
    if facts.decks is not None:
        name = look.say(terminal_texts.SHUFFLER)
        draw_word(canvas, (x, y + 2), name, _describe(facts.decks, look), "class:accounts")
        lit = seen.ready_light
        word, style = ("[*GREEN*]", "class:green") if lit else ("[ GREEN ]", "class:button")
        canvas.put(WIDTH - 11, y + 2, word, style)


def _describe(decks: ShufflerDecks, look: ScreenTraits) -> str:
    places = (
        (terminal_texts.PREPARED, decks.prepared, decks.prepared_cards),
        (terminal_texts.BEHIND, decks.behind, decks.behind_cards),
        (terminal_texts.IN_PLAY, decks.playing, decks.left),
    )
    words = [
        f"{look.say(place)} {look.say(BACKS[back]).lower()} {cards}"
        for place, back, cards in places
        if back
    ]
    return "  ".join([*words, look.say(terminal_texts.JAMMED)] if decks.jammed else words)
