"""The manual page banco(1), made from the commands' own help."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from systemd.debian.command_help import Argument, CommandHelp

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
        *(".SH COMMANDS", *(line for command in commands[1:] for line in _describe(command))),
        *(".SH EXIT STATUS", *_list_statuses(exit_status)),
        *(".SH FILES", *(line for file, text in FILES for line in _item(_bold(file), text))),
        *(".SH SEE ALSO", r"\fB/usr/share/doc/banco/docs/how-to/install.md\fR"),
    ]
    return "\n".join(lines) + "\n"


def _describe(command: CommandHelp) -> Iterator[str]:
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
