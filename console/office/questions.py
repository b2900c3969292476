"""Questions to whoever gives a command, on a terminal or from a pipe; never on standard output.

Each raises Refused when the terminal or the pipe that answers has ended.
"""

import sys
from getpass import getpass

from console.texts.language import YES, Language
from jackpot.failures import Refused


def confirm(question: str) -> bool:
    """Ask for yes or no; anything except yes is no."""
    return ask_line(f"{question} [y/N] ").strip().lower() in YES[Language.EN]


def ask_line(question: str) -> str:
    """Ask for a line, or read the next one of a pipe."""
    print(question, end="", file=sys.stderr, flush=True)
    return _read_line(question)


def ask_hidden(question: str) -> str:
    """Ask for a line without echo, or read the next one of a pipe in silence."""
    if not sys.stdin.isatty():
        return _read_line(question)
    try:
        return getpass(question)
    except EOFError:
        print(file=sys.stderr)  # the question has no line's end
        raise _no_answer(question) from None


def ask_password(role: str) -> str:
    """Ask for the password of a database's role."""
    return ask_hidden(f"password of {role}: ")


def _read_line(question: str) -> str:
    line = sys.stdin.readline()
    if not line:
        raise _no_answer(question)
    return line.rstrip("\n")


def _no_answer(question: str) -> Refused:
    return Refused(f"{question.strip()} (no answer)")
