"""Finds a command by its name in either language, or by the beginning of a name."""

from collections.abc import Sequence
from difflib import get_close_matches

from msgspec import Struct

from console.technician.command import Command, Misused
from console.texts.language import Language, Words
from console.texts.technician import session_texts
from console.texts.technician.session_texts import LISTED
from jackpot.foreign_text import quote


class Subject(Struct, frozen=True):
    """A group of commands under one title."""

    title: Words
    commands: tuple[Command, ...]


def commands_of(subjects: Sequence[Subject]) -> tuple[Command, ...]:
    """Return all commands in their order."""
    return tuple(command for subject in subjects for command in subject.commands)


def find_command(word: str, commands: Sequence[Command], language: Language) -> Command:
    """Return the command. Raises Misused with similar names if none or several match."""
    word = word.lower()
    for command in commands:
        if word in command.names:
            return command
    matches = [one for one in commands if any(name.startswith(word) for name in one.names)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        listed = " ".join(_find_match(command, word) for command in matches)
        raise Misused(
            session_texts.WHICH_ONE.in_(language).format(listed),
        )
    names = [name for command in commands for name in command.names]
    near = " ".join(get_close_matches(word, names, n=3, cutoff=0.5))
    unknown = session_texts.NO_COMMAND.in_(language).format(quote(word))
    hint = session_texts.PERHAPS.fill(near) if near else LISTED
    raise Misused(f"{unknown} {hint.in_(language)}")


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
