"""Every command of the technician's line, by subject, in the order `help` lists them."""

from console.technician.command import Command, Words
from console.technician.commands import session
from console.technician.commands.help import help_about
from console.technician.finding import Subject, commands_of

HELP = help_about(lambda: SUBJECTS)

SUBJECTS: tuple[Subject, ...] = (
    Subject(Words("Questa linea", "This line"), (HELP, *session.COMMANDS)),
)

COMMANDS: tuple[Command, ...] = commands_of(SUBJECTS)
