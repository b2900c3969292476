"""The commands of banco as their own help describes them: completion in bash, manual page."""

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from console.command_line.main import make_parser

HEAD = """\
# bash completion for banco(1), made from the commands' own help.

_banco() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=banco options='' commands='' word
    COMPREPLY=()
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "$command $word" in
"""
MIDDLE = """\
        esac
    done
    case $command in
"""
TAIL = """\
    esac
    case $current in
    -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current") ;;
    *)
        if [ -n "$commands" ]; then
            mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
        else
            compopt -o default
        fi
        ;;
    esac
}

complete -F _banco banco
"""

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


def write_completion(commands: Sequence[CommandHelp]) -> str:
    """Return the script: commands and options, an option's choices, and files elsewhere."""
    paths = [" ".join(command.words) for command in commands[1:]]
    steps = "".join(f'        "{path}") command="{path}" ;;\n' for path in paths)
    cases = "".join(line for command in commands for line in _write_case(command))
    return HEAD + steps + MIDDLE + cases + TAIL


def _write_case(command: CommandHelp) -> Iterator[str]:
    options = " ".join(flag for argument in command.arguments for flag in argument.flags)
    yield f'    "{" ".join(command.words)}")\n'
    yield f'        options="{options}" commands="{" ".join(command.below)}"\n'
    choosing = [one for one in command.arguments if one.flags and (one.choices or one.value)]
    if choosing:
        yield "        case $before in\n"
        yield from (_write_choices(argument) for argument in choosing)
        yield "        esac\n"
    yield "        ;;\n"


def _write_choices(argument: Argument) -> str:
    """After an option with a value come its choices; without any, a file's name."""
    flags = " | ".join(argument.flags)
    choices = " ".join(argument.choices)
    return f"        {flags}) options='' commands='{choices}' ;;\n"


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
        *(".SH DESCRIPTION", _escape(commands[0].text)),
        *(
            ".SH COMMANDS",
            *(line for command in commands[1:] for line in _describe_command(command)),
        ),
        *(".SH EXIT STATUS", *_list_statuses(exit_status)),
        *(".SH FILES", *(line for file, text in FILES for line in _item(_bold(file), text))),
        *(".SH SEE ALSO", r"\fB/usr/share/doc/banco/docs/how-to/install.md\fR"),
    ]
    return "\n".join(lines) + "\n"


def _describe_command(command: CommandHelp) -> Iterator[str]:
    yield f".SS {_escape(' '.join(command.words))}"
    yield _sentence(command.text)
    if command.below:
        return
    yield ".PP"
    yield _bold(command.usage)
    for argument in command.arguments:
        if "--help" not in argument.flags:
            yield from _item(_name(argument), argument.text)
    if command.example:
        yield from (".PP", f"Example: {_bold(command.example)}")


def _name(argument: Argument) -> str:
    value = rf"\fI{_escape(argument.value)}\fR" if argument.value else ""
    flags = ", ".join(map(_bold, argument.flags))
    return f"{flags} {value}".strip()


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
