"""The floor manager's declarations in words (docs/rules.md, section 4)."""

from collections.abc import Callable, Mapping

from console.rules.acts import (
    CardAnnulled,
    CoupVoid,
    CoupWithoutStakes,
    DeckReplaced,
    Declaration,
    HandVoid,
    LastHands,
    RoundVoid,
    ShoeReplaced,
    TrayCounted,
)
from console.rules.typed.lines import LineError, number_in
from console.rules.typed.poker_declarations import ABOUT_POKER
from devices.roles import SEATS


def parse_declaration(words: list[str], who: str) -> Declaration:
    """Parse a declaration such as `hand-void 3 returned` by `who`. Raises LineError."""
    name = words[0] if words else ""
    if name not in DECLARATIONS:
        known = ", ".join(DECLARATIONS)
        raise LineError(f"no declaration {' '.join(words)!r}; there are {known}")
    return DECLARATIONS[name](words[1:], who)


def seats_of(words: list[str]) -> tuple[int, ...]:
    """Parse seats: numbers from 1 to 7, or `none`. Raises LineError."""
    if words == ["none"]:
        return ()
    numbers = {str(seat): seat for seat in SEATS}
    if not words or any(word not in numbers for word in words):
        raise LineError(f"seats are numbers from 1 to 7, or none; not {' '.join(words)!r}")
    return tuple(numbers[word] for word in words)


def _hand_void(words: list[str], who: str) -> Declaration:
    returned = words[1:] == ["returned"]
    seats = seats_of(words[:1])
    if len(seats) != 1 or (len(words) > 1 and not returned):
        raise LineError("write 'declare hand-void SEAT' or 'declare hand-void SEAT returned'")
    return HandVoid(seats[0], returned, who)


def _last_hands(words: list[str], who: str) -> Declaration:
    right = "write 'declare last-hands 3', with a number from 1 to 99"
    hands = number_in(words, right, most=99)
    if hands == 0:
        raise LineError(right)
    return LastHands(hands, who)


def _tray(words: list[str], who: str) -> Declaration:
    right = "write 'declare tray N', the tokens counted by hand"
    return TrayCounted(number_in(words, right, most=999_999), who)


def _alone(name: str, declaration: Callable[[str], Declaration]) -> "_Parse":
    def parse(words: list[str], who: str) -> Declaration:
        if words:
            raise LineError(f"write 'declare {name}' alone")
        return declaration(who)

    return parse


_Parse = Callable[[list[str], str], Declaration]

ABOUT_ROUNDS: Mapping[str, _Parse] = {
    "hand-void": _hand_void,
    "round-void": _alone("round-void", RoundVoid),
    "last-hands": _last_hands,
    "tray": _tray,
}

ABOUT_CARDS: Mapping[str, _Parse] = {
    "deck-replaced": _alone("deck-replaced", DeckReplaced),
    "coup-void": _alone("coup-void", CoupVoid),
    "coup-without-stakes": _alone("coup-without-stakes", CoupWithoutStakes),
    "card-annulled": _alone("card-annulled", CardAnnulled),
    "shoe-replaced": _alone("shoe-replaced", ShoeReplaced),
}

DECLARATIONS: Mapping[str, _Parse] = {**ABOUT_ROUNDS, **ABOUT_CARDS, **ABOUT_POKER}
