"""A command of `banco`, as its family's file declares it, and how it is added to the parser."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

DONE, FAILED, UNUSABLE = 0, 1, 2
"""Exit statuses: done; done, with a negative result; not possible as asked."""

_DOCUMENTED_IN = {
    "cryptography": "how-to/audit.md",
    "psycopg": "how-to/link.md",
    "aiohttp": "how-to/room.md",
}


def _add_nothing(_: ArgumentParser) -> None:
    pass


class BancoCommand(NamedTuple):
    """A command: what its help says, its arguments, and what it does."""

    name: str
    text: str
    example: str
    do: Callable[[Namespace], int]
    """Reads the arguments into what the function that does it takes, and calls it; the status."""

    add_arguments: Callable[[ArgumentParser], None] = _add_nothing
    needs: tuple[str, ...] = ()
    """Optional libraries, without which it says what is to be installed."""


class Family(NamedTuple):
    """Commands below one word: `banco ledger verify`."""

    name: str
    text: str
    example: str
    commands: tuple[BancoCommand, ...]
    needs: tuple[str, ...] = ()
    """Optional libraries of all its commands."""

    title: str = "commands"
    metavar: str = "COMMAND"


def add_command(parsers: Any, command: BancoCommand | Family) -> None:
    """Add a command, or a family of them."""
    if isinstance(command, BancoCommand):
        _add_parser(parsers, command, command.name, command.needs)
        return
    parser = parsers.add_parser(
        command.name, help=command.text, epilog=f"example: {command.example}"
    )
    below = parser.add_subparsers(
        title=command.title, metavar=command.metavar, prog=f"banco {command.name}"
    )
    parser.set_defaults(answer=help_of(parser))
    for one in command.commands:
        _add_parser(below, one, f"{command.name} {one.name}", command.needs + one.needs)


def report_failure(do: Callable[[], int]) -> int:
    """Do what a command asks; print why it is not done."""
    from console.service.supervision.process_end import describe_failure
    from jackpot.failures import Failure

    try:
        return do()
    except (Failure, OSError, ValueError) as error:
        print(f"not done: {describe_failure(error)}", file=sys.stderr)
        return UNUSABLE


def help_of(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """Prints the help where no command is named."""

    def answer(_: Namespace) -> int:
        parser.print_help()
        return DONE

    return answer


def _add_parser(parsers: Any, command: BancoCommand, words: str, needs: tuple[str, ...]) -> None:
    text = command.text
    parser: ArgumentParser = parsers.add_parser(
        command.name,
        help=text,
        description=f"{text[:1].upper()}{text[1:]}.",
        epilog=f"example: {command.example}",
    )
    command.add_arguments(parser)
    parser.set_defaults(answer=partial(_do_with_libraries, words, command.do, needs))


def _do_with_libraries(
    words: str, do: Callable[[Namespace], int], needs: tuple[str, ...], options: Namespace
) -> int:
    """Do it; print an error where an optional library is needed and missing."""
    try:
        return do(options)
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in needs:
            raise
        print(
            f"banco {words} needs the library {library}, which is not installed: see "
            f"docs/{_DOCUMENTED_IN[library]}",
            file=sys.stderr,
        )
        return UNUSABLE
