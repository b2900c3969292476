"""Questions to whoever gives a command, on a terminal or from a pipe; never on standard output."""

import sys
from getpass import getpass

from jackpot.failures import Refused

YES = frozenset({"y", "yes"})


class NoAnswer(Refused):
    """The terminal or the pipe that answers has ended."""


def confirm(question: str) -> bool:
    """Ask for yes or no; anything except yes is no. Raises NoAnswer."""
    return ask_line(f"{question} [y/N] ").strip().lower() in YES


def ask_line(question: str) -> str:
    """Ask for a line, or read the next one of a pipe. Raises NoAnswer."""
    print(question, end="", file=sys.stderr, flush=True)
    return _read_line(question)


def ask_hidden(question: str) -> str:
    """Ask for a line without echo, or read the next one of a pipe in silence. Raises NoAnswer."""
    if not sys.stdin.isatty():
        return _read_line(question)
    try:
        return getpass(question)
    except EOFError:
        raise _no_answer(question) from None


def ask_password(role: str) -> str:
    """Ask for the password of a database's role. Raises NoAnswer."""
    return ask_hidden(f"password of {role}: ")


def _read_line(question: str) -> str:
    line = sys.stdin.readline()
    if not line:
        raise _no_answer(question)
    return line.rstrip("\n")


def _no_answer(question: str) -> NoAnswer:
    return NoAnswer(f"{question.strip()} (no answer)")
