"""The parser of every command's arguments."""

from argparse import Action, ArgumentError, ArgumentParser
from typing import Any


class CommandParser(ArgumentParser):
    """Parses arguments; a wrong one ends the process with status 2."""

    def _get_values(self, action: Action, arg_strings: list[str]) -> Any:
        """Refuse `--option=--`, of which Python up to 3.12 makes an empty list."""
        if action.option_strings and arg_strings == ["--"]:
            raise ArgumentError(action, "expected one argument")
        return super()._get_values(action, arg_strings)
