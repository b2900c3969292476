"""What the rake calculator is asked, and its answer (docs/reference/poker-rules.md, section 18)."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

from msgspec import Struct

from jackpot.foreign_text import quote
from jackpot.money.amounts import format_cents, parse_cents, parse_percent
from jackpot.money.rake import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    RakeHouse,
    RakeTerms,
    choose_terms,
    divide_rake,
    parse_cap,
)

HOUSES = tuple(house.value for house in RakeHouse)
USUAL_PLAYERS = 9


class RakeQuestion(Struct, frozen=True):
    """As a person writes it; what is None is as the house has it.

    `pots`: the main pot first. `cap`: `30`, or `2:10 5:20` with `players`.
    """

    house: str
    pots: tuple[str, ...]
    rate: str | None = None
    fixed: str | None = None
    cap: str | None = None
    players: str | None = None
    half: bool = False
    shared: bool = False
    no_flop: bool = False


class RakePart(Enum):
    """A part of the question."""

    HOUSE = "house"
    POTS = "pots"
    RATE = "rate"
    FIXED = "fixed"
    CAP = "cap"
    PLAYERS = "players"
    TERMS = "terms"
    """What is asked does not fit the house."""


class RakeMistake(ValueError):
    """The rake cannot be reckoned as asked. `part`: what of the question is wrong."""

    def __init__(self, part: RakePart, why: str) -> None:
        super().__init__(why)
        self.part = part


class RakeAnswer(Struct, frozen=True):
    """Each pot's part in euro, the main pot's first; `pots` as amounts."""

    house: str
    pots: tuple[str, ...]
    parts: tuple[int, ...]
    rake: int

    @property
    def line(self) -> str:
        """The parts as the rules write them: `5+10+15`."""
        return "+".join(str(part) for part in self.parts)


def answer_rake(question: RakeQuestion) -> RakeAnswer:
    """Reckon and divide the rake. Raises RakeMistake that says what is wrong, and what is right."""
    terms = _read_terms(question)
    players = _read_players(question)
    if not question.pots:
        raise RakeMistake(RakePart.POTS, "no pot: give the main pot, and the side pots after it")
    with _naming(RakePart.POTS, "pot: "):
        pots = [parse_cents(pot) for pot in question.pots]
    parts = divide_rake(terms, pots, players, flop=not question.no_flop, shared=question.shared)
    amounts = tuple(format_cents(pot) for pot in pots)
    return RakeAnswer(question.house, amounts, parts, sum(parts))


def _read_terms(question: RakeQuestion) -> RakeTerms:
    if question.house not in HOUSES:
        raise RakeMistake(
            RakePart.HOUSE,
            f"no house {quote(question.house)} with a cash game: {', '.join(HOUSES)}",
        )
    with _naming(RakePart.RATE, "rate: "):
        rate = None if question.rate is None else parse_percent(question.rate)
    with _naming(RakePart.CAP, "cap: "):
        cap = None if question.cap is None else parse_cap(question.cap)
    with _naming(RakePart.FIXED, "fixed part: "):
        fixed = None if question.fixed is None else parse_cents(question.fixed)
    if cap is not None and len(cap.steps) > 1 and question.players is None:
        raise RakeMistake(RakePart.PLAYERS, "a cap by players needs the number of players")
    with _naming(RakePart.TERMS):
        return choose_terms(
            RakeHouse(question.house), rate=rate, fixed=fixed, cap=cap, half=question.half
        )


def _read_players(question: RakeQuestion) -> int:
    text = question.players
    if text is None:
        return USUAL_PLAYERS
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(MOST_PLAYERS))
    if not digits or not FEWEST_PLAYERS <= int(text) <= MOST_PLAYERS:
        raise RakeMistake(
            RakePart.PLAYERS,
            f"players: {quote(text)} is no number from {FEWEST_PLAYERS} to {MOST_PLAYERS}",
        )
    return int(text)


@contextmanager
def _naming(part: RakePart, name: str = "") -> Iterator[None]:
    """A ValueError in here becomes a mistake of this part, with its name before the text."""
    try:
        yield
    except ValueError as error:
        raise RakeMistake(part, f"{name}{error}") from error
