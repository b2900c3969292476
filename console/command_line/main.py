"""The command `banco`: which file has each command, and how the one that is given is run.

Heavy modules are imported only when needed: `banco --help` and a table's start are quick.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

from console.command_line.command import BancoCommand, Family, add_command, help_of
from console.service.supervision.command_parser import CommandParser
from console.service.supervision.process_end import run_to_end

FILES: Mapping[str, str] = {
    "run": "run",
    "play": "run",
    "check": "run",
    "ledger": "ledger",
    "key": "key",
    "report": "figures",
    "forecast": "figures",
    "link": "link",
    "pages": "pages",
    "room": "pages",
    "fleet": "fleet",
    "tournament": "tournament",
    "witness": "witness",
    "declare": "line",
    "enrol": "line",
    "pin": "line",
    "rake": "figures",
    "diag": "line",
}
"""The file of this package that has each command in its `COMMANDS`, in the order of the help."""

VERSION_OPTION = "--version"

SERVE = frozenset({"run", "pages", "room", "diag"})
"""Commands that run until a signal stops them, in good order."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status (docs/reference/exit-status.md)."""
    words = sys.argv[1:] if arguments is None else arguments
    serves = bool(words) and words[0] in SERVE
    return run_to_end(lambda: _run_command(words), acts_on_signals=serves)


def _run_command(words: Sequence[str]) -> int:
    options = make_parser(words[0] if words else "").parse_args(words)
    answer: Callable[[argparse.Namespace], int] = options.answer
    return answer(options)


def make_parser(command: str = "") -> argparse.ArgumentParser:
    """The arguments of this command; of all if it is none, which cost a start 10 ms.

    Where the version is asked, those of no command.
    """
    names: Iterable[str] = FILES
    if command in FILES:
        names = (command,)
    elif command == VERSION_OPTION:
        names = ()
    parser = CommandParser(
        prog="banco",
        description="The controller of a casino table.",
        epilog="example: banco run --sim",
    )
    parser.add_argument(
        VERSION_OPTION, action=_Version, nargs=0, help="print the version and leave"
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog="banco")
    parser.set_defaults(answer=help_of(parser))
    for name in names:
        add_command(commands, find_command(name))
    return parser


def find_command(name: str) -> BancoCommand | Family:
    """The command as its file declares it, which is imported for it."""
    commands: tuple[BancoCommand | Family, ...]
    commands = import_module(f"console.command_line.{FILES[name]}").COMMANDS
    (command,) = (one for one in commands if one.name == name)
    return command


class _Version(argparse.Action):
    """Prints the version, which only this option reads."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from console.configuration.version import name_program

        print(f"banco {name_program()}")
        parser.exit()
