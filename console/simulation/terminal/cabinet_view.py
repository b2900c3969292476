"""The cabinet as a picture of characters, seen from the croupier's place: pure.

It is painted piece by piece on a grid and read as styled text. Every lamp can be recognised without
colour; colours are names to which a screen gives a style.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from console.rules.codes import Phase
from console.rules.observation import Observation
from console.simulation.scenario.cabinet_facts import CabinetFacts
from console.texts import terminal_texts
from console.texts.display import TEXTS
from console.texts.language import Language, Words
from console.texts.record_vocabulary import DEVICES
from console.texts.table_texts import (
    ACCOUNTS,
    MAX,
    NOT_KNOWN,
    PHASES,
    TableNames,
    combination_words,
)
from devices.device import Device
from devices.roles import SEATS, KeyPosition, Lamp
from jackpot.money.accounts import Account
from jackpot.money.amounts import parse_signed_cents
from jackpot.money.awards import Award

Fragments = list[tuple[str, str]]
"""(style, text) pairs, as a full-screen application shows them."""

BLANK = ("", " ")

WIDTH, HEIGHT = 78, 19

LAMPS = {Lamp.DARK: "( )", Lamp.INVITE: "(~)", Lamp.ON: "(*)", Lamp.ALERT: "(!)"}
HALF_PERIOD_MS = {Lamp.INVITE: 1200, Lamp.ALERT: 200}

SEAT_AT = {1: (6, 6), 2: (14, 4), 3: (26, 2), 4: (39, 1), 5: (52, 2), 6: (64, 4), 7: (72, 6)}
"""A seat's middle column and first row."""

DISPLAY_AT, TRAY_AT, PANEL_AT, WORDS_AT = (27, 5), (21, 7), (0, 9), (1, 16)
REFUSED_AT = 52
COMBINATION_STEP, COMBINATION_WIDTH = 15, 14
KEY_AT = {
    KeyPosition.R: (65, 0),
    KeyPosition.JPL: (60, 1),
    KeyPosition.JPH: (68, 1),
    KeyPosition.S: (74, 1),
}
"""On the panel, as its selector has them: R up, JPL left, JPH right, S further right."""

BOX, ASCII_BOX = "┌┐└┘─│", "++++-|"


class Canvas:
    """A grid of `width` x `height` characters; what is painted beyond its edges is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self._width = width
        self._rows = [[BLANK] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """Paint from column x of row y to the right."""
        for column, character in enumerate(text, start=x):
            if 0 <= column < self._width and 0 <= y < len(self._rows):
                self._rows[y][column] = (style, character)

    def centre(self, x: int, y: int, text: str, style: str = "") -> None:
        """Paint with the text's middle at column x."""
        self.put(x - len(text) // 2, y, text, style)

    def frame(self, x: int, y: int, size: tuple[int, int], line: str, style: str = "") -> None:
        """Paint a box of (columns, rows); `line`: four corners, horizontal, vertical: `++++-|`."""
        width, height = size
        self.put(x, y, line[0] + line[4] * (width - 2) + line[1], style)
        self.put(x, y + height - 1, line[2] + line[4] * (width - 2) + line[3], style)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, line[5], style)
            self.put(x + width - 1, row, line[5], style)

    def fragments(self, width: int) -> Fragments:
        """The rows one below the other, in the middle of `width` columns, or what fits in them."""
        margin = " " * ((width - self._width) // 2)
        result: Fragments = []
        for row in self._rows:
            result.append(("", margin))
            result.extend(_runs(row[:width]))
            result.append(("", "\n"))
        return result[:-1]


def _runs(row: Sequence[tuple[str, str]]) -> Fragments:
    return [
        (style, "".join(character for _, character in cells))
        for style, cells in groupby(row, key=lambda cell: cell[0])
    ]


class ScreenTraits(Struct, frozen=True):
    """The terminal: columns, whether it shows Unicode; the time, which lamps blink by; language.

    `names`: what the table calls its combinations.
    """

    width: int = WIDTH
    unicode: bool = True
    now_ms: int = 0
    language: Language = Language.EN
    names: TableNames = NOT_KNOWN

    def say(self, words: Words, *values: object) -> str:
        """The words in the table's language."""
        return words.fill(*values).in_(self.language)

    def write_cents(self, cents: int) -> str:
        """An amount as the table's display has it: `9.804,12`."""
        return TEXTS[self.language].number(cents)

    @property
    def box(self) -> str:
        """The characters that boxes are drawn with."""
        return BOX if self.unicode else ASCII_BOX

    def lamp_style(self, lamp: Lamp) -> str:
        """A lamp's style now: pulsing and blinking lamps are dim half of the time."""
        half = HALF_PERIOD_MS.get(lamp)
        dim = half is not None and self.now_ms // half % 2 == 1
        return f"class:lamp.{lamp.value.lower()}{'.dim' if dim else ''}"


def draw(seen: Observation, facts: CabinetFacts, look: ScreenTraits) -> Fragments:
    """The banner, and below it WIDTH x HEIGHT characters in the middle of the width."""
    canvas = Canvas(WIDTH, HEIGHT)
    draw_header(canvas, seen, facts, look)
    if facts.combinations:
        for seat in SEATS:
            _seat(canvas, seat, seen, facts, look)
    if facts.tray is not None:
        canvas.centre(*TRAY_AT, look.say(terminal_texts.TRAY, facts.tray), "class:label")
    draw_display(canvas, seen, look)
    _panel(canvas, seen, facts, look)
    _words(canvas, seen, look)
    return below_banner(canvas, look)


def below_banner(canvas: Canvas, look: ScreenTraits) -> Fragments:
    """The banner over the whole width, and the painted canvas below it."""
    banner = ("class:banner", look.say(terminal_texts.BANNER).center(look.width))
    return [banner, ("", "\n"), *canvas.fragments(look.width)]


def draw_header(
    canvas: Canvas,
    seen: Observation,
    facts: CabinetFacts,
    look: ScreenTraits,
    phases: Mapping[Phase, Words] = PHASES,
) -> None:
    """The game, its phase, and what is wrong with the cabinet."""
    canvas.put(1, 0, facts.game, "class:label")
    phase = seen.phase.value
    if look.language is not Language.EN:
        phase = phases[seen.phase].in_(look.language).upper()
    canvas.put(WIDTH // 2 - 12, 0, phase, "class:phase")
    notes = [] if facts.powered else [look.say(terminal_texts.POWER_OFF)]
    notes += [look.say(terminal_texts.DISK_FULL)] if facts.disk_full else []
    notes += [look.say(terminal_texts.INSPECTOR_HERE)] if facts.inspector else []
    notes += [
        look.say(terminal_texts.UNPLUGGED, DEVICES[device.value].in_(look.language))
        for device in Device
        if device in facts.unplugged
    ]
    text = ", ".join(notes)
    canvas.put(WIDTH - 1 - len(text), 0, text, "class:note")


def _seat(
    canvas: Canvas, seat: int, seen: Observation, facts: CabinetFacts, look: ScreenTraits
) -> None:
    x, y = SEAT_AT[seat]
    lamp = seen.slots.get(seat, Lamp.DARK)
    canvas.centre(
        x, y, look.say(terminal_texts.JAM, seat) if seat in facts.jams else str(seat), "class:label"
    )
    canvas.centre(x, y + 1, LAMPS[lamp], look.lamp_style(lamp))
    canvas.centre(x, y + 2, _lying(seat, facts, look), "class:token")


def _lying(seat: int, facts: CabinetFacts, look: ScreenTraits) -> str:
    things = [(terminal_texts.TOKEN, facts.tokens), (terminal_texts.CARD, facts.cards)]
    return "+".join(look.say(name) for name, seats in things if seat in seats) or "-"


def draw_display(canvas: Canvas, seen: Observation, look: ScreenTraits) -> None:
    """The display and its two lines."""
    x, y = DISPLAY_AT
    canvas.frame(x, y, (24, 4), look.box, "class:frame")
    for row, text in enumerate(seen.display, start=y + 1):
        canvas.put(x + 1, row, f" {text:20} ", "class:display")
    if seen.at_limit and seen.link:
        canvas.put(x + 25, y + 2, MAX, "class:label")


def _panel(canvas: Canvas, seen: Observation, facts: CabinetFacts, look: ScreenTraits) -> None:
    _, y = PANEL_AT
    draw_panel_frame(canvas, look)
    for seat in SEATS:
        lamp = seen.seats.get(seat, Lamp.DARK)
        canvas.put(7 * seat - 4, y + 1, str(seat), "class:label")
        canvas.put(7 * seat - 2, y + 1, LAMPS[lamp], look.lamp_style(lamp))
    draw_key(canvas, facts, look)
    for number, name in enumerate(facts.combinations):
        first, _, second = name.rpartition("_")
        at = (2 + COMBINATION_STEP * number, y + 3)
        draw_lit_button(canvas, at, (first.replace("_", " "), second), lit=name in seen.lamps)
    draw_presses(canvas, jpot=bool(facts.combinations))


def draw_panel_frame(canvas: Canvas, look: ScreenTraits) -> None:
    """The edges of the dealer panel."""
    x, y = PANEL_AT
    canvas.frame(x, y, (WIDTH, 7), look.box, "class:frame")
    canvas.put(x + 2, y, f" {look.say(terminal_texts.PANEL)} ", "class:label")


def draw_presses(canvas: Canvas, *, jpot: bool) -> None:
    """The buttons without a lamp."""
    _, y = PANEL_AT
    canvas.put(2, y + 5, "[ COIN IN ]", "class:button")
    if jpot:
        canvas.centre(WIDTH // 2, y + 5, "[ JPOT ]", "class:button")
    canvas.put(WIDTH - 15, y + 5, "[ GAME OVER ]", "class:button")


def draw_key(canvas: Canvas, facts: CabinetFacts, look: ScreenTraits) -> None:
    """The key's four positions, and where it stands."""
    _, y = PANEL_AT
    canvas.put(55, y + 1, look.say(terminal_texts.KEY), "class:label")
    for position, (x, row) in KEY_AT.items():
        here = position is facts.key
        text = f"[{position.value}]" if here else f" {position.value} "
        canvas.put(x, y + 1 + row, text, "class:key" if here else "class:label")
    if facts.key is None:
        canvas.put(68, y + 1, look.say(terminal_texts.BETWEEN), "class:key")


def draw_lit_button(
    canvas: Canvas, at: tuple[int, int], lines: tuple[str, str], *, lit: bool
) -> None:
    """A button of two lines; a lit one has stars at its sides."""
    x, y = at
    side = "*" if lit else " "
    for row, words in enumerate(lines):
        text = f"{side}{words:^{COMBINATION_WIDTH - 2}}{side}"
        canvas.put(x, y + row, text, "class:button.lit" if lit else "class:button")


def _words(canvas: Canvas, seen: Observation, look: ScreenTraits) -> None:
    x, y = WORDS_AT
    faults = " ".join(fault.value for fault in seen.faults)
    draw_word(canvas, (x, y), look.say(terminal_texts.FAULTS), faults, "class:fault")
    name = look.say(terminal_texts.PENDING)
    pending = _describe_award(seen.award, look) if seen.award is not None else ""
    draw_word(canvas, (x, y + 1), name, pending, "class:award")
    refused = seen.refused.value if seen.refused else ""
    beside = max(REFUSED_AT, x + len(name) + 1 + len(pending) + 2)
    draw_word(canvas, (beside, y + 1), look.say(terminal_texts.REFUSED), refused, "class:fault")
    canvas.put(x, y + 2, _describe_accounts(seen, look), "class:accounts")


def _describe_award(award: Award, look: ScreenTraits) -> str:
    """What each winner gets; with envy in short, as the display has it."""
    name = combination_words(award.combination, look.language, look.names).upper()
    each = look.write_cents(award.each)
    if award.envy is None:
        return look.say(terminal_texts.EACH, name, award.winners, each)
    envy = f"ENVY x{award.envy.seats} {look.write_cents(award.envy.each)}"
    return f"{name} x{award.winners} {each}  {envy}"


def _describe_accounts(seen: Observation, look: ScreenTraits) -> str:
    """`jackpot 9.804,12  riserva 0,60`; closer together where the amounts are large.

    `MAX` behind a jackpot that has reached its limit; of a linked one it stands at the display.
    """
    words = []
    for name, text in seen.accounts.items():
        amount, account = parse_signed_cents(text), Account(name)
        words.append(f"{look.say(ACCOUNTS[account])} {look.write_cents(amount)}")
        if account is Account.JACKPOT and seen.at_limit and not seen.link:
            words[-1] += f" {MAX}"
    text = "  ".join(words)
    return text if len(text) < WIDTH else " ".join(words)


def draw_word(canvas: Canvas, at: tuple[int, int], name: str, text: str, style: str) -> None:
    """A name, and after it the text, or `-` if there is none."""
    x, y = at
    canvas.put(x, y, name, "class:label")
    canvas.put(x + len(name) + 1, y, text or "-", style if text else "class:label")
