"""The release that the running program belongs to, as its own files and its signed list say."""

import logging
from collections.abc import Callable
from pathlib import Path

from msgspec import UNSET, UnsetType

from console.release.banco_check import (
    LIST,
    ListUnusable,
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
        differences = find_differences(listed, folder, root, each)
    except (ListUnusable, OSError) as error:
        return ReleaseFound(version, "", "", wall(), str(error))
    problem = describe_differences(differences)
    boards = {kind.replace("-", " "): digest for kind, digest in listed.boards.items()}
    return ReleaseFound(listed.version, listed.digest, listed.key, wall(), problem, boards)


def describe_unfinished(folder: Path = RUNS_FROM, packaged: Path = PACKAGED) -> str:
    """That an installation was cut short or refused, and what ends it; "" if none was.

    `preinst` writes the package's name, `postinst` takes it away (docs/dev/releasing.md). Raises
    OSError.
    """
    unfinished = packaged / "unfinished"
    if not folder.is_relative_to(packaged) or not unfinished.exists():
        return ""
    package = unfinished.read_text("utf-8").strip()
    return (
        f"the installation of {package} was not finished, and {folder.name} runs: "
        f"sudo dpkg --install ./{package}"
    )


def describe_differences(differences: list[str]) -> str:
    """The first differences, and how many more there are; "" without any."""
    more = len(differences) - FIRST_NAMED
    named = "; ".join(differences[:FIRST_NAMED])
    return f"{named}; and {more} more" if more > 0 else named
