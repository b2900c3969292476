"""Where metrics are made, for a configuration that asks for them; the library is optional."""

from asyncio import AbstractEventLoop
from collections.abc import Iterator
from contextlib import contextmanager

from console.configuration.sections import Configuration
from console.service.health.figures import Health
from console.service.table_service import Follower

LIBRARY = "prometheus_client"


class MetricsUnavailable(RuntimeError):
    """Metrics are configured, and the library for them is not installed."""


@contextmanager
def serve_metrics(
    loop: AbstractEventLoop, configuration: Configuration | None, health: Health
) -> Iterator[Follower]:
    """Tell the metrics of the service that is followed, if this is configured.

    `health` must follow it before. Raises MetricsUnavailable.
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
        raise MetricsUnavailable(
            f"metrics.port: {port} needs the library {LIBRARY}: install banco[metrics], "
            "or leave the section [metrics] out"
        ) from error
    from console.service.health.metrics_server import MetricsServer

    metrics = Metrics(loop, configuration.plan(), health)
    server = MetricsServer(port, metrics.text)
    server.start()
    try:
        yield metrics.follow
    finally:
        metrics.stop()
        server.close()
