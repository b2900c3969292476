"""What can be typed at a simulated cabinet: its help, and the completion of lines."""

import textwrap
from collections.abc import Callable, Iterable, Mapping

from console.rules.codes import Fault, Phase, Refusal
from console.rules.games import GAMES, GameKind
from console.simulation.scenario.acts import (
    BACKS,
    CABINET_ACTS,
    CARD_ACTS,
    DOOR,
    DOOR_MOVES,
    DOORS,
    KEY_POSITIONS,
    SeatVerb,
    Vocabulary,
    parse_act,
)
from console.simulation.scenario.expectations import KNOWN
from console.texts.declarations.lines import list_declarations, list_following, list_rows
from devices.card_reports import Place
from devices.device import Device
from devices.roles import SEATS

HELP = """\
press BUTTON               COIN_IN GAME_OVER JPOT GREEN, or a combination
key R | JPL | JPH | S      turn the key; `key between`: no contact closed
token SEATS                put a token in; `take SEATS`: take it back
cover SEATS                lay a card over the slot; `uncover SEATS`
jam SEATS                  the token does not drop; `unjam SEATS`
deck load red | blue [N]   into the shuffler; `deck unload`, `deck ready`
packet take [N]            the croupier takes the next packet
shoe load [N]              fill the shoe; `shoe burn [N]`
draw [CARD...]             such as AS TD; `draw to BANCO 9H`: right or wrong
cut-card                   the cut card comes out of the shoe
inspector here | away      power off | on: the plug of the whole table
unplug DEVICE, plug DEVICE rail, display, panel, shuffler, shoe
disk full | ok             wait 300ms | 2s | 5m | 1h
{declarations}
clear FAULT                the key must be at S
expect WHAT VALUE          phase, slots, seats, lamps, jackpot, refused, ...

( ) dark   (~) invites   (*) on   (!) alerts   a lit combination: * *
Tab completes, Up recalls, F1 hides this; Ctrl-C ends a wait, or a line
half typed; `quit` or Ctrl-D leaves"""

DOOR_HELP = "door open | shut [logic]   the cabinet's, or the logic area's; `door reset`"

HELP_WIDTH = 78
UNBROKEN = "\N{NO-BREAK SPACE}"

COMMANDS = ("help", "quit")
NUMBERS = tuple(str(seat) for seat in SEATS)

POKER_HELP = """\
press HAND                 a hand begins; in it: misdeal, or the new deal
press FEWER | MORE         one player fewer or more, between hands
press DEALER | DECK | TIME a new dealer; deck changed; call of time, its end
press GREEN                the deck shuffler: a whole deck, a hand begins
press FLOP | TURN | RIVER  a street is out; once more: taken back
press JPOT                 count the pot; then the next side pot
press CHIP_1 ... CHIP_5    enter a chip; COIN_IN takes it back
press GAME_OVER            open; end a hand, take its rake; COIN_IN: close
{declarations}
key R | JPL | JPH | S      turn the key; `key between`: no contact closed
deck load red | blue [N]   into the deck shuffler; `deck ready`: shuffled
inspector here | away      power off | on: the plug of the whole table
unplug DEVICE, plug DEVICE panel, display, shuffler
disk full | ok             wait 300ms | 2s | 5m | 1h
clear FAULT                the key must be at S
expect WHAT VALUE          phase, hand, street, clock, rake, refused, ...
Tab completes, Up recalls, F1 hides this; Ctrl-C ends a wait, or a line
half typed; `quit` or Ctrl-D leaves"""


def help_of(vocabulary: Vocabulary) -> str:
    """What can be typed at this table."""
    at_poker = GAMES[vocabulary.game].kind is GameKind.POKER
    rows = list_rows(vocabulary.fitted, vocabulary.poker, doors=vocabulary.doors)
    usages = [row.usage for row in rows]
    unbroken = " | ".join(usage.replace(" ", UNBROKEN) for usage in usages)
    lines = textwrap.wrap(
        f"declare {unbroken}", HELP_WIDTH, subsequent_indent="  ", break_on_hyphens=False
    )
    if vocabulary.doors:
        lines.insert(0, DOOR_HELP)
    declarations = "\n".join(lines).replace(UNBROKEN, " ")
    return (POKER_HELP if at_poker else HELP).format(declarations=declarations)


Choices = Iterable[str]
NextWord = Callable[[list[str], Vocabulary], Choices]
"""From the words after the verb to the choices for the next word."""


def complete_line(begun: str, vocabulary: Vocabulary) -> tuple[str, list[str]]:
    """The text that certainly follows a half-typed line, and the choices for its last word.

    Names are not case-sensitive; what is already typed stays as it is.
    """
    *words, last = begun.lower().split(" ")
    following = _next([word for word in words if word], vocabulary)
    choices = [word for word in following if word.lower().startswith(last)]
    certain = _common_start(choices) + (" " if len(choices) == 1 else "")
    return certain[len(last) :], choices


def _common_start(words: list[str]) -> str:
    start = min(words, key=len, default="")
    while not all(word.startswith(start) for word in words):
        start = start[:-1]
    return start


def _next(words: list[str], vocabulary: Vocabulary) -> Choices:
    if not words:
        cards = [verb for verb in CARD_ACTS if _is_accepted(CARD_LINES[verb], vocabulary)]
        doors = [DOOR] if vocabulary.doors else []
        return [*CABINET_ACTS, *doors, *cards, "expect", *COMMANDS]
    next_word = NEXT_WORDS.get(words[0])
    return next_word(words[1:], vocabulary) if next_word else ()


def _once(choices: Callable[[Vocabulary], Choices]) -> NextWord:
    return lambda words, vocabulary: () if words else choices(vocabulary)


def _seats(words: list[str], _: Vocabulary) -> Choices:
    return [seat for seat in NUMBERS if seat not in words]


def _upper(names: Iterable[str]) -> list[str]:
    return [name.upper() for name in names]


def _buttons(vocabulary: Vocabulary) -> Choices:
    green = ["GREEN"] if _is_accepted("press green", vocabulary) else []
    return [*_upper(vocabulary.buttons), *green]


def _devices(vocabulary: Vocabulary) -> Choices:
    names = (device.value for device in Device)
    return [name for name in names if _is_accepted(f"plug {name}", vocabulary)]


def _is_accepted(line: str, vocabulary: Vocabulary) -> bool:
    """Whether a table of this game understands the line."""
    try:
        parse_act(line.split(), vocabulary)
    except ValueError:
        return False
    return True


def _deck(words: list[str], _: Vocabulary) -> Choices:
    return {(): ["load", "unload"], ("load",): BACKS}.get(tuple(words), ())


def _door(words: list[str], vocabulary: Vocabulary) -> Choices:
    if not vocabulary.doors or words == ["reset"]:
        return ()
    return {0: [*DOOR_MOVES, "reset"], 1: DOORS}.get(len(words), ())


def _draw(words: list[str], vocabulary: Vocabulary) -> Choices:
    if not GAMES[vocabulary.game].reads_coup:
        return ()
    return {(): ["to"], ("to",): [place.value for place in Place]}.get(tuple(words), ())


def _declare(words: list[str], vocabulary: Vocabulary) -> Choices:
    if words:
        return list_following(words)
    return list_declarations(vocabulary.fitted, vocabulary.poker, doors=vocabulary.doors)


def _expect(words: list[str], vocabulary: Vocabulary) -> Choices:
    match words:
        case []:
            return KNOWN
        case ["slots" | "seats" | "blinking", *seats]:
            return [*_seats(seats, vocabulary), "none"]
        case ["lamps", *_]:
            return [*_upper(vocabulary.combinations), "none"]
        case ["phase"]:
            return [phase.value for phase in Phase]
        case ["refused"]:
            return [*(refusal.value for refusal in Refusal), "none"]
        case ["fault"]:
            return [*(fault.value for fault in Fault), "none"]
        case [what]:
            return CARD_VALUES.get(what, ())
    return ()


CARD_LINES = {
    "deck": "deck unload",
    "packet": "packet take",
    "shoe": "shoe load",
    "draw": "draw",
    "cut-card": "cut-card",
}
"""For each verb about cards a line that every table with that part understands."""

CARD_VALUES: Mapping[str, Choices] = {
    "shuffler": ("EMPTY", "SHUFFLING", "READY", "DEALING", "FAULT"),
    "green": ("on", "off"),
    "last-coup": ("yes", "no"),
    "next": ("PUNTO", "BANCO", "none"),
    "result": ("PUNTO", "BANCO", "EGALITE", "VOID", "none"),
}


NEXT_WORDS: Mapping[str, NextWord] = {
    "press": _once(_buttons),
    "key": _once(lambda _: [name if name == "between" else name.upper() for name in KEY_POSITIONS]),
    **{verb.value: _seats for verb in SeatVerb},
    "deck": _deck,
    "packet": _once(lambda _: ["take"]),
    "shoe": _once(lambda _: ["load", "burn"]),
    "draw": _draw,
    "inspector": _once(lambda _: ["here", "away"]),
    DOOR: _door,
    "power": _once(lambda _: ["on", "off"]),
    "unplug": _once(_devices),
    "plug": _once(_devices),
    "disk": _once(lambda _: ["full", "ok"]),
    "wait": _once(lambda _: ["300ms", "2s", "5m", "1h"]),
    "declare": _declare,
    "clear": _once(lambda _: [fault.value for fault in Fault]),
    "expect": _expect,
}
