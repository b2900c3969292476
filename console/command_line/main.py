"""The command `banco`: its arguments, and the function that answers each command.

Heavy modules are imported only when needed: `banco --help` and a table's start are quick.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from console.command_line.command import Command, Family, add_command, help_of
from console.command_line.legacy import (
    answer_link,
    answer_tournament,
)
from console.service.supervision.command_parser import CommandParser
from console.service.supervision.process_end import run_to_end


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status (docs/reference/exit-status.md)."""
    words = sys.argv[1:] if arguments is None else arguments
    serves = bool(words) and words[0] in _SERVES
    return run_to_end(lambda: _run_command(words), acts_on_signals=serves)


def _run_command(words: Sequence[str]) -> int:
    options = make_parser(words[0] if words else "").parse_args(words)
    answer: Callable[[argparse.Namespace], int] = options.answer
    return answer(options)


def make_parser(command: str = "") -> argparse.ArgumentParser:
    """The arguments of this command; of all if it is none. All of them cost a start 10 ms."""
    parser = CommandParser(
        prog="banco",
        description="The controller inside a casino table.",
        epilog="example: banco run --sim",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    parser.set_defaults(answer=help_of(parser))
    for name, add in _ADDED.items():
        if name == command or command not in _ADDED:
            if isinstance(add, str):
                add_command(commands, _find_command(name, add))
            else:
                add(commands)
    return parser


def _find_command(name: str, module: str) -> Command | Family:
    """As its family's file declares it, which is imported for it."""
    commands: tuple[Command | Family, ...]
    commands = import_module(f"console.command_line.{module}").COMMANDS
    (command,) = (one for one in commands if one.name == name)
    return command


def _add_link(commands: Any) -> None:
    from console.office.link.arguments import add_link

    text, example = "run the centre of a linked jackpot", "example: banco link status --json"
    link = commands.add_parser("link", help=text, epilog=example)
    link.set_defaults(answer=help_of(link))
    centre = link.add_subparsers(title="commands", metavar="COMMAND")
    add_link(partial(_command, centre, answer=answer_link))


def _add_tournament(commands: Any) -> None:
    from console.office.tournament.arguments import add_tournament

    text, example = "run a tournament jackpot", "example: banco tournament status --json"
    tournament = commands.add_parser("tournament", help=text, epilog=example)
    tournament.set_defaults(answer=help_of(tournament))
    desks = tournament.add_subparsers(title="commands", metavar="COMMAND")
    add_tournament(partial(_command, desks, answer=answer_tournament))


_ADDED: Mapping[str, str | Callable[[Any], None]] = {
    "run": "run",
    "play": "run",
    "check": "run",
    "ledger": "ledger",
    "key": "key",
    "report": "report",
    "link": _add_link,
    "pages": "pages",
    "room": "pages",
    "tournament": _add_tournament,
    "witness": "witness",
    "declare": "declare",
    "enrol": "enrol",
    "rake": "rake",
    "diag": "diag",
}
"""What adds each command, in the order of the help."""

_SERVES = frozenset({"run", "pages", "room", "diag"})
"""Commands that run until a signal stops them, in good order."""


def _command(
    commands: Any, name: str, answer: Callable[[argparse.Namespace], int], text: str, example: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=text[0].upper() + text[1:] + ".", epilog=f"example: {example}"
    )
    parser.set_defaults(answer=answer)
    return parser


class _Version(argparse.Action):
    """Prints the version, which only this option reads."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from console.configuration.version import VERSION

        print(f"banco {VERSION}")
        parser.exit()
