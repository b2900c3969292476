"""A table's metrics for Prometheus: the event loop takes snapshots, another thread formats them.

Imported only if metrics are configured.
"""

from asyncio import AbstractEventLoop, TimerHandle

from console.configuration.table_plan import TablePlan
from console.configuration.version import VERSION
from console.service.health.exposition import MetricsSnapshot, render_metrics
from console.service.health.figures import Health
from console.service.table_service import TableService

SNAPSHOT_EVERY_S = 1.0


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
