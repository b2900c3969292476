"""What runs beside a table, real or simulated: health, metrics, the local line."""

from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from console.configuration.sections import Configuration
from console.line.local_line import LineSource, open_line
from console.line.watches import ClockWatch, PeopleWatch
from console.rules.acts import Act, CounterpartChanged, Elapsed, HeadSigned
from console.rules.round import Transition
from console.service.health.figures import Health
from console.service.health.log import LogHandler
from console.service.health.loop_stall import LoopStall
from console.service.health.surroundings import Surroundings
from console.service.supervision.main_loop import Ending
from console.service.table_service import Follower, TableService
from jackpot.failures import Unavailable

if TYPE_CHECKING:
    from jackpot.trust.seal_signing import Signed

LIBRARY = "prometheus_client"


@contextmanager
def serve_metrics(
    loop: AbstractEventLoop, configuration: Configuration | None, health: Health
) -> Iterator[Follower]:
    """Serve metrics meanwhile, if they are configured.

    Yields a function that is called with the service to be followed, after `health` follows it.
    Raises Unavailable.
    """
    if configuration is None or configuration.metrics is None:
        yield lambda _service: None
        return
    port = configuration.metrics.port
    try:
        from console.service.health.metrics import Metrics
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != LIBRARY:
            raise
        raise Unavailable(
            f"metrics.port: {port} needs the library {LIBRARY}: install banco[metrics], "
            "or leave the section [metrics] out"
        ) from error
    from console.service.health.metrics import MetricsServer

    metrics = Metrics(loop, configuration.plan(), health)
    server = MetricsServer(port, metrics.text)
    server.start()
    try:
        yield metrics.follow
    finally:
        metrics.stop()
        server.close()


class Companions(Struct, frozen=True):
    """The parts that run beside a table."""

    ending: Ending
    """Ends the main loop, so that systemd starts the service again."""

    followers: tuple[Follower, ...]

    def follow(self, service: TableService | None) -> None:
        """Follow the service that runs the table from now on; None: its power is off."""
        for follow in self.followers:
            follow(service)


def lock_on_finding(loop: AbstractEventLoop) -> Follower:
    """Lock the table as soon as the second look at the ledger, or a witness, finds a difference.

    Every act checks the ledger, so an `Elapsed` is reported without waiting for the next act.
    """

    def follow(service: TableService | None) -> None:
        if service is None:
            return

        def on_finding() -> None:  # in another thread
            if not loop.is_closed():
                loop.call_soon_threadsafe(service.report, Elapsed())

        service.table_ledger.on_damage(on_finding)

    return follow


def record_signed_heads(loop: AbstractEventLoop) -> Follower:
    """Put each head that the seal's thread signs, with a raised counter, on record."""

    def follow(service: TableService | None) -> None:
        if service is None:
            return

        def on_signed(signed: "Signed") -> None:  # in another thread
            act = HeadSigned(**asdict(signed.head), store=signed.store, accepted=signed.accepted)
            if not loop.is_closed():
                loop.call_soon_threadsafe(service.report, act)

        service.table_ledger.on_signed(on_signed)

    return follow


def report_witnesses(loop: AbstractEventLoop) -> Follower:
    """Put on record that a witness is not the one it was; only then it may begin anew."""

    def follow(service: TableService | None) -> None:
        if service is None:
            return
        table_ledger = service.table_ledger

        def on_doubt(witness: str, why: str) -> None:  # in the witness's thread
            if not loop.is_closed():
                loop.call_soon_threadsafe(service.report, CounterpartChanged(witness, why))

        def on_act(act: Act, step: Transition) -> None:
            if isinstance(act, CounterpartChanged) and not step.state.locked:
                table_ledger.allow_anew(act.counterpart)

        service.watchers.append(on_act)
        table_ledger.on_counterpart_doubt(on_doubt)

    return follow


def restart_when_due(restart: Callable[[], None]) -> Follower:
    """Start anew once the jackpot is won and its round over: the next one has other settings."""

    def follow(service: TableService | None) -> None:
        if service is None:
            return

        def on_act(_act: Act, step: Transition) -> None:
            if step.state.due_settings is not None and service.at_rest:  # a start adopts them
                restart()

        service.watchers.append(on_act)

    return follow


@contextmanager
def run_companions(
    loop: AbstractEventLoop,
    source: LineSource,
    journal: LogHandler,
    surroundings: Surroundings,
    stall: LoopStall,
) -> Iterator[Companions]:
    """Run them for the duration of the block. The loop must not run when it begins and ends.

    `stall` is its selector.

    Raises Unavailable.
    """
    health = Health(loop, surroundings, stall, lambda: journal.lines_lost)
    clock, ending = ClockWatch(loop), Ending(loop)
    configuration = source.table.in_force if source.table is not None else None
    line = open_line(loop, source, journal.ring, health.numbers, ending.restart)
    with serve_metrics(loop, configuration, health) as follow_metrics, line as follow_line:
        try:
            people = PeopleWatch(loop, source.people)
            on_ledger = lock_on_finding(loop), record_signed_heads(loop), report_witnesses(loop)
            watches = health.follow, clock.follow, people.follow
            due = restart_when_due(ending.restart)
            followers = *watches, follow_metrics, follow_line, *on_ledger, due
            yield Companions(ending, followers)
        finally:
            clock.follow(None)
            people.follow(None)
            health.follow(None)
