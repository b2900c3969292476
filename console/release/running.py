"""The release that the running program belongs to, as its own files and its signed list say."""

import logging
from collections.abc import Callable
from pathlib import Path

from msgspec import UNSET, UnsetType

from console.release.banco_check import (
    KEY,
    LIST,
    ListUnusable,
    ReleaseList,
    accept_unpacked,
    find_differences,
    read_list,
)
from console.rules.release_marks import ReleaseFound

PACKAGED = Path("/usr/lib/banco")
"""What runs from here was installed by the package, and has a list."""

RUNS_FROM = Path(__file__).resolve().parents[2]

FIRST_NAMED = 3
"""So many differences are put on record; `banco-check` lists more."""

log = logging.getLogger(__name__)


def is_release(folder: Path = RUNS_FROM) -> bool:
    """Whether this program was packaged. A checkout, or what pip has installed, was not."""
    return folder.is_relative_to(PACKAGED) or (folder / LIST).exists()


def look_at_program(
    version: str,
    wall: Callable[[], str],
    each: Callable[[], None] = lambda: None,
    *,
    folder: Path = RUNS_FROM,
    root: Path = Path("/"),
) -> ReleaseFound | UnsetType:
    """What the program's files are, held against their list; unset for no release.

    `version`: what the program calls itself, if its list cannot be read. `wall`: the time's label.
    `each` is called before each file.
    """
    if not is_release(folder):
        log.info("this program is no release: its files are not compared with a signed list")
        return UNSET
    try:
        listed = read_list(folder)
        differences = compare_program(listed, folder, root, each)
    except (ListUnusable, OSError) as error:
        return ReleaseFound(version, "", "", wall(), str(error))
    problem = describe_differences(differences)
    boards = {kind.replace("-", " "): digest for kind, digest in listed.boards.items()}
    return ReleaseFound(listed.version, listed.digest, listed.key, wall(), problem, boards)


def compare_program(
    listed: ReleaseList, folder: Path, root: Path, each: Callable[[], None] = lambda: None
) -> list[str]:
    """What differs from the list; what a refused upgrade left is right. Raises OSError."""
    differences = find_differences(listed, folder, root, each)
    return accept_unpacked(differences, listed, root, folder / KEY)


def describe_differences(differences: list[str]) -> str:
    """The first differences, and how many more there are; "" without any."""
    more = len(differences) - FIRST_NAMED
    named = "; ".join(differences[:FIRST_NAMED])
    return f"{named}; and {more} more" if more > 0 else named
