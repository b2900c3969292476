"""What the service measures about itself (docs/reference/health.md). No decision depends on it."""

import logging
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Mapping

from console.rules.acts import ENTRY_FORGOTTEN_S, Act, Entered, EntryRefused
from console.rules.link_state import LinkState
from console.rules.round import Transition
from console.service.health.loop_stall import LoopStall
from console.service.health.surroundings import Surroundings
from console.service.table_service import TableService
from console.texts.catalogue.findings import FindingCode

MISTAKES = 5
"""Wrong PINs in a row that are a person's own; one more is somebody who guesses."""

MOST = 64
"""The most names remembered, the oldest are forgotten first."""


class GuessedPins:
    """Counts them by the acts on record, of the line and of the pages; used on the event loop."""

    def __init__(self, now: Callable[[], float]) -> None:
        """`now`: seconds of the loop's clock."""
        self._now = now
        self._since: dict[str, float] = {}

    def on_act(self, act: Act, _step: Transition) -> None:
        """Note an act, once it is committed."""
        if isinstance(act, EntryRefused) and act.wrong > MISTAKES:
            self._since.pop(act.who, None)
            self._since[act.who] = self._now()
            while len(self._since) > MOST:
                del self._since[next(iter(self._since))]
        elif isinstance(act, Entered):
            self._since.pop(act.who, None)

    @property
    def findings(self) -> tuple[str, ...]:
        """What the room hears of a linked table."""
        return (FindingCode.PIN_GUESSED.value,) if self.count else ()

    @property
    def count(self) -> int:
        """The names under which a PIN is guessed now."""
        after = self._now() - ENTRY_FORGOTTEN_S
        self._since = {name: at for name, at in self._since.items() if at > after}
        return len(self._since)


log = logging.getLogger(__name__)

LOOK_EVERY_S = 10.0
"""How often the figures of the computer are read."""

LINE_EVERY_S = 60.0
"""How often the statistics line is logged."""


class Health:
    """The figures of the service that runs the table; used on the event loop.

    `surroundings` are read in the disk thread; `stall` is the loop's selector; `lines_lost` counts
    log lines that were not written.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        surroundings: Surroundings,
        stall: LoopStall,
        lines_lost: Callable[[], int] = lambda: 0,
    ) -> None:
        self._loop = loop
        self.stall = stall
        self._surroundings = surroundings
        self._lines_lost = lines_lost
        self._watch: _Watch | None = None

    def follow(self, service: TableService | None) -> None:
        """Measure this service from now on, from zero; None: its power is out."""
        if self._watch is not None:
            self._watch.end()
        self._watch = _Watch(self._loop, service, self._surroundings, self) if service else None

    def numbers(self) -> Mapping[str, float]:
        """The present figures that are known, by their keys in docs/reference/health.md."""
        if self._watch is None:
            return {}
        return {**self._watch.numbers(), "log_lines_lost": self._lines_lost()}

    def log_line(self) -> None:
        """Log the figures in one line."""
        log.info("%s", statistics_line(self.numbers()))


class _Watch:
    """The measurements of one service."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        service: TableService,
        surroundings: Surroundings,
        health: Health,
    ) -> None:
        self._loop = loop
        self._service = service
        self._surroundings = surroundings
        self._health = health
        self._began = loop.time()
        self._acts = 0
        self._refused = 0
        self._seen: Mapping[str, float] = {}
        self._timers: dict[str, TimerHandle] = {}
        self._ended = False
        service.watchers.append(self._on_act)
        self._guessed = GuessedPins(loop.time)
        service.watchers.append(self._guessed.on_act)
        if service.drivers.link is not None:
            service.drivers.link.tell_findings(lambda: self._guessed.findings)
        health.stall.start()
        self._look()
        self._later("line", LINE_EVERY_S, self._log_line)

    def end(self) -> None:
        """Stop measuring; an answer that is still due from the disk thread is ignored."""
        self._ended = True
        for timer in self._timers.values():
            timer.cancel()
        self._service.watchers.remove(self._on_act)
        self._service.watchers.remove(self._guessed.on_act)

    def numbers(self) -> dict[str, float]:
        """The present figures."""
        commits = self._service.table_ledger.commit_times
        lines = [figures.counts for figures in self._service.drivers.figures()]
        return {
            "up_s": self._loop.time() - self._began,
            "loop_stall_ms": self._health.stall.of_the_last_minute_ms,
            "loop_stall_max_ms": self._health.stall.longest_ms,
            "acts": self._acts,
            "refused_acts": self._refused,
            "waiting_acts": self._service.waiting_acts,
            "pins_guessed": self._guessed.count,
            "commits": commits.count,
            "commit_last_ms": commits.last_ms,
            "commit_mean_ms": commits.mean_ms,
            "commit_max_ms": commits.max_ms,
            "frames_in": sum(counts.received for counts in lines),
            "frames_out": sum(counts.sent for counts in lines),
            "frames_bad": sum(counts.bad for counts in lines),
            "retries": sum(counts.retries for counts in lines),
            **measure_link(self._service),
            **self._service.table_ledger.counterpart_numbers(),
            **self._seen,
        }

    def _on_act(self, _act: Act, step: Transition) -> None:
        self._acts += 1
        if step.refusal is not None:
            self._refused += 1

    def _look(self) -> None:
        self._service.disk_writer.do(
            self._surroundings.read, self._on_surroundings, self._on_no_answer
        )

    def _on_surroundings(self, seen: Mapping[str, float]) -> None:
        self._seen = seen
        self._later("look", LOOK_EVERY_S, self._look)

    def _on_no_answer(self, _error: Exception) -> None:
        """The disk does not answer: the figures of the computer are unknown."""
        self._on_surroundings({})

    def _log_line(self) -> None:
        self._health.log_line()
        self._later("line", LINE_EVERY_S, self._log_line)

    def _later(self, what: str, seconds: float, then: Callable[[], None]) -> None:
        if not self._ended:
            self._timers[what] = self._loop.call_later(seconds, then)


def measure_link(service: TableService) -> dict[str, float]:
    """The figures of the link; none at a table that is not linked."""
    link = service.state.link
    if not isinstance(link, LinkState):
        return {}
    return {
        "link_lost": float(service.state.off_link),
        "link_calls_waiting": len(link.outbox),
        "link_last_answered": link.answered,
    }


def statistics_line(numbers: Mapping[str, float]) -> str:
    """All figures in one line: `acts=12 commit_max_ms=3.1`."""
    return " ".join(f"{key}={_format_number(value)}" for key, value in numbers.items())


def _format_number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
