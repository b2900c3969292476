"""`banco declare`: the floor manager declares."""

from argparse import ArgumentParser, Namespace

from console.command_line.arguments import add_language, add_table, read_entry
from console.command_line.command import BancoCommand


def _add_declare(declare: ArgumentParser) -> None:
    add_table(declare)
    declare.add_argument(
        "--as", metavar="NAME", dest="who", help="who declares; asked if not given"
    )
    declare.add_argument("--yes", action="store_true", help="declare it without asking once more")
    add_language(declare)
    declare.add_argument("words", metavar="WORD", nargs="+", help="such as: last-hands 3")


def _declare(options: Namespace) -> int:
    from console.office.dialogue import declare

    return declare(" ".join(options.words), read_entry(options), yes=options.yes)


COMMANDS = (
    BancoCommand(
        "declare",
        "the floor manager declares, by name and PIN",
        "banco declare hand-void 3 returned --as anna",
        _declare,
        _add_declare,
    ),
)
