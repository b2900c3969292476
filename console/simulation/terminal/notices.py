"""What whoever sits before a simulation is told besides what he has asked."""

import sys
from collections.abc import Callable


def _on_standard_error(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Notices:
    """`hear`: who is told; standard error until a face puts itself in its place.

    `on_terminal`: it has, and somebody sits before it.
    """

    def __init__(self) -> None:
        self.hear: Callable[[str], None] = _on_standard_error

    @property
    def on_terminal(self) -> bool:
        """See the class."""
        return self.hear is not _on_standard_error

    def tell(self, text: str) -> None:
        """Tell it."""
        self.hear(text)
