"""Wrong PINs kept over a start, so that pulling the plug does not end a delay."""

import logging
from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import msgspec

from console.configuration.whole_file import write_whole
from console.line.access.delays import REMEMBERED, SHARED, WrongCounts
from console.line.access.people import MOST_PEOPLE, is_name

log = logging.getLogger(__name__)

ATTEMPTS_FILE = "wrong-pins.json"
"""Its name in the ledger's folder."""

LONGEST_FILE = 8 * 1024
MODE = 0o600

_Counts = dict[str, Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]]


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: `WrongCounts`."""

    answered: _Counts
    people: _Counts


def load_counts(file: Path) -> WrongCounts:
    """Wrong PINs; none where there is no file.

    A damaged file reads as none, and that is logged: power cannot damage it, and who else may
    write there needs no PIN.
    """
    try:
        with file.open("rb") as opened:
            written = msgspec.json.decode(opened.read(LONGEST_FILE), type=_Written)
        _check([name for name in written.answered if name != SHARED], REMEMBERED)
        _check(written.people, MOST_PEOPLE)
    except FileNotFoundError:
        return WrongCounts()
    except (OSError, ValueError) as error:  # msgspec's own are ValueErrors
        log.error("%s: wrong PINs of before are forgotten: %s", file, error)
        return WrongCounts()
    return WrongCounts(written.answered, written.people)


def save_counts(file: Path, counts: WrongCounts) -> None:
    """Write them, whole. Raises OSError."""
    write_whole(file, msgspec.json.encode(counts), mode=MODE)


def _check(names: Collection[str], at_most: int) -> None:
    if len(names) > at_most or not all(map(is_name, names)):
        raise ValueError("these are not accounts of names")
