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
from console.rules.games import Game, GameKind
from console.rules.typed.lines import LineError, number_in, parse_alone
from console.rules.typed.poker_declarations import ABOUT_POKER, FOLLOWING
from devices.roles import SEATS
from jackpot.foreign_text import quote


def parse_declaration(words: list[str], who: str) -> Declaration:
    """Parse a declaration such as `hand-void 3 returned` by `who`. Raises LineError."""
    name = words[0] if words else ""
    if name not in DECLARATIONS:
        known = ", ".join(DECLARATIONS)
        raise LineError(f"no declaration {quote(' '.join(words))}; there are {known}")
    return DECLARATIONS[name](words[1:], who)


def seats_of(words: list[str]) -> tuple[int, ...]:
    """Parse seats: numbers from 1 to 7, or `none`. Raises LineError."""
    if words == ["none"]:
        return ()
    numbers = {str(seat): seat for seat in SEATS}
    if not words or any(word not in numbers for word in words):
        raise LineError(f"seats are numbers from 1 to 7, or none; not {quote(' '.join(words))}")
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


_Parse = Callable[[list[str], str], Declaration]

ABOUT_ROUNDS: Mapping[str, _Parse] = {
    "hand-void": _hand_void,
    "round-void": parse_alone("round-void", RoundVoid),
    "last-hands": _last_hands,
    "tray": _tray,
}

ABOUT_CARDS: Mapping[str, _Parse] = {
    "deck-replaced": parse_alone("deck-replaced", DeckReplaced),
    "coup-void": parse_alone("coup-void", CoupVoid),
    "coup-without-stakes": parse_alone("coup-without-stakes", CoupWithoutStakes),
    "card-annulled": parse_alone("card-annulled", CardAnnulled),
    "shoe-replaced": parse_alone("shoe-replaced", ShoeReplaced),
}

DECLARATIONS: Mapping[str, _Parse] = {**ABOUT_ROUNDS, **ABOUT_CARDS, **ABOUT_POKER}

AT_POKER = ("round-void", "last-hands", *ABOUT_POKER)


def list_declarations(game: Game) -> tuple[str, ...]:
    """The names of those that a table of this game has a use for."""
    if game.kind is GameKind.POKER:
        return AT_POKER
    fitted = {"deck": game.shuffler, "shoe": game.shoe, "coup": game.shoe, "card": game.shoe}
    about_cards = (name for name in ABOUT_CARDS if fitted[name.partition("-")[0]])
    return (*ABOUT_ROUNDS, *about_cards)


def list_following(words: list[str]) -> tuple[str, ...]:
    """The words that may follow a declaration that is half written, its name first."""
    match words:
        case ["hand-void"]:
            return tuple(map(str, SEATS))
        case ["hand-void", _]:
            return ("returned",)
        case [name]:
            return FOLLOWING.get(name, ())
    return ()
