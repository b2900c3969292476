"""What people do to a cabinet, shuffler and shoe, as a scenario's acts.

See docs/reference/scenarios.md.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Self

from msgspec import UNSET, Struct

from console.rules.acts import Declaration
from console.rules.codes import Duty, Fault
from console.rules.games import GAMES, Game, ShufflerKind
from console.rules.poker_settings import PokerSettings
from console.rules.round.drawing_rule import RANKS, SUITS
from console.rules.settings import fit_game
from console.rules.typed import (
    LineError,
    number_in,
    one_of,
    parse_duration,
    seats_of,
)
from console.texts.declarations.lines import check_declared_at, parse_declaration
from devices.card_reports import Back, Card, Place
from devices.device import Device
from devices.door_reports import DoorContact
from devices.roles import COMBINATION_BUTTONS, Button, KeyPosition
from jackpot.foreign_text import quote
from jackpot.money.prize_file import load_prizes
from jackpot.money.prizes import CombinationName, PrizeTable

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


MOST_STAKES = 7


class MoveLink(Struct, frozen=True):
    """The table's cable to the centre is put in or pulled."""

    plugged: bool


class OpenElsewhere(Struct, frozen=True):
    """The other table opens a round with so many stakes."""

    stakes: int = 1


class ClaimElsewhere(Struct, frozen=True):
    """The other table claims an award, or one winner more of it."""

    combination: CombinationName


class ElsewhereVerb(Enum):
    """What else the other table does."""

    AGREE = "agree"
    CANCEL = "cancel"
    CLOSE = "close"


class EndElsewhere(Struct, frozen=True):
    """The other table agrees to its award, cancels it, or closes its round."""

    verb: ElsewhereVerb


LinkedAct = MoveLink | OpenElsewhere | ClaimElsewhere | EndElsewhere


def parse_linked_act(words: list[str], vocabulary: "Vocabulary") -> LinkedAct:
    """Parse an act at the link. Raises LineError."""
    if not vocabulary.linked:
        raise LineError(f"{words[0]}: this table is not linked; begin with 'set link NAME'")
    return LINKED_ACTS[words[0]](words[1:], vocabulary)


def _link(words: list[str], _: "Vocabulary") -> LinkedAct:
    return MoveLink(one_of(words, {"on": True, "off": False}, "the link"))


def _elsewhere(words: list[str], vocabulary: "Vocabulary") -> LinkedAct:
    match words:
        case ["open"]:
            return OpenElsewhere()
        case ["open", number]:
            what = f"a number of stakes from 0 to {MOST_STAKES}"
            return OpenElsewhere(number_in([number], what, most=MOST_STAKES))
        case ["claim", name]:
            known = {word: word.upper() for word in vocabulary.combinations}
            return ClaimElsewhere(one_of([name], known, f"a combination of {vocabulary.game}"))
    verbs = {verb.value: verb for verb in ElsewhereVerb}
    if len(words) != 1 or words[0] not in verbs:
        raise LineError(
            "write 'elsewhere open', 'elsewhere open N', 'elsewhere claim COMBINATION', "
            "'elsewhere agree', 'elsewhere cancel' or 'elsewhere close'"
        )
    return EndElsewhere(verbs[words[0]])


LINKED_ACTS: Mapping[str, Callable[[list[str], "Vocabulary"], LinkedAct]] = {
    "link": _link,
    "elsewhere": _elsewhere,
}


class SeatVerb(Enum):
    """What is done at seats."""

    TOKEN = "token"
    TAKE = "take"
    COVER = "cover"
    UNCOVER = "uncover"
    JAM = "jam"
    UNJAM = "unjam"


class Press(Struct, frozen=True):
    """A button is pressed and released."""

    button: Button


class PressGreen(Struct, frozen=True):
    """The green button of the deck shuffler is pressed."""


class TurnKey(Struct, frozen=True):
    """The key is turned to a position; None: between two positions."""

    position: KeyPosition | None


class AtSeats(Struct, frozen=True):
    """The same act at several seats, one after the other."""

    verb: SeatVerb
    seats: tuple[int, ...]


class MoveInspector(Struct, frozen=True):
    """The inspector comes or goes."""

    here: bool


class MoveDoor(Struct, frozen=True):
    """A door is opened or shut; the latch can only be shut: it is reset by hand."""

    door: DoorContact
    opened: bool


class Power(Struct, frozen=True):
    """The cabinet's plug is put in or pulled."""

    on: bool


class MoveCable(Struct, frozen=True):
    """A device's cable is plugged or unplugged."""

    device: Device
    plugged: bool


class FillDisk(Struct, frozen=True):
    """The disk of the ledger is full, or has space again."""

    full: bool


class Wait(Struct, frozen=True):
    """Time passes, in milliseconds."""

    ms: int


class MakeDeclaration(Struct, frozen=True):
    """The floor manager declares something."""

    declaration: Declaration


class Clear(Struct, frozen=True):
    """The technician clears a fault."""

    fault: Fault


CabinetAct = (
    Press
    | PressGreen
    | TurnKey
    | AtSeats
    | MoveInspector
    | MoveDoor
    | Power
    | MoveCable
    | FillDisk
    | Wait
    | MakeDeclaration
    | Clear
    | CardAct
    | LinkedAct
)


class Vocabulary(Struct, frozen=True):
    """The names of a game's buttons; combinations are named by its prize table."""

    game: str
    buttons: Mapping[str, Button]
    linked: bool = False
    """Whether the table plays for a linked jackpot."""
    poker: PokerSettings | None = None
    """Of a poker table."""
    doors: bool = False
    """Whether its doors have contacts."""

    @classmethod
    def of(
        cls,
        game: str,
        *,
        linked: bool = False,
        poker: PokerSettings | None = None,
        prizes: PrizeTable | None = None,
        doors: bool = False,
    ) -> Self:
        """The vocabulary of a game, at a linked table or at any other; None: its own prizes."""
        buttons = {"coin_in": Button.COIN_IN, "game_over": Button.GAME_OVER}
        if GAMES[game].legends:
            buttons["jpot"] = Button.JPOT
            for button, legends in zip(COMBINATION_BUTTONS, GAMES[game].legends, strict=True):
                buttons.update(dict.fromkeys((name.lower() for name in legends), button))
        elif GAMES[game].progressive:
            names = [name.lower() for name in (prizes or load_prizes(game)).combinations]
            buttons["jpot"] = Button.JPOT
            buttons.update(zip(names, COMBINATION_BUTTONS, strict=False))
        return cls(game, buttons, linked, poker, doors)

    @property
    def fitted(self) -> Game:
        """The game, with the parts that this table has."""
        return fit_game(self.game, self.poker or UNSET)

    @property
    def combinations(self) -> Mapping[str, Button]:
        """The combinations' names and their buttons, from the left."""
        return {name: key for name, key in self.buttons.items() if key in COMBINATION_BUTTONS}

    def name_lamp(self, word: str) -> str:
        """The name of a button's lamp: the first one of its button."""
        button = self.buttons[word]
        return next(name for name, each in self.buttons.items() if each is button).upper()


def parse_act(words: list[str], vocabulary: Vocabulary) -> CabinetAct:
    """Parse an act. Raises LineError."""
    verb, arguments = words[0], words[1:]
    if verb == "set":
        raise LineError("settings come before the first act")
    if verb == DOOR:
        return _door(arguments, vocabulary)
    if verb in CARD_ACTS:
        return parse_card_act(words, vocabulary.fitted)
    if verb in LINKED_ACTS:
        return parse_linked_act(words, vocabulary)
    if verb not in CABINET_ACTS:
        known = ", ".join([*CABINET_ACTS, DOOR, *CARD_ACTS, *LINKED_ACTS])
        raise LineError(f"no act {quote(verb)}; there are {known}")
    return CABINET_ACTS[verb](arguments, vocabulary)


def _press(words: list[str], vocabulary: Vocabulary) -> CabinetAct:
    if words == ["green"] and "green" not in vocabulary.buttons:
        if vocabulary.fitted.shuffler is not ShufflerKind.DECK:
            raise LineError("GREEN is a deck shuffler's button, and there is none at this table")
        return PressGreen()
    return Press(one_of(words, vocabulary.buttons, f"a button of {vocabulary.game}"))


KEY_POSITIONS: Mapping[str, KeyPosition | None] = {
    **{position.value.lower(): position for position in KeyPosition},
    "between": None,
}


def _key(words: list[str], _: Vocabulary) -> CabinetAct:
    return TurnKey(one_of(words, KEY_POSITIONS, "the key's position"))


def _at_seats(verb: SeatVerb) -> Callable[[list[str], Vocabulary], CabinetAct]:
    def parse(words: list[str], vocabulary: Vocabulary) -> CabinetAct:
        _needs_rail(vocabulary)
        return AtSeats(verb, seats_of(words))

    return parse


DOOR = "door"
"""The verb of a table whose doors have contacts."""

DOOR_MOVES = {"open": True, "shut": False}
DOORS = {door.value: door for door in (DoorContact.CABINET, DoorContact.LOGIC)}


def _needs_rail(vocabulary: Vocabulary) -> None:
    if not GAMES[vocabulary.game].progressive:
        raise LineError(f"{vocabulary.game} has no coin rail")


def _inspector(words: list[str], _: Vocabulary) -> CabinetAct:
    return MoveInspector(one_of(words, {"here": True, "away": False}, "the inspector"))


def _door(words: list[str], vocabulary: Vocabulary) -> CabinetAct:
    if not vocabulary.doors:
        raise LineError("the doors have no contacts: write 'set doors fitted'")
    if words == ["reset"]:
        return MoveDoor(DoorContact.LATCH, opened=False)
    door = one_of(words[1:] or [DoorContact.CABINET.value], DOORS, "which door")
    return MoveDoor(door, one_of(words[:1], DOOR_MOVES, "what is done with the door"))


def _power(words: list[str], _: Vocabulary) -> CabinetAct:
    return Power(one_of(words, {"on": True, "off": False}, "power"))


def _cable(plugged: bool) -> Callable[[list[str], Vocabulary], CabinetAct]:
    def parse(words: list[str], vocabulary: Vocabulary) -> CabinetAct:
        device = one_of(words, {device.value: device for device in Device}, "a device")
        fitted = vocabulary.fitted.devices
        if device not in fitted:
            raise LineError(f"{vocabulary.game} has no {device.value}")
        return MoveCable(device, plugged)

    return parse


def _disk(words: list[str], _: Vocabulary) -> CabinetAct:
    return FillDisk(one_of(words, {"full": True, "ok": False}, "the disk"))


def _wait(words: list[str], _: Vocabulary) -> CabinetAct:
    try:
        return Wait(parse_duration(" ".join(words)))
    except LineError as error:
        raise LineError(f"write 'wait 300ms', 'wait 2s', 5m or 1h; {error}") from error


def _clear(words: list[str], _: Vocabulary) -> CabinetAct:
    faults = {fault.value.lower(): fault for fault in Fault}
    return Clear(one_of(words, faults, "a fault"))


def _declare(words: list[str], vocabulary: Vocabulary) -> CabinetAct:
    declaration = parse_declaration(words, Duty.FLOOR_MANAGER.value)
    check_declared_at(declaration, vocabulary.poker or UNSET)
    return MakeDeclaration(declaration)


CABINET_ACTS: Mapping[str, Callable[[list[str], Vocabulary], CabinetAct]] = {
    "press": _press,
    "key": _key,
    **{verb.value: _at_seats(verb) for verb in SeatVerb},
    "inspector": _inspector,
    "power": _power,
    "unplug": _cable(plugged=False),
    "plug": _cable(plugged=True),
    "disk": _disk,
    "wait": _wait,
    "declare": _declare,
    "clear": _clear,
}
