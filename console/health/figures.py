"""What the service measures about itself (docs/health.md). Nothing here decides anything."""

import logging
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Iterable, Mapping

from console.acts import Act
from console.health.stall import LoopStall
from console.health.surroundings import Surroundings
from console.round import Step
from console.service import Disk, TableService
from devices.figures import DeviceFigures

log = logging.getLogger(__name__)

LOOK_EVERY_S = 10.0
"""How often disk, memory, heat and supply are read."""

LINE_EVERY_S = 60.0


class Health:
    """The figures of one service, measured from `start` to `stop`; all on the event loop.

    `devices` tells how each device fares now.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        service: TableService,
        disk: Disk,
        devices: Callable[[], Iterable[DeviceFigures]],
        surroundings: Surroundings,
    ) -> None:
        self._loop = loop
        self._service = service
        self._disk = disk
        self._devices = devices
        self._surroundings = surroundings
        self._stall = LoopStall(loop)
        self._began = loop.time()
        self._acts = 0
        self._refused = 0
        self._seen: Mapping[str, float] = {}
        self._timers: dict[Callable[[], None], TimerHandle] = {}
        self._stopped = False

    def start(self) -> None:
        """Measure from now on, and write a line of statistics into the log each minute."""
        self._began = self._loop.time()
        self._service.watchers.append(self._acted)
        self._stall.start()
        self._look()
        self._later(LINE_EVERY_S, self._tell)

    def stop(self) -> None:
        """Measure no more, not even what the disk's thread is still asked for."""
        self._stopped = True
        self._stall.stop()
        for timer in self._timers.values():
            timer.cancel()
        self._service.watchers.remove(self._acted)

    def numbers(self) -> Mapping[str, float]:
        """The figures by their keys in docs/health.md, as they are now; unknown ones left out."""
        commits = self._disk.books.commit_times
        links = [figures.link for figures in self._devices()]
        return {
            "up_s": self._loop.time() - self._began,
            "loop_stall_ms": self._stall.of_the_last_minute_ms,
            "loop_stall_max_ms": self._stall.longest_ms,
            "acts": self._acts,
            "refused_acts": self._refused,
            "waiting_acts": self._service.waiting_acts,
            "commits": commits.count,
            "commit_last_ms": commits.last_ms,
            "commit_mean_ms": commits.mean_ms,
            "commit_max_ms": commits.max_ms,
            "frames_in": sum(link.received for link in links),
            "frames_out": sum(link.sent for link in links),
            "frames_bad": sum(link.bad for link in links),
            "retries": sum(link.retries for link in links),
            **self._seen,
        }

    def _acted(self, _act: Act, step: Step) -> None:
        self._acts += 1
        if step.refusal is not None:
            self._refused += 1

    def _look(self) -> None:
        self._disk.scribe.do(self._surroundings.read, self._looked, self._blind)

    def _looked(self, seen: Mapping[str, float]) -> None:
        self._seen = seen
        self._later(LOOK_EVERY_S, self._look)

    def _blind(self, _error: Exception) -> None:
        """The disk does not answer: what is not known is not told."""
        self._looked({})

    def _tell(self) -> None:
        log.info("%s", statistics_line(self.numbers()))
        self._later(LINE_EVERY_S, self._tell)

    def _later(self, seconds: float, then: Callable[[], None]) -> None:
        if not self._stopped:
            self._timers[then] = self._loop.call_later(seconds, then)


def statistics_line(numbers: Mapping[str, float]) -> str:
    """All figures in one line, `acts=12 commit_max_ms=3.1`, for people and for programs."""
    return " ".join(f"{key}={_written(value)}" for key, value in numbers.items())


def _written(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
