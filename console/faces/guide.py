"""What can be typed at a simulated cabinet: help, and how a line begun can go on."""

from collections.abc import Callable, Iterable, Mapping

from console.codes import Fault, Phase, Refusal
from console.deeds import DECLARATIONS, DEEDS, KEY_POSITIONS, SeatVerb, Vocabulary, parse_deed
from console.expectations import KNOWN
from devices.roles import SEATS, Device

HELP = """\
press BUTTON               COIN_IN GAME_OVER JPOT, or a combination
key R | JPL | JPH | S      turn the key; `key between`: no contact closed
token SEATS                put a token in; `take SEATS`: take it back
cover SEATS                lay a card over the slot; `uncover SEATS`
jam SEATS                  the token does not drop; `unjam SEATS`
inspector here | away
power off | on             the plug of the whole table
unplug rail | display | panel, plug ...
disk full | ok
wait 300ms | 2s | 5m | 1h
declare hand-void SEAT [returned] | round-void | last-hands N | tray N
clear FAULT                the key must be at S
expect WHAT VALUE          phase, slots, seats, lamps, jackpot, refused, ...

( ) dark   (~) invites   (*) on   (!) alerts   a lit combination: * *
Tab completes, Up recalls, F1 hides this, `quit` or Ctrl-D leaves"""

COMMANDS = ("help", "quit")
NUMBERS = tuple(str(seat) for seat in SEATS)

Choices = Iterable[str]
Going = Callable[[list[str], Vocabulary], Choices]
"""From the words after the verb to what the next one may be."""


def completed(begun: str, vocabulary: Vocabulary) -> tuple[str, list[str]]:
    """What is certain to follow a line begun, and what its last word may become.

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
        return [*DEEDS, "expect", *COMMANDS]
    going = GOING.get(words[0])
    return going(words[1:], vocabulary) if going else ()


def _once(choices: Callable[[Vocabulary], Choices]) -> Going:
    return lambda words, vocabulary: () if words else choices(vocabulary)


def _seats(words: list[str], _: Vocabulary) -> Choices:
    return [seat for seat in NUMBERS if seat not in words]


def _upper(names: Iterable[str]) -> list[str]:
    return [name.upper() for name in names]


def _devices(vocabulary: Vocabulary) -> Choices:
    return [device.value for device in Device if _has(device, vocabulary)]


def _has(device: Device, vocabulary: Vocabulary) -> bool:
    """Whether a table of this game has it: the act itself knows."""
    try:
        parse_deed(["plug", device.value], vocabulary)
    except ValueError:
        return False
    return True


def _declare(words: list[str], _: Vocabulary) -> Choices:
    match words:
        case []:
            return DECLARATIONS
        case ["hand-void"]:
            return NUMBERS
        case ["hand-void", _]:
            return ["returned"]
    return ()


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
    return ()


GOING: Mapping[str, Going] = {
    "press": _once(lambda vocabulary: _upper(vocabulary.buttons)),
    "key": _once(lambda _: [name if name == "between" else name.upper() for name in KEY_POSITIONS]),
    **{verb.value: _seats for verb in SeatVerb},
    "inspector": _once(lambda _: ["here", "away"]),
    "power": _once(lambda _: ["on", "off"]),
    "unplug": _once(_devices),
    "plug": _once(_devices),
    "disk": _once(lambda _: ["full", "ok"]),
    "wait": _once(lambda _: ["300ms", "2s", "5m", "1h"]),
    "declare": _declare,
    "clear": _once(lambda _: [fault.value for fault in Fault]),
    "expect": _expect,
}
