"""Notices for the person in front of a simulation."""

import sys
from collections.abc import Callable


def _on_standard_error(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Notices:
    """Shows notices on standard error, until a screen takes them."""

    def __init__(self) -> None:
        self.show: Callable[[str], None] = _on_standard_error

    @property
    def on_terminal(self) -> bool:
        """Whether a screen shows them, so that somebody sits in front of it."""
        return self.show is not _on_standard_error
