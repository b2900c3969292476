"""The commands of banco, as their own help describes them."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from console.command_line.main import make_parser


@dataclass(frozen=True)
class Argument:
    """An option or a word of a command."""

    flags: tuple[str, ...]
    """Empty for a word that has a place of its own."""

    value: str
    """What stands for it in the help; empty for an option without a value."""

    choices: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class CommandHelp:
    """A command, or one below it: `banco ledger verify`."""

    words: tuple[str, ...]
    usage: str
    text: str
    example: str
    arguments: tuple[Argument, ...]
    below: tuple[str, ...]
    """The commands below it."""


def list_commands() -> Iterator[CommandHelp]:
    """Each command after the one that it is below, in the order of the help."""
    parser = make_parser()
    yield from _walk(("banco",), parser, parser.description or "")


def _walk(
    words: tuple[str, ...], parser: argparse.ArgumentParser, text: str
) -> Iterator[CommandHelp]:
    below: dict[str, argparse.ArgumentParser] = {}
    texts: dict[str, str] = {}
    arguments = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            below = dict(action.choices)
            texts = {choice.dest: choice.help or "" for choice in action._choices_actions}
        elif action.help != argparse.SUPPRESS:
            arguments.append(_describe(action))
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    example = (parser.epilog or "").removeprefix("example: ")
    yield CommandHelp(words, usage, text, example, tuple(arguments), tuple(below))
    for name, one in below.items():
        yield from _walk((*words, name), one, texts.get(name, ""))


def _describe(action: argparse.Action) -> Argument:
    text = (action.help or "").replace("%%", "%")
    if "%(default)s" in text:
        text = text.replace("%(default)s", str(action.default))
    value = ""
    if action.nargs != 0:
        name = action.metavar or action.dest.upper()
        value = name if isinstance(name, str) else " ".join(name)
    choices = tuple(str(choice) for choice in action.choices or ())
    return Argument(tuple(action.option_strings), value, choices, text)
