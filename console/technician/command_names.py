"""Which command is meant: by its name in either language, or by the beginning of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from console.technician.command import Command, Misused
from console.texts.language import Language, Words


@dataclass(frozen=True, slots=True)
class Subject:
    """Commands that belong together, under one title."""

    title: Words
    commands: tuple[Command, ...]


LISTED = Words("aiuto li elenca.", "help lists them.")


def commands_of(subjects: Sequence[Subject]) -> tuple[Command, ...]:
    """All commands in their order."""
    return tuple(command for subject in subjects for command in subject.commands)


def find_command(word: str, commands: Sequence[Command], language: Language) -> Command:
    """The command meant. Raises Misused, naming those that may have been."""
    word = word.lower()
    for command in commands:
        if word in command.names:
            return command
    fitting = [one for one in commands if any(name.startswith(word) for name in one.names)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        listed = " ".join(_fitting_name(command, word) for command in fitting)
        raise Misused(
            Words(f"quale: {listed}?", f"which one: {listed}?").in_(language),
        )
    names = [name for command in commands for name in command.names]
    near = " ".join(get_close_matches(word, names, n=3, cutoff=0.5))
    unknown = Words(f"comando sconosciuto: {word!r}.", f"no command {word!r}.").in_(language)
    hint = Words(f"Forse: {near}", f"Perhaps: {near}") if near else LISTED
    raise Misused(f"{unknown} {hint.in_(language)}")


def _fitting_name(command: Command, word: str) -> str:
    return next(name for name in command.names if name.startswith(word))


def complete_name(line: str, commands: Sequence[Command], language: Language) -> list[str]:
    """First words that the one typed so far may become, in the line's language if there are."""
    own = [command.names[-1 if language is Language.IT else 0] for command in commands]
    every = [name for command in commands for name in command.names]
    for names in (own, every):
        fitting = sorted({name for name in names if name.startswith(line.lower())})
        if fitting:
            return fitting
    return []
