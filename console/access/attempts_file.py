"""Wrong PINs kept over a start, so that pulling the plug does not end a delay."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec

from console.access.delays import REMEMBERED, SHARED
from console.access.people import is_name
from console.access.whole_file import write_whole

log = logging.getLogger(__name__)

ATTEMPTS_FILE = "wrong-pins.json"
"""Its name in the ledger's folder."""

LONGEST_FILE = 8 * 1024
MODE = 0o600

_Counts = dict[str, Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]]


def load_counts(file: Path) -> Mapping[str, int]:
    """Wrong PINs by account; none where there is no file.

    A damaged file reads as none, and that is logged: power cannot damage it, and who else may
    write there needs no PIN.
    """
    try:
        with file.open("rb") as opened:
            counts = msgspec.json.decode(opened.read(LONGEST_FILE), type=_Counts)
        _check(counts)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:  # msgspec's own are ValueErrors
        log.error("%s: wrong PINs of before are forgotten: %s", file, error)
        return {}
    return counts


def save_counts(file: Path, counts: Mapping[str, int]) -> None:
    """Write them, whole. Raises OSError."""
    write_whole(file, msgspec.json.encode(counts), mode=MODE)


def _check(counts: Mapping[str, int]) -> None:
    names = [name for name in counts if name != SHARED]
    if len(names) > REMEMBERED or not all(map(is_name, names)):
        raise ValueError("these are not accounts of names")
