"""The commands' own help as bash takes it (completion, by shtab) and as `man` shows it."""

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from console.command_line.main import make_parser

FILES = (
    ("/etc/banco/table.toml", "the table's configuration"),
    ("/etc/banco/limits.toml", "ceilings for money; without it the defaults hold"),
    ("/etc/banco/people.toml", "people and the hashes of their PINs"),
    ("/etc/banco/room.toml", "the configuration of the sign and the overview of linked tables"),
    ("/var/lib/banco", "the ledger; a purge of the package leaves it"),
    ("/run/banco", "the local line's socket"),
    ("/usr/share/banco", "examples: tables, device names, additions to the service"),
    ("/usr/share/doc/banco/docs", "the documents"),
)


@dataclass(frozen=True)
class CommandHelp:
    """A command, or one below it: `banco ledger verify`."""

    name: str
    parser: argparse.ArgumentParser
    text: str

    @property
    def arguments(self) -> list[argparse.Action]:
        """Its options and words, but `--help`, and not the commands below it."""
        left_out = (argparse._HelpAction, argparse._SubParsersAction)
        actions = [one for one in self.parser._actions if not isinstance(one, left_out)]
        return [action for action in actions if action.help != argparse.SUPPRESS]

    @property
    def below(self) -> list["CommandHelp"]:
        """The commands below it, in the order of the help."""
        return [
            CommandHelp(
                f"{self.name} {choice.dest}", action.choices[choice.dest], choice.help or ""
            )
            for action in self.parser._actions
            if isinstance(action, argparse._SubParsersAction)
            for choice in action._choices_actions
        ]


def list_commands() -> list[CommandHelp]:
    """Each command after the one that it is below."""
    parser = make_parser()
    return list(_walk(CommandHelp("banco", parser, parser.description or "")))


def _walk(command: CommandHelp) -> Iterator[CommandHelp]:
    yield command
    for one in command.below:
        yield from _walk(one)


def write_completion(commands: Sequence[CommandHelp]) -> str:
    """Return the script: commands and options, an option's choices, and files elsewhere."""
    import shtab

    for command in commands:
        for action in command.arguments:
            if not action.choices:
                vars(action)["complete"] = shtab.FILE
    return shtab.complete(commands[0].parser, shell="bash")


def write_manual_page(
    commands: Sequence[CommandHelp], exit_status: str, version: str, seconds: int
) -> str:
    """Return the page in troff; `exit_status` is docs/reference/exit-status.md, `seconds` its
    date.
    """
    date = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
    lines = [
        f'.TH BANCO 1 "{date}" "banco {version}" "Casino table"',
        *(".SH NAME", r"banco \- controller of a casino table"),
        *(".SH SYNOPSIS", r"\fBbanco\fR \fICOMMAND\fR ..."),
        *(".SH DESCRIPTION", _escape(commands[0].text), ".SH COMMANDS"),
        *(line for command in commands[1:] for line in _describe_command(command)),
        *(".SH EXIT STATUS", *_list_statuses(exit_status)),
        *(".SH FILES", *(line for file, text in FILES for line in _item(_bold(file), text))),
        *(".SH SEE ALSO", r"\fB/usr/share/doc/banco/docs/how-to/install.md\fR"),
    ]
    return "\n".join(lines) + "\n"


def _describe_command(command: CommandHelp) -> Iterator[str]:
    yield f".SS {_escape(command.name)}"
    yield _sentence(command.text)
    if command.below:
        return
    usage = " ".join(command.parser.format_usage().removeprefix("usage: ").split())
    yield from (".PP", _bold(usage))
    formatter = command.parser._get_formatter()
    for action in command.arguments:
        words = formatter._format_action_invocation(action).split()
        name = " ".join(_bold(one) if one[0] == "-" else rf"\fI{_escape(one)}\fR" for one in words)
        yield from _item(name, formatter._expand_help(action) if action.help else "")
    if example := (command.parser.epilog or "").removeprefix("example: "):
        yield from (".PP", f"Example: {_bold(example)}")


def _list_statuses(page: str) -> Iterator[str]:
    """The page's first table: a status and its meaning in each row."""
    for status, meaning in re.findall(r"^\| (\d+) \| (.+) \|$", page, re.MULTILINE):
        text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", meaning).replace("`", "").replace(r"\|", "|")
        yield from _item(_bold(status), text)


def _item(name: str, text: str) -> Iterator[str]:
    yield from (".TP", name, _sentence(text))


def _sentence(text: str) -> str:
    return _escape(text[:1].upper() + text[1:].rstrip(".") + ".")


def _bold(text: str) -> str:
    return rf"\fB{_escape(text)}\fR"


def _escape(text: str) -> str:
    """As troff reads it: no backslash, no hyphen, no leading dot has a meaning of its own."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("\n", " ")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
