"""Questions to an operator, on a terminal or from a pipe; never on standard output."""

import sys
from getpass import getpass

YES = frozenset({"y", "yes"})


class NoAnswer(Exception):
    """The pipe that answers has ended."""


def confirm(question: str) -> bool:
    """Ask for yes or no; anything except yes is no. Raises NoAnswer."""
    return ask_line(f"{question} [y/N] ").strip().lower() in YES


def ask_line(question: str) -> str:
    """Ask for a line, or read the next one of a pipe. Raises NoAnswer."""
    print(question, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise NoAnswer(f"{question.strip()} (no answer)")
    return line.rstrip("\n")


def ask_password(role: str) -> str:
    """Ask for the role's password, without echo. Raises NoAnswer."""
    question = f"password of {role}: "
    return getpass(question) if sys.stdin.isatty() else ask_line(question)
