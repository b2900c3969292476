"""What each command of `banco` does.

Heavy modules are imported only when needed: a table's start is quick.
"""

import argparse
import sys
from collections.abc import Callable

DONE, FAILED, UNUSABLE = 0, 1, 2
"""Exit statuses: done; done, with a negative result; not possible as asked."""

_DOCUMENTED_IN = {
    "cryptography": "how-to/audit.md",
    "psycopg": "how-to/link.md",
    "aiohttp": "how-to/room.md",
}


def answer_link(options: argparse.Namespace) -> int:
    """Work at the centre of a linked jackpot."""

    def run_centre() -> int:
        from console.office.link.command import answer

        return answer(options)

    return _with_library(f"link {options.link}", "psycopg", run_centre)


def answer_tournament(options: argparse.Namespace) -> int:
    """Work at a tournament jackpot."""

    def run_tournament() -> int:
        from console.office.tournament.command import answer

        return answer(options)

    return _with_library(f"tournament {options.link}", "psycopg", run_tournament)


def _with_library(command: str, library: str, answer: Callable[[], int]) -> int:
    """Answer; print an error where an optional library is needed and missing."""
    try:
        return answer()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != library:
            raise
        print(
            f"banco {command} needs the library {library}, which is not installed: see "
            f"docs/{_DOCUMENTED_IN[library]}",
            file=sys.stderr,
        )
        return UNUSABLE
