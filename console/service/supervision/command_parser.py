"""The parser of every command's arguments."""

from argparse import Action, ArgumentError, ArgumentParser, ArgumentTypeError
from collections.abc import Iterable
from typing import Any

from jackpot.foreign_text import quote

MOST_DIGITS = 18
"""Each such number is one of SQLite and of PostgreSQL."""


class CommandParser(ArgumentParser):
    """Parses arguments; a wrong one ends the process with status 2, and names the nearest."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what is unknown here, with the usage of the command that was typed.

        `parse_args` would refuse it with the usage of `banco`.
        """
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            options_there = tuple(self._option_string_actions)
            typed = [word.partition("=")[0] for word in unknown if word.startswith("-")]
            near = [name for word in typed for name in _nearest(word, options_there)]
            perhaps = f"; perhaps {' '.join(near)}" if near else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{perhaps}")
        return options, unknown

    def _check_value(self, action: Action, value: Any) -> None:
        """Refuse what is none of the choices, naming the nearest; Python's own words vary."""
        if action.choices is None or value in action.choices:
            return
        names = [str(one) for one in action.choices]
        perhaps = "".join(f"; perhaps {near}" for near in _nearest(str(value), names))
        text = f"invalid choice: {value!r}{perhaps} (choose from {', '.join(names)})"
        raise ArgumentError(action, text)

    def _get_values(self, action: Action, arg_strings: list[str]) -> Any:
        """Refuse `--option=--`, of which Python up to 3.12 makes an empty list."""
        if action.option_strings and arg_strings == ["--"]:
            raise ArgumentError(action, "expected one argument")
        return super()._get_values(action, arg_strings)


def _nearest(typed: str, names: Iterable[str]) -> list[str]:
    """The name that is most like the typed one; empty if none is."""
    from difflib import get_close_matches

    return get_close_matches(typed.lower(), list(names), n=1)


def whole_number(text: str) -> int:
    """A whole number from 0 on, in ASCII digits. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"{quote(text)} is no whole number from 0 on, such as 17")
    if len(text) > MOST_DIGITS:
        raise ArgumentTypeError(f"{quote(text)} is too large: at most {MOST_DIGITS} digits")
    return int(text)
