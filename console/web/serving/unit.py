"""`banco pages`: the process that serves a real table's pages, a unit of its own.

It waits for the table's service, serves as long as the service speaks, and ends with it; systemd
starts it again. The service tells it everything: it reads no configuration and no people.
"""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from console.service.supervision.main_loop import Notifier, watchdog_interval
from console.service.supervision.stop_signals import act_on_signals
from console.web.messages import LONGEST_MESSAGE, FromPages, encode_message
from console.web.serving.serve import log_to_standard_error, serve
from jackpot.failures import Failure, Unavailable

DONE, UNUSABLE = 0, 2

TRY_AGAIN_S = 1.0
FIRST_DESCRIPTOR = 3
"""The first one that systemd hands over (sd_listen_fds(3))."""

log = logging.getLogger(__name__)


def run_pages(path: Path) -> int:
    """Serve the pages of the table whose service listens at this socket; the exit status.

    Prints what prevents it.
    """
    log_to_standard_error()
    try:
        asyncio.run(_run(path))
    except Failure as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except (ValueError, TimeoutError) as error:
        print(f"{path}: the service does not speak as it should: {error}", file=sys.stderr)
        return UNUSABLE
    return DONE


async def _run(path: Path) -> None:
    serving = asyncio.create_task(_serve_service(path))
    with (
        act_on_signals(asyncio.get_running_loop(), serving.cancel),
        suppress(asyncio.CancelledError),
    ):
        await serving


async def _serve_service(path: Path) -> None:
    async with _signs_of_life():
        lines, writer = await _connect(path)

        def send(message: FromPages) -> None:
            writer.write(encode_message(message))

        try:
            await serve(lines, send, list_inherited_sockets())
        finally:
            writer.close()
            with suppress(OSError):  # the service has gone already
                await writer.wait_closed()


async def _connect(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Wait for the service. Raises Unavailable."""
    is_waiting = False
    while True:
        try:
            return await asyncio.open_unix_connection(path, limit=LONGEST_MESSAGE)
        except (FileNotFoundError, ConnectionRefusedError):
            if not is_waiting:
                log.info("waiting for the table's service at %s", path)
            is_waiting = True
        except OSError as error:
            raise Unavailable(f"{path}: {error.strerror or error}") from error
        await asyncio.sleep(TRY_AGAIN_S)


def list_inherited_sockets() -> Sequence[socket.socket]:
    """The listening sockets that systemd has opened for this process."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return ()
    count = int(os.environ.get("LISTEN_FDS", "0"))
    return [socket.socket(fileno=FIRST_DESCRIPTOR + number) for number in range(count)]


@asynccontextmanager
async def _signs_of_life() -> AsyncIterator[None]:
    """Tell systemd that this process is there, and meanwhile that its event loop runs.

    No probe is asked, as the table's service does: there is no money here.
    """
    notifier = Notifier.of_environment()
    notifier.send("READY=1")
    interval = watchdog_interval()
    feeding = asyncio.create_task(_feed(notifier, interval)) if interval is not None else None
    try:
        yield
    finally:
        if feeding is not None:
            feeding.cancel()
        notifier.close()


async def _feed(notifier: Notifier, interval: float) -> None:
    while True:
        notifier.send("WATCHDOG=1")
        await asyncio.sleep(interval)
