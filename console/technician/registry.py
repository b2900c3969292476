"""Every command of the technician's line, by subject; and `help`, which lists or describes them."""

from collections.abc import Sequence

from console.line.requests import Status
from console.technician.command import (
    Command,
    Subject,
    TechnicianSession,
    commands_of,
    find_command,
)
from console.technician.commands import (
    about,
    declare,
    devices,
    drive,
    ledger,
    log,
    rake,
    selftest,
    session,
    settings,
    status,
    verify,
    watch,
)
from console.texts.language import Language
from console.texts.technician import command_texts, session_texts
from jackpot.failures import Refused

USAGE = 26
"""Width of the column with the usage, in the list."""


async def _help(session: TechnicianSession, words: Sequence[str]) -> None:
    if len(words) > 1:
        raise Refused(session.words(session_texts.HELP_ONE_COMMAND))
    if words:
        command = find_command(words[0], COMMANDS, session.language)
        await session.talk.say(*describe_command(command, session.language))
    else:
        await session.talk.say(*list_commands(SUBJECTS, session.language))


def _complete_help(words: Sequence[str], _status: Status | None) -> Sequence[str]:
    return () if words else [name for command in COMMANDS for name in command.names]


def list_commands(subjects: Sequence[Subject], language: Language) -> list[str]:
    """List every command with its summary, under its subject."""
    lines: list[str] = []
    for subject in subjects:
        lines.append(subject.title.in_(language))
        for command in subject.commands:
            lines += align_usage(usage_in(command, language), command.texts.summary.in_(language))
    return lines


def align_usage(usage: str, summary: str) -> list[str]:
    """Render usage and summary in a line; a long usage gets a line of its own."""
    if len(usage) <= USAGE:
        return [f"  {usage:{USAGE}}  {summary}"]
    return [f"  {usage}", f"  {'':{USAGE}}  {summary}"]


def describe_command(command: Command, language: Language) -> list[str]:
    """Describe one command: names, arguments, help, example."""
    usage, other = usage_in(command, language), other_name(command, language)
    first = f"{usage}   ({other})" if other else usage
    help_lines = command.texts.help.in_(language).splitlines()
    return [first, "", *help_lines, "", example_in(command, language)]


def name_in(command: Command, language: Language) -> str:
    """Return a command's name in a language."""
    return command.names[-1 if language is Language.IT else 0]


def other_name(command: Command, language: Language) -> str:
    """Return a command's name in the other language; "" if it is the same."""
    name = name_in(command, language)
    other = command.names[0 if name == command.names[-1] else -1]
    return "" if other == name else other


def usage_in(command: Command, language: Language) -> str:
    """Return a command's name with its arguments."""
    return f"{name_in(command, language)} {command.texts.arguments.in_(language)}".rstrip()


def example_in(command: Command, language: Language) -> str:
    """Render `example: faults RAIL_LOST` in a language."""
    example = command.example.replace(command.names[0], name_in(command, language), 1)
    return f"{session_texts.EXAMPLE.in_(language)}: {example}"


HELP = Command(
    names=("help", "?", "aiuto"),
    texts=command_texts.HELP,
    example="help faults",
    run=_help,
    complete=_complete_help,
)

SUBJECTS: tuple[Subject, ...] = (
    Subject(
        session_texts.WHAT_WRONG,
        (*status.COMMANDS, *ledger.COMMANDS, *log.COMMANDS),
    ),
    Subject(
        session_texts.TESTING_CABINET_OUTPUTS_KEY,
        (*watch.COMMANDS, *drive.COMMANDS, *devices.COMMANDS, *selftest.COMMANDS),
    ),
    Subject(
        session_texts.MAKING_CHANGES_NAME_AND,
        (
            *session.ENTRY_COMMANDS,
            *declare.COMMANDS,
            *devices.BOARD_COMMANDS,
            *declare.CORRECT_COMMANDS,
            *settings.COMMANDS,
        ),
    ),
    Subject(session_texts.POKER, rake.COMMANDS),
    Subject(
        session_texts.PROGRAM_AND_LINE,
        (*verify.COMMANDS, *about.COMMANDS, HELP, *session.COMMANDS),
    ),
)

COMMANDS: tuple[Command, ...] = commands_of(SUBJECTS)
"""In the order in which `help` lists them; a name stands for one of them only."""
