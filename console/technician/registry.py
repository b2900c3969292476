"""Every command of the technician's line, by subject, in the order `help` lists them."""

from console.technician.command import Command
from console.technician.command_names import Subject, commands_of
from console.technician.commands import (
    about,
    board,
    correct,
    declare,
    devices,
    drive,
    faults,
    log,
    meters,
    persons,
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
from console.texts.language import Words

HELP = make_help_command(lambda: SUBJECTS)

SUBJECTS: tuple[Subject, ...] = (
    Subject(
        Words("Che cosa non va", "What is wrong"),
        (*status.COMMANDS, *faults.COMMANDS, *rounds.COMMANDS, *meters.COMMANDS, *log.COMMANDS),
    ),
    Subject(
        Words(
            "Provare il mobile (le uscite: chiave in S)", "Testing the cabinet (outputs: key at S)"
        ),
        (*watch.COMMANDS, *drive.COMMANDS, *devices.COMMANDS, *selftest.COMMANDS),
    ),
    Subject(
        Words("Modificare (con nome e PIN)", "Making changes (with name and PIN)"),
        (
            *persons.COMMANDS,
            *declare.COMMANDS,
            *board.COMMANDS,
            *correct.COMMANDS,
            *settings.COMMANDS,
        ),
    ),
    Subject(Words("Il poker", "Poker"), rake.COMMANDS),
    Subject(
        Words("Il programma e questa linea", "The program and this line"),
        (*verify.COMMANDS, *about.COMMANDS, HELP, *session.COMMANDS),
    ),
)

COMMANDS: tuple[Command, ...] = commands_of(SUBJECTS)
"""In the order in which they are listed; a name stands for one of them only."""
