"""What a command of the technician's line is, its arguments, and how it is found by its name.

A name is in either language, or the beginning of one.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from console.line.requests import AnyAnswer, AnyRequest, Status
from console.technician.talk import Talk
from console.texts.language import Language, Words
from console.texts.technician import session_texts
from console.texts.technician.command_texts import CommandTexts
from console.texts.technician.session_texts import LISTED
from jackpot.failures import Refused
from jackpot.foreign_text import quote


class TableLine(Protocol):
    """The local line as a command sees it."""

    async def ask(self, request: AnyRequest) -> AnyAnswer:
        """Send a request and return the answer. Raises Unreachable."""


@dataclass(slots=True)
class TechnicianSession:
    """What a command works with: the terminal, the table, and the table's files."""

    talk: Talk
    table: TableLine
    language: Language
    ledger: Path | None = None
    """The ledger's folder, if the command line or the configuration names it."""

    configuration: Path | None = None
    """The configuration file, if known."""

    status: Status | None = None
    """The last status of the table."""

    simulated: bool = False
    """Whether the line was opened for a simulation. Its status then names the configuration."""

    over: bool = False
    """Whether `exit` was typed."""

    def words(self, words: Words) -> str:
        """Return the text in the line's language."""
        return words.in_(self.language)


Run = Callable[[TechnicianSession, Sequence[str]], Awaitable[None]]
Complete = Callable[[Sequence[str], Status | None], Sequence[str]]


def complete_nothing(_words: Sequence[str], _status: Status | None) -> Sequence[str]:
    """Complete a command without arguments."""
    return ()


class Command(Struct, frozen=True):
    """A command of the technician's line."""

    names: tuple[str, ...]
    """English first, Italian last; each is understood in both languages."""

    texts: CommandTexts
    example: str
    run: Run
    """Raises Refused for wrong arguments, in the line's language, which says what would be right.

    It lets Unavailable, Interrupted and Hung through.
    """

    complete: Complete = complete_nothing
    """Returns the words that may follow the arguments typed so far."""


def check_no_arguments(session: TechnicianSession, words: Sequence[str]) -> None:
    """Raise Refused if there are arguments."""
    if words:
        raise Refused(session.words(session_texts.TAKES_NO_ARGUMENTS))


def parse_number(
    session: TechnicianSession, words: Sequence[str], least: int, most: int
) -> int | None:
    """Return the only argument as a number, None without one. Raises Refused."""
    if not words:
        return None
    digits = words[0] if words[0].isascii() and words[0].isdigit() else ""
    if len(words) > 1 or not digits or len(digits) > len(str(most)):
        raise Refused(_describe_range(session, least, most))
    value = int(digits)
    if not least <= value <= most:
        raise Refused(_describe_range(session, least, most))
    return value


def _describe_range(session: TechnicianSession, least: int, most: int) -> str:
    return session.words(session_texts.NUMBER_FROM.fill(least, most))


class Subject(Struct, frozen=True):
    """A group of commands under one title."""

    title: Words
    commands: tuple[Command, ...]


def commands_of(subjects: Sequence[Subject]) -> tuple[Command, ...]:
    """Return all commands in their order."""
    return tuple(command for subject in subjects for command in subject.commands)


def find_command(word: str, commands: Sequence[Command], language: Language) -> Command:
    """Return the command: by a name, or shortened so that no other one begins like it.

    Raises Refused with similar names if none or several match.
    """
    word = word.lower()
    for command in commands:
        if word in command.names:
            return command
    matches = [one for one in commands if any(name.startswith(word) for name in one.names)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        listed = " ".join(_find_match(command, word) for command in matches)
        raise Refused(
            session_texts.WHICH_ONE.in_(language).format(listed),
        )
    names = [name for command in commands for name in command.names]
    near = " ".join(get_close_matches(word, names, n=3, cutoff=0.5))
    unknown = session_texts.NO_COMMAND.in_(language).format(quote(word))
    hint = session_texts.PERHAPS.fill(near) if near else LISTED
    raise Refused(f"{unknown} {hint.in_(language)}")


def _find_match(command: Command, word: str) -> str:
    return next(name for name in command.names if name.startswith(word))


def complete_name(line: str, commands: Sequence[Command], language: Language) -> list[str]:
    """Return the names that begin so, those in the line's language if there are any."""
    own = [command.names[-1 if language is Language.IT else 0] for command in commands]
    every = [name for command in commands for name in command.names]
    for names in (own, every):
        matches = sorted({name for name in names if name.startswith(line.lower())})
        if matches:
            return matches
    return []
