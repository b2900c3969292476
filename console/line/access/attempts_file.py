"""The file of wrong PINs, so that pulling the plug does not end a delay."""

import logging
from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import msgspec

from console.configuration.whole_file import write_whole
from console.line.access.delays import REMEMBERED, SHARED, WrongCounts
from console.line.access.people import MOST_PEOPLE, is_name
from jackpot.named_files import open_regular

log = logging.getLogger(__name__)

ATTEMPTS_FILE = "wrong-pins.json"
PAGE_ATTEMPTS_FILE = "page-wrong-pins.json"
"""In the ledger's folder. Two files: wrong PINs from the network keep nobody out of the line."""

LONGEST_FILE = 8 * 1024
MODE = 0o600

_Counts = dict[str, Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]]


class _CountsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`WrongCounts` as stored."""

    answered: _Counts
    people: _Counts


def load_counts(file: Path) -> WrongCounts:
    """Read the counts; empty if there is no file.

    A damaged file counts as empty, and that is logged: a power cut cannot damage it, and anybody
    else who can write there needs no PIN.
    """
    try:
        with open_regular(file) as opened:
            stored = msgspec.json.decode(opened.read(LONGEST_FILE), type=_CountsFile)
        _check([name for name in stored.answered if name != SHARED], REMEMBERED)
        _check(stored.people, MOST_PEOPLE)
    except FileNotFoundError:
        return WrongCounts()
    except (OSError, ValueError) as error:  # msgspec's errors are ValueErrors
        log.error("%s: earlier wrong PINs are forgotten: %s", file, error)
        return WrongCounts()
    return WrongCounts(stored.answered, stored.people)


def save_counts(file: Path, counts: WrongCounts) -> None:
    """Write the file as a whole. Raises OSError."""
    write_whole(file, msgspec.json.encode(counts), mode=MODE)


def _check(names: Collection[str], at_most: int) -> None:
    if len(names) > at_most or not all(map(is_name, names)):
        raise ValueError("too many names, or an invalid one")
