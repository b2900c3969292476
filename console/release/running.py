"""The release that the running program belongs to, as its own files and its signed list say.

They are compared at the start, and again while the table plays: a file may change after the start.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Protocol

from msgspec import UNSET, UnsetType

from console.release.banco_check import (
    LIST,
    ListUnusable,
    find_differences,
    read_list,
)
from console.rules.release_marks import ProgramChanged, ReleaseFound
from jackpot.failures import Unavailable

if TYPE_CHECKING:  # only the table has a loop: `banco check` and `report` start without asyncio
    from asyncio import AbstractEventLoop

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


LOOKED_AGAIN_S = 3600.0
"""How long after the start, and after each look, the files are looked at again."""

CONFIRMED_AFTER_S = 300.0
"""What differs must differ still: meanwhile dpkg may put another release's units there."""

REST_S = 0.002
"""After each file: some 2,400 files take 7 s, and the table's own work goes first."""

ENDED_WITHIN_S = 1.0

Look = Callable[[Callable[[], None]], ReleaseFound | UnsetType]
"""Compares the files, calling what it is given before each; unset: this is no release."""


class TakesActs(Protocol):
    """A table's service, as far as it is told of a changed program."""

    def report(self, act: ProgramChanged) -> None:
        """Take the act."""


@contextmanager
def watch_program(
    loop: "AbstractEventLoop",
    look: Look,
    again_s: float = LOOKED_AGAIN_S,
    confirmed_s: float = CONFIRMED_AFTER_S,
) -> Iterator[Callable[[TakesActs | None], None]]:
    """Look again and again for the duration of the block; report what has changed, once."""
    services: list[TakesActs] = []
    over = Event()

    def rest() -> None:
        if over.wait(REST_S):
            raise Unavailable("the process ends: the look is given up")

    def report(why: str) -> None:
        for service in services:
            service.report(ProgramChanged(why))

    def find_problem() -> str:
        found = look(rest)
        return "" if isinstance(found, UnsetType) else found.problem

    def look_until_found() -> None:
        while not over.wait(again_s):
            if not find_problem() or over.wait(confirmed_s):
                continue
            if (why := find_problem()) and not loop.is_closed():
                log.critical("the program has changed since it was started: %s", why)
                loop.call_soon_threadsafe(report, why)
                return

    def work() -> None:
        try:
            look_until_found()
        except Unavailable:
            if not over.is_set():
                raise

    def follow(service: TakesActs | None) -> None:
        services[:] = [] if service is None else [service]

    thread = Thread(target=work, name="program watch", daemon=True)
    thread.start()
    try:
        yield follow
    finally:
        over.set()
        thread.join(ENDED_WITHIN_S)
