"""The parser of every command's arguments."""

from argparse import Action, ArgumentError, ArgumentParser, ArgumentTypeError
from typing import Any

from jackpot.foreign_text import quote

MOST_DIGITS = 18
"""Each such number is one of SQLite and of PostgreSQL."""


class CommandParser(ArgumentParser):
    """Parses arguments; a wrong one ends the process with status 2."""

    def _get_values(self, action: Action, arg_strings: list[str]) -> Any:
        """Refuse `--option=--`, of which Python up to 3.12 makes an empty list."""
        if action.option_strings and arg_strings == ["--"]:
            raise ArgumentError(action, "expected one argument")
        return super()._get_values(action, arg_strings)


def whole_number(text: str) -> int:
    """A whole number from 0 on, in ASCII digits. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"{quote(text)} is no whole number from 0 on, such as 17")
    if len(text) > MOST_DIGITS:
        raise ArgumentTypeError(f"{quote(text)} is too large: at most {MOST_DIGITS} digits")
    return int(text)
