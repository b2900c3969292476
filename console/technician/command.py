"""A command of the technician's line: its names, its help, what it does."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from console.line.requests import AnyAnswer, AnyRequest, Status
from console.technician.talk import Talk
from console.texts.language import Language, Words


class TableLine(Protocol):
    """The local line as a command sees it."""

    async def ask(self, request: AnyRequest) -> AnyAnswer:
        """Ask, within 10 s. Raises Unreachable."""


@dataclass(slots=True)
class TechnicianSession:
    """What a command works with: the person, the table, and where its files lie.

    `ledger` and `configuration` come from the command line or from the table itself; None where
    neither says. `status` is the last one heard, for completion. `simulated`: of a simulation; its
    configuration lies in its folder, unless the table has told of another, or of none.
    """

    talk: Talk
    table: TableLine
    language: Language
    ledger: Path | None = None
    configuration: Path | None = None
    status: Status | None = None
    simulated: bool = False

    def words(self, it: str, en: str) -> str:
        """One of two texts, by the line's language."""
        return it if self.language is Language.IT else en


Run = Callable[[TechnicianSession, Sequence[str]], Awaitable[None]]
Complete = Callable[[Sequence[str], Status | None], Sequence[str]]


def nothing_to_complete(_words: Sequence[str], _status: Status | None) -> Sequence[str]:
    """For a command without arguments."""
    return ()


class Misused(Exception):
    """A command was given wrongly; the text, in the line's language, says what would be right."""


@dataclass(frozen=True, slots=True)
class Command:
    """`names`: the English one first, then the Italian one, both understood in either language.

    `run` raises Misused for wrong arguments, and lets Unreachable, Interrupted and Hung through.
    `complete`: the words that may follow those typed after the name.
    """

    names: tuple[str, ...]
    arguments: Words
    summary: Words
    help: Words
    example: str
    run: Run
    complete: Complete = nothing_to_complete
