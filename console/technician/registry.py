"""Every command of the technician's line, by subject, in the order `help` lists them."""

from console.technician.command import Command, Subject, commands_of
from console.technician.commands import (
    about,
    board,
    declare,
    devices,
    drive,
    faults,
    log,
    meters,
    rake,
    rounds,
    selftest,
    session,
    settings,
    status,
    verify,
    watch,
)
from console.technician.commands.help import make_help_command
from console.texts.technician import session_texts

HELP = make_help_command(lambda: SUBJECTS)

SUBJECTS: tuple[Subject, ...] = (
    Subject(
        session_texts.WHAT_WRONG,
        (*status.COMMANDS, *faults.COMMANDS, *rounds.COMMANDS, *meters.COMMANDS, *log.COMMANDS),
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
            *board.COMMANDS,
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
"""In the order in which they are listed; a name stands for one of them only."""
