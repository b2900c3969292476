"""What goes on beside a table that runs, real or simulated: health, metrics, the local line."""

from asyncio import AbstractEventLoop
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from console.line.local_line import LineSource, open_line
from console.rules.acts import Elapsed
from console.service.health.collecting import serve_metrics
from console.service.health.figures import Health
from console.service.health.log import LogHandler
from console.service.health.surroundings import Surroundings
from console.service.supervision.main_loop import Ending
from console.service.table_service import Follower, TableService


@dataclass(frozen=True, slots=True)
class Companions:
    """Those beside a table; `ending`: how one of them has the service started again."""

    ending: Ending
    followers: tuple[Follower, ...]

    def follow(self, service: TableService | None) -> None:
        """The service that runs the table from now on; None: its power is out."""
        for follow in self.followers:
            follow(service)


def lock_when_found(loop: AbstractEventLoop) -> Follower:
    """Have a table lock by itself, not at its next act, when the second look finds something.

    Any act asks the ledger, which then says why it is not to be believed.
    """

    def follow(service: TableService | None) -> None:
        if service is None:
            return

        def found() -> None:  # in another thread
            if not loop.is_closed():
                loop.call_soon_threadsafe(service.report, Elapsed())

        service.table_ledger.on_damage(found)

    return follow


@contextmanager
def run_companions(
    loop: AbstractEventLoop, whose: LineSource, journal: LogHandler, surroundings: Surroundings
) -> Iterator[Companions]:
    """They are there. The loop does not run when this begins and ends.

    Raises MetricsUnavailable, LineUnusable.
    """
    health = Health(loop, surroundings, lambda: journal.lines_lost)
    ending = Ending(loop)
    configuration = whose.table.in_force if whose.table is not None else None
    line = open_line(loop, whose, journal.ring, health.numbers, ending.restart)
    with serve_metrics(loop, configuration, health) as tell_metrics_of, line as tell_line_of:
        try:
            followers = health.follow, tell_metrics_of, tell_line_of, lock_when_found(loop)
            yield Companions(ending, followers)
        finally:
            health.follow(None)
