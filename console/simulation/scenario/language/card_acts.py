"""What people do to shuffler and shoe, as a scenario's acts (docs/reference/scenarios.md)."""

import re
from collections.abc import Callable, Mapping

from msgspec import Struct

from console.rules.games import Game, ShufflerKind
from console.rules.round.drawing_rule import RANKS, SUITS
from console.rules.typed import LineError, number_in, one_of
from devices.card_reports import Back, Card, Place
from jackpot.foreign_text import quote

MOST_CARDS = 999
FULL_SHOE, BURNT = 312, 5


class LoadDeck(Struct, frozen=True):
    """A deck is put into the shuffler. `cards`: how many are in it; None: a complete deck."""

    back: Back
    cards: int | None = None


class TakePackets(Struct, frozen=True):
    """The croupier takes the next packet, `packets` times."""

    packets: int


class UnloadDeck(Struct, frozen=True):
    """The shuffler gives out the rest of the deck in play, or the prepared deck."""


class PassOverShuffle(Struct, frozen=True):
    """The shuffle that is under way ends at once: in a simulation nobody has to wait for it."""


class LoadShoe(Struct, frozen=True):
    """The shoe is filled."""

    cards: int = FULL_SHOE


class BurnCards(Struct, frozen=True):
    """Cards are burnt at the shoe."""

    cards: int = BURNT


class DrawCards(Struct, frozen=True):
    """Cards leave the shoe one after another. None: any card. `place`: who gets the card."""

    cards: tuple[Card | None, ...]
    place: Place | None = None


class DrawCutCard(Struct, frozen=True):
    """The cut card comes out of the shoe."""


CardAct = (
    LoadDeck
    | TakePackets
    | UnloadDeck
    | PassOverShuffle
    | LoadShoe
    | BurnCards
    | DrawCards
    | DrawCutCard
)


def parse_card_act(words: list[str], game: Game) -> CardAct:
    """Parse an act at the shuffler or the shoe. Raises LineError."""
    verb, arguments = words[0], words[1:]
    fitted = game.shuffler if verb in ("deck", "packet") else game.shoe
    if fitted is None:
        part = "shuffler" if verb in ("deck", "packet") else "shoe"
        raise LineError(f"{game.name} has no {part}")
    if verb == "packet" and game.shuffler is ShufflerKind.DECK:
        raise LineError("a deck shuffler gives out whole decks, which are taken at once")
    return CARD_ACTS[verb](arguments, game)


def _deck(words: list[str], _: Game) -> CardAct:
    match words:
        case ["load", back]:
            return LoadDeck(one_of([back], BACKS, "a deck's back"))
        case ["load", back, number]:
            return LoadDeck(one_of([back], BACKS, "a deck's back"), _count(number))
        case ["unload"]:
            return UnloadDeck()
        case ["ready"]:
            return PassOverShuffle()
    raise LineError("write 'deck load red', 'deck load blue 51', 'deck unload' or 'deck ready'")


def _packet(words: list[str], _: Game) -> CardAct:
    match words:
        case ["take"]:
            return TakePackets(1)
        case ["take", number]:
            return TakePackets(_count(number))
    raise LineError("write 'packet take' or 'packet take N'")


def _shoe(words: list[str], _: Game) -> CardAct:
    match words:
        case ["load"]:
            return LoadShoe()
        case ["load", number]:
            return LoadShoe(_count(number))
        case ["burn"]:
            return BurnCards()
        case ["burn", number]:
            return BurnCards(_count(number))
    raise LineError("write 'shoe load', 'shoe load N', 'shoe burn' or 'shoe burn N'")


def _draw(words: list[str], game: Game) -> CardAct:
    if words[:1] == ["to"]:
        if not game.reads_coup:
            raise LineError(f"the shoe of {game.name} gives cards to no place")
        match words[1:]:
            case [place, card]:
                to = one_of([place], PLACES, "a place")
                return DrawCards((_card(card),), to)
        raise LineError("write 'draw to PUNTO 9H' or 'draw to BANCO 9H'")
    return DrawCards(tuple(_card(word) for word in words) or (None,))


def _cut_card(words: list[str], _: Game) -> CardAct:
    if words:
        raise LineError("write 'cut-card' alone")
    return DrawCutCard()


def _card(word: str) -> Card:
    name = word.upper()
    if re.fullmatch(f"[{RANKS}][{SUITS}]", name) is None:
        raise LineError(
            f"a card is a rank of {RANKS} and a suit of {SUITS}, as TD; not {quote(word)}"
        )
    return Card(name)


def _count(word: str) -> int:
    return number_in([word], f"a number from 0 to {MOST_CARDS}; not {quote(word)}", most=MOST_CARDS)


BACKS = {back.value: back for back in Back}
PLACES = {place.value.lower(): place for place in Place}

CARD_ACTS: Mapping[str, Callable[[list[str], Game], CardAct]] = {
    "deck": _deck,
    "packet": _packet,
    "shoe": _shoe,
    "draw": _draw,
    "cut-card": _cut_card,
}
