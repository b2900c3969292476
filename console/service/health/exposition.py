"""The figures as Prometheus metrics. Imported only if metrics are configured.

See docs/reference/health.md.
"""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from console.rules.codes import Fault
from devices.figures import DeviceFigures, LineCounts

MILLI = 0.001
MEGA = 1_000_000.0


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
GAUGE, COUNTER = GaugeMetricFamily, CounterMetricFamily

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
    "not_compared": ("banco_not_compared", GAUGE, 1, "Counterparts that said nothing at start."),
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
