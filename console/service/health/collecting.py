"""Starts metrics if the configuration asks for them; their library is optional."""

from asyncio import AbstractEventLoop
from collections.abc import Iterator
from contextlib import contextmanager

from console.configuration.sections import Configuration
from console.service.health.figures import Health
from console.service.table_service import Follower
from jackpot.failures import Unavailable

LIBRARY = "prometheus_client"


class MetricsUnavailable(Unavailable):
    """Metrics are configured, but their library is not installed."""


@contextmanager
def serve_metrics(
    loop: AbstractEventLoop, configuration: Configuration | None, health: Health
) -> Iterator[Follower]:
    """Serve metrics meanwhile, if they are configured.

    Yields a function that is called with the service to be followed, after `health` follows it.
    Raises MetricsUnavailable.
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
    from console.service.health.metrics import MetricsServer

    metrics = Metrics(loop, configuration.plan(), health)
    server = MetricsServer(port, metrics.text)
    server.start()
    try:
        yield metrics.follow
    finally:
        metrics.stop()
        server.close()
