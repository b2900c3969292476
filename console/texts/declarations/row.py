"""The shape of a declaration's row: its words, what follows them, and what everybody says of it."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from msgspec import UNSET, Struct

from console.rules.acts import Declaration
from console.rules.codes import Duty
from console.rules.games import Game, GameKind
from console.rules.poker_settings import Form, PokerSettings
from console.rules.typed import LineError, number_in, one_of
from console.texts.language import Words

Where = Callable[[Game, PokerSettings | None], bool]
"""Whether a table has a use for it; None: another game's, or a poker table's unknown settings."""


def anywhere(_game: Game, _poker: PokerSettings | None) -> bool:
    """At every table."""
    return True


def with_rail(game: Game, _poker: PokerSettings | None) -> bool:
    """Where tokens are taken."""
    return game.rail is not None


def with_shuffler(game: Game, _poker: PokerSettings | None) -> bool:
    """At a dealer's game with a shuffler."""
    return game.kind is GameKind.CARDS and game.shuffler is not None


def with_shoe(game: Game, _poker: PokerSettings | None) -> bool:
    """Where cards are drawn from a shoe."""
    return game.shoe is not None


def at_poker(game: Game, _poker: PokerSettings | None) -> bool:
    """At a poker table."""
    return game.kind is GameKind.POKER


def in_cash(game: Game, poker: PokerSettings | None) -> bool:
    """At a poker table that plays for cash."""
    return at_poker(game, poker) and (poker is None or poker.form is Form.CASH)


def in_tournament(game: Game, poker: PokerSettings | None) -> bool:
    """At a poker table of a tournament."""
    return at_poker(game, poker) and (poker is None or poker.form is Form.TOURNAMENT)


class DrawerField(Struct, frozen=True):
    """What the cabinet's page asks for beside a button.

    `form`: one of `FIELDS` in console/web/pages/cabinet/drawer_fields.js. The others are a
    number's: the least, the most, and the one that stands there first.
    """

    form: str
    least: int = 0
    most: int = 0
    first: int = 0


class DeclarationArgument(Struct, frozen=True):
    """What follows a declaration's verb, and the field of the act that it becomes."""

    fact: str
    """The act's field."""
    usage: str
    """As the help writes it: `SEAT`."""
    read: Callable[[str], object]
    """Raises LineError, which says what is right."""
    write: Callable[[Any], str] = str
    """A value as a scenario writes it."""
    choices: tuple[str, ...] = ()
    """The words that can be listed."""
    field: DrawerField | None = None
    absent: object = UNSET
    """The value where it is left out; UNSET: it never is."""
    takes_rest: bool = False
    """Whether it takes all further words."""


class Case(Struct, frozen=True):
    """Other words where a fact has this value."""

    fact: str
    value: object
    words: Words


class DrawerUse(Enum):
    """When a declaration is made, the most frequent first."""

    IN_PLAY = "inPlay"
    EACH_NIGHT = "eachNight"
    SELDOM = "seldom"


class DrawerButton(Struct, frozen=True):
    """A button on the cabinet's page; each `#` stands for an argument that has a field."""

    line: str
    words: Words
    use: DrawerUse = DrawerUse.SELDOM
    where: Where | None = None
    """None: wherever the declaration is offered."""


def accept_anywhere(_act: Any, _poker: PokerSettings) -> None:
    """Every table of the game takes it."""


class DeclarationRow(Struct, frozen=True):
    """A declaration: what people type, what everybody says of it, and the act that it is."""

    verb: str
    """One word, or two: `clock set`."""
    act: type[Declaration]
    """Its `kind` is the record's; what it does stands in console/rules."""
    means: Words
    """For the help, and when it is asked whether to declare it."""
    words: Words
    """What was declared, with the act's facts: `last {hands} hands`."""
    where: Where
    """At which tables it is offered."""
    buttons: tuple[DrawerButton, ...]
    arguments: tuple[DeclarationArgument, ...] = ()
    cases: tuple[Case, ...] = ()
    check: Callable[[Any, PokerSettings], None] = accept_anywhere
    """Raises LineError where a poker table has no such declaration."""
    duty: Duty = Duty.FLOOR_MANAGER
    """Who may declare it."""
    of_doors: bool = False
    """Whether only a table has a use for it whose doors have contacts."""

    @property
    def verb_words(self) -> list[str]:
        """Its verb, word by word."""
        return self.verb.split()

    @property
    def usage(self) -> str:
        """How it is typed: `hand-void SEAT [returned]`."""
        return " ".join([self.verb, *(one.usage for one in self.arguments)])

    def parse(self, words: list[str], who: str) -> Declaration:
        """The act, of what follows the verb. Raises LineError."""
        right = f"write 'declare {self.usage}'" + ("" if self.arguments else " alone")
        facts: dict[str, Any] = {}
        rest = list(words)
        for one in self.arguments:
            taken = " ".join(rest) if one.takes_rest else rest[0] if rest else ""
            rest = [] if one.takes_rest else rest[1:]
            if not taken and one.absent is UNSET:
                raise LineError(right)
            try:
                facts[one.fact] = one.read(taken) if taken else one.absent
            except ValueError as error:
                raise LineError(f"{right}; {error}") from error
        if rest:
            raise LineError(right)
        return self.act(**facts, who=who)

    def write(self, facts: Mapping[str, Any]) -> str:
        """The words that declare it, of the act's facts; a fact that is missing is `?`."""
        words = [self.verb]
        for one in self.arguments:
            value = facts.get(one.fact, UNSET)
            if value is UNSET:
                words += ["?"] if one.absent is UNSET else []
            elif value != one.absent:
                words.append(one.write(value))
        return " ".join(words)

    def choose_words(self, facts: Mapping[str, Any]) -> Words:
        """What was declared, as these facts have it."""
        for case in self.cases:
            value = facts.get(case.fact, UNSET)
            if (tuple(value) if isinstance(value, list) else value) == case.value:
                return case.words
        return self.words


def take_number(
    fact: str,
    usage: str,
    least: int,
    most: int,
    *,
    first: int,
    listed: bool = False,
    form: str = "number",
) -> DeclarationArgument:
    """A whole number. `first`: the one that stands in the page's field; `listed`: as choices."""
    right = f"{usage} is a whole number from {least} to {most}"

    def read(word: str) -> int:
        number = number_in([word], right, most=most)
        if number < least:
            raise LineError(right)
        return number

    choices = tuple(map(str, range(least, most + 1))) if listed else ()
    return DeclarationArgument(
        fact, usage, read, choices=choices, field=DrawerField(form, least, most, first)
    )


def take_choice(fact: str, choices: Mapping[str, object]) -> DeclarationArgument:
    """One of these words, each for its value: `on | off`."""
    names = {value: word for word, value in choices.items()}
    usage = " | ".join(choices)
    return DeclarationArgument(
        fact,
        usage,
        lambda word: one_of([word], choices, "it"),
        lambda value: names[value],
        tuple(choices),
    )


def take_flag(fact: str, word: str) -> DeclarationArgument:
    """A word that may stand there: `[returned]`."""
    return DeclarationArgument(
        fact,
        f"[{word}]",
        lambda typed: one_of([typed], {word: True}, "it"),
        lambda _: word,
        (word,),
        absent=False,
    )
