"""What a command of the technician's line is, and what it works with."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from console.line.requests import AnyAnswer, AnyRequest, Status
from console.technician.talk import Talk
from console.texts.language import Language, Words
from console.texts.technician.command_texts import CommandTexts


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

    def words(self, words: Words) -> str:
        """Return the text in the line's language."""
        return words.in_(self.language)


Run = Callable[[TechnicianSession, Sequence[str]], Awaitable[None]]
Complete = Callable[[Sequence[str], Status | None], Sequence[str]]


def complete_nothing(_words: Sequence[str], _status: Status | None) -> Sequence[str]:
    """Complete a command without arguments."""
    return ()


class Misused(Exception):
    """Wrong arguments. The text, in the line's language, says what would be right."""


class Command(Struct, frozen=True):
    """A command of the technician's line."""

    names: tuple[str, ...]
    """English first, Italian last; each is understood in both languages."""

    texts: CommandTexts
    example: str
    run: Run
    """Raises Misused for wrong arguments, and lets Unreachable, Interrupted and Hung through."""

    complete: Complete = complete_nothing
    """Returns the words that may follow the arguments typed so far."""
