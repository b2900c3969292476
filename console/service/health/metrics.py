"""A table's metrics for Prometheus, and the server of http://127.0.0.1:PORT/metrics.

The event loop takes snapshots, another thread formats and serves them. Imported only if metrics are
configured.
"""

import asyncio
import logging
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Iterator, Mapping
from threading import Thread

from msgspec import Struct
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from console.configuration.table_plan import TablePlan
from console.configuration.version import VERSION
from console.rules.codes import Fault
from console.service.health.figures import Health
from console.service.table_service import TableService
from devices.figures import DeviceFigures, LineCounts

SNAPSHOT_EVERY_S = 1.0
MILLI = 0.001
MEGA = 1_000_000.0

log = logging.getLogger(__name__)

HOST = "127.0.0.1"

CONNECTIONS = 64
"""Open at the same time; further ones are closed."""

ANSWERED_WITHIN_S = 2.0

BETWEEN_ANSWERS_S = 0.02
"""The pause before each answer: many requests leave the processor to the table."""

SEEK_EVERY_S = 10.0
"""How often a port in use is tried again; meanwhile the table works without metrics."""

LONGEST_REQUEST = 4096
CLOSE_S = 2.0

CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"


GAUGE, COUNTER = GaugeMetricFamily, CounterMetricFamily


class MetricsSnapshot(Struct, frozen=True):
    """A table's figures at one instant, taken by the event loop."""

    table: str
    game: str
    version: str
    numbers: Mapping[str, float]
    faults: frozenset[Fault]
    devices_up: Mapping[str, bool]
    devices: tuple[DeviceFigures, ...]


Family = type[GaugeMetricFamily] | type[CounterMetricFamily]

FIGURES: Mapping[str, tuple[str, Family, float, str]] = {
    "up_s": ("banco_up_seconds", GAUGE, 1, "Since the service began to measure."),
    "loop_stall_ms": (
        "banco_loop_stall_seconds", GAUGE, MILLI, "How late the event loop was, last minute."
    ),
    "loop_stall_max_ms": (
        "banco_loop_stall_max_seconds", GAUGE, MILLI, "How late the event loop was, since start."
    ),
    "acts": ("banco_acts_total", COUNTER, 1, "Acts handled."),
    "refused_acts": ("banco_acts_refused_total", COUNTER, 1, "Acts refused."),
    "pins_guessed": ("banco_pins_guessed", GAUGE, 1, "Names under which a PIN is guessed."),
    "waiting_acts": ("banco_acts_waiting", GAUGE, 1, "Acts that wait for the disk."),
    "commits": ("banco_commits_total", COUNTER, 1, "Commits to the ledger."),
    "commit_last_ms": ("banco_commit_last_seconds", GAUGE, MILLI, "How long the last one took."),
    "commit_mean_ms": ("banco_commit_mean_seconds", GAUGE, MILLI, "The mean of all commits."),
    "commit_max_ms": ("banco_commit_max_seconds", GAUGE, MILLI, "The longest commit."),
    "log_lines_lost": ("banco_log_lines_lost_total", COUNTER, 1, "Log lines nobody took."),
    "disk_free_mb": ("banco_disk_free_bytes", GAUGE, MEGA, "Space on the ledger's disk."),
    "memory_mb": ("banco_memory_bytes", GAUGE, MEGA, "The service's resident memory."),
    "temperature_c": ("banco_temperature_celsius", GAUGE, 1, "Of the processor."),
    "under_voltage": ("banco_under_voltage", GAUGE, 1, "1: the supply is too weak."),
    "clock_unsynced": ("banco_clock_unsynced", GAUGE, 1, "1: no time server has answered."),
    "throttled": ("banco_throttled", GAUGE, 1, "1: the processor is slowed down."),
    "copy_lost": ("banco_copy_lost", GAUGE, 1, "1: the ledger's second copy is lost."),
    "copy_behind": ("banco_copy_behind_records", GAUGE, 1, "Records the second copy lacks."),
    "copy_late_s": ("banco_copy_late_seconds", GAUGE, 1, "For how long it has lacked any."),
    "seal_lost": ("banco_seal_lost", GAUGE, 1, "1: the ledger's seal is lost."),
    "seal_behind": ("banco_seal_behind_records", GAUGE, 1, "Records since the sealed one."),
    "seal_late_s": ("banco_seal_late_seconds", GAUGE, 1, "Since when there are any."),
    "witness_lost": ("banco_witness_lost", GAUGE, 1, "1: the witness outside is lost."),
    "witness_behind": ("banco_witness_behind_records", GAUGE, 1, "Records it does not have."),
    "witness_late_s": ("banco_witness_late_seconds", GAUGE, 1, "For how long it has lacked any."),
    "link_lost": ("banco_link_lost", GAUGE, 1, "1: the centre of the jackpot is out of reach."),
    "link_calls_waiting": ("banco_link_calls_waiting", GAUGE, 1, "Calls without an answer."),
    "link_last_answered": ("banco_link_last_answered", GAUGE, 1, "The last call answered."),
    "not_compared": ("banco_not_compared", GAUGE, 1, "Counterparts not compared at this start."),
}  # fmt: skip
"""By figure: its metric's name and kind, the factor to its unit, and its help text."""

LINES: Mapping[str, tuple[Family, Callable[[LineCounts], float | None], str]] = {
    "banco_frames_received_total": (COUNTER, lambda counts: counts.received, "Frames received."),
    "banco_frames_sent_total": (COUNTER, lambda counts: counts.sent, "Frames sent."),
    "banco_frames_bad_total": (COUNTER, lambda counts: counts.bad, "Frames with a wrong form."),
    "banco_retries_total": (COUNTER, lambda counts: counts.retries, "Frames sent again."),
    "banco_unproven_total": (COUNTER, lambda counts: counts.unproven, "Frames that proved no key."),
    "banco_connections_total": (COUNTER, lambda counts: counts.connections, "Times it was found."),
    "banco_boots_total": (COUNTER, lambda counts: counts.boots, "Times it began anew."),
    "banco_round_trip_seconds": (
        GAUGE,
        lambda counts: None if counts.round_trip_ms is None else counts.round_trip_ms * MILLI,
        "The last round trip.",
    ),
}
"""The metrics of each line, with the label `line`."""


class Exposition(Collector):
    """One table's metrics, each with the label `table`."""

    def __init__(self, snapshot: MetricsSnapshot) -> None:
        self._snapshot = snapshot

    def collect(self) -> Iterator[Metric]:
        """Every known metric."""
        snapshot = self._snapshot
        about = GAUGE("banco_info", "What runs.", labels=("table", "game", "version"))
        about.add_metric((snapshot.table, snapshot.game, snapshot.version), 1)
        yield about
        for key, (name, family, factor, text) in FIGURES.items():
            if key in snapshot.numbers:
                metric = family(name, text, labels=("table",))
                metric.add_metric((snapshot.table,), snapshot.numbers[key] * factor)
                yield metric
        faults = GAUGE("banco_fault", "1: present.", labels=("table", "fault"))
        for fault in Fault:
            faults.add_metric((snapshot.table, fault.value), fault in snapshot.faults)
        yield faults
        there = GAUGE("banco_device_up", "1: there.", labels=("table", "device"))
        for device, up in snapshot.devices_up.items():
            there.add_metric((snapshot.table, device), up)
        yield there
        yield from self._lines()

    def _lines(self) -> Iterator[Metric]:
        snapshot = self._snapshot
        for name, (family, value_of, text) in LINES.items():
            metric = family(name, text, labels=("table", "line"))
            for figures in snapshot.devices:
                value = value_of(figures.counts)
                if value is not None:
                    metric.add_metric((snapshot.table, figures.line), value)
            yield metric


def render_metrics(snapshot: MetricsSnapshot) -> bytes:
    """The snapshot in Prometheus' text format 0.0.4."""
    registry = CollectorRegistry()
    registry.register(Exposition(snapshot))
    return generate_latest(registry)


class Metrics:
    """A table's metrics, at most one second old."""

    def __init__(self, loop: AbstractEventLoop, plan: TablePlan, health: Health) -> None:
        self._loop = loop
        self._plan = plan
        self._health = health
        self._program = VERSION
        self._service: TableService | None = None
        self._timer: TimerHandle | None = None
        self._snapshot = self._make_snapshot()
        self._written = (self._snapshot, render_metrics(self._snapshot))

    def follow(self, service: TableService | None) -> None:
        """Take snapshots of this service from now on; None: its power is out."""
        self._service = service
        self.stop()
        self._take()

    def stop(self) -> None:
        """Take no more snapshots."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def text(self) -> bytes:
        """The last snapshot in Prometheus' text format. Always called from the same thread."""
        snapshot = self._snapshot
        if self._written[0] is not snapshot:
            self._written = (snapshot, render_metrics(snapshot))
        return self._written[1]

    def _take(self) -> None:
        self._snapshot = self._make_snapshot()
        self._timer = self._loop.call_later(SNAPSHOT_EVERY_S, self._take)

    def _make_snapshot(self) -> MetricsSnapshot:
        service = self._service
        return MetricsSnapshot(
            table=self._plan.table,
            game=self._plan.game,
            version=self._program,
            numbers=self._health.numbers(),
            faults=frozenset(service.state.faults if service else ()),
            devices_up={device.value: up for device, up in service.devices_up.items()}
            if service
            else {},
            devices=service.drivers.figures() if service else (),
        )


class MetricsServer:
    """Answers requests for /metrics with `text`, which is called in the server's thread."""

    def __init__(self, port: int, text: Callable[[], bytes]) -> None:
        self._port = port
        self._text = text
        self._loop = asyncio.new_event_loop()
        self._end = asyncio.Event()
        self._answering = asyncio.Lock()
        self._open: set[asyncio.StreamWriter] = set()
        self._thread = Thread(target=self._run, name="metrics", daemon=True)

    def start(self) -> None:
        """Start to listen, as soon as the port is free."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening, and end the thread."""
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(CLOSE_S)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        while not self._end.is_set():
            try:
                server = await asyncio.start_server(
                    self._handle_connection,
                    HOST,
                    self._port,
                    limit=LONGEST_REQUEST,
                    backlog=CONNECTIONS,
                )
            except OSError as error:
                log.error("metrics cannot be served on %s port %d: %s", HOST, self._port, error)
                await self._wait_for_end(SEEK_EVERY_S)
            else:
                async with server:
                    await self._end.wait()
                await self._drop_connections()

    async def _wait_for_end(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._end.wait(), seconds)
        except TimeoutError:
            return

    async def _drop_connections(self) -> None:
        """Close the open connections, and wait until their tasks have ended."""
        for one in self._open:
            one.transport.abort()
        while self._open:  # each has its own deadline
            await asyncio.sleep(BETWEEN_ANSWERS_S)

    async def _handle_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if len(self._open) >= CONNECTIONS:
            writer.transport.abort()
            return
        self._open.add(writer)
        try:
            async with asyncio.timeout(ANSWERED_WITHIN_S):
                request = await reader.readuntil(b"\r\n\r\n")
                writer.write(await self._answer(request))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            writer.transport.abort()  # no valid request, or no reader
        else:
            writer.close()
        finally:
            self._open.discard(writer)

    async def _answer(self, request: bytes) -> bytes:
        method, _, rest = request.partition(b" ")
        path = rest.partition(b" ")[0].partition(b"?")[0]
        if method != b"GET":
            return _response(b"405 Method Not Allowed", b"only GET\n")
        if path != b"/metrics":
            return _response(b"404 Not Found", b"there is only /metrics\n")
        async with self._answering:
            await asyncio.sleep(BETWEEN_ANSWERS_S)
            return _response(b"200 OK", self._text())


def _response(status: bytes, body: bytes) -> bytes:
    head = (
        b"HTTP/1.1 " + status,
        b"Content-Type: " + CONTENT_TYPE,
        b"Content-Length: %d" % len(body),
        b"Connection: close",
    )
    return b"\r\n".join(head) + b"\r\n\r\n" + body
