"""The nights of a soak: by their seed, and by what a kill before them has left."""

import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from console.rules.records import UnreadableRecord
from console.service.disk_thread import DISK_ERRORS
from tests.soak.night import SETTINGS, VERIFIED_EVERY, Night, Setting

FAILURES = (AssertionError, TimeoutError, UnreadableRecord, *DISK_ERRORS)
"""What a night that went wrong raises; anything else is a mistake of the soak's own."""

BEFORE = "before"
FAILURE_FILE = "failure.json"


@dataclass(frozen=True, slots=True)
class Order:
    """A night that is to be: its number chooses the table, all three its acts and instants."""

    seed: int
    number: int
    kills: int

    @property
    def setting(self) -> Setting:
        """The table."""
        return SETTINGS[self.number % len(SETTINGS)]

    def random(self, kill: int) -> Random:
        """What decides in this life, whatever came before it."""
        return Random(f"{self.seed}/{self.number}/{kill}")


@dataclass(frozen=True, slots=True)
class Failure:
    """A kill after which something was wrong. Its night's folder was kept in `kept`.

    `log`: what was done in that life; `turned`: the key before it. `loss`: what was told is not
    there, or not once.
    """

    order: Order
    kill: int
    error: str
    loss: bool
    turned: str
    log: list[str]
    kept: str


class NightFailed(Exception):
    """A night that went wrong."""

    def __init__(self, failure: Failure, night: Night) -> None:
        super().__init__(failure.error, failure.log)
        self.failure = failure
        self.night = night


async def one_night(order: Order, folder: Path) -> Night:
    """Kill a new table so often, and end it in order. Raises Failed; the folder stays then."""
    folder.mkdir(parents=True)
    place = folder / "night"
    place.mkdir()
    night = Night(place, order.setting)
    for kill in range(order.kills):
        keep_as_before(place, folder / BEFORE)
        await _one_life(night, order, kill, folder)
    return night


async def again(kept: Path, place: Path) -> None:
    """Repeat the life a failure was found in, from where it began. Raises Failed, OSError."""
    failure = json.loads((kept / FAILURE_FILE).read_text("utf-8"))
    order = Order(**failure["order"])
    shutil.copytree(kept / BEFORE, place)
    night = Night(place, order.setting)
    night.player.log.append(failure["turned"])
    await _one_life(night, order, failure["kill"], place.parent)


async def _one_life(night: Night, order: Order, kill: int, folder: Path) -> None:
    begun, turned = len(night.player.log), night.player.turned
    try:
        await night.kill(order.random(kill))
        if (kill + 1) % VERIFIED_EVERY == 0:
            night.verify_ledger()
        if kill + 1 == order.kills:
            await night.end()
    except FAILURES as error:
        message = f"{type(error).__name__}: {error}"
        loss = isinstance(error, AssertionError)
        log = night.player.log[begun:]
        failure = Failure(order, kill, message, loss, turned, log, str(folder))
        (folder / FAILURE_FILE).write_text(json.dumps(asdict(failure), indent=1), "utf-8")
        raise NightFailed(failure, night) from error


def keep_as_before(place: Path, before: Path) -> None:
    """What the next life finds, so that it can be repeated from there."""
    shutil.rmtree(before, ignore_errors=True)
    shutil.copytree(place, before, ignore=shutil.ignore_patterns("terminals", "line"))
