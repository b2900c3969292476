"""The rake calculator: what it is asked, and its answer (docs/reference/poker-rules.md, 18).

`banco rake`, the technician's line and the supervisor's page ask it.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

import msgspec
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

DONE, UNUSABLE = 0, 2


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


def add_question(parser: ArgumentParser) -> None:
    """Add what `banco rake` and the technician's line are asked alike."""
    parser.add_argument("--house", metavar="HOUSE", required=True, help=", ".join(HOUSES))
    parser.add_argument("--rate", metavar="PERCENT", help="san-marino: 2.5, if it is another")
    parser.add_argument("--fixed", metavar="AMOUNT", help="san-marino: added to the share (0.00)")
    parser.add_argument("--cap", metavar="EURO", help='30, or by players "2:10 5:20"')
    parser.add_argument("--players", metavar="N", help="2 to 11 (9)")
    parser.add_argument("--half", action="store_true", help="prestige: short-handed")
    parser.add_argument("--shared", action="store_true", help="the whole pot is shared")
    parser.add_argument("--no-flop", action="store_true", help="there was no flop")
    parser.add_argument("pots", metavar="POT", nargs="+", help="the main pot, then the side pots")


def read_question(options: Namespace) -> RakeQuestion:
    """The question in these arguments."""
    return RakeQuestion(
        options.house,
        tuple(options.pots),
        rate=options.rate,
        fixed=options.fixed,
        cap=options.cap,
        players=options.players,
        half=options.half,
        shared=options.shared,
        no_flop=options.no_flop,
    )


def print_answer(question: RakeQuestion, *, as_json: bool) -> int:
    """Print the parts, joined by `+`. Exit status 2: it cannot be reckoned as asked."""
    try:
        answer = answer_rake(question)
    except ValueError as error:
        print(f"banco rake: {error}", file=sys.stderr)
        return UNUSABLE
    print(msgspec.json.encode(answer).decode() if as_json else answer.line)
    return DONE
