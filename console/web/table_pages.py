"""The pages of a running table: their process, and the feed that sends it snapshots."""

from asyncio import AbstractEventLoop
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from console.configuration.web_address import Listening, PagesUnavailable
from console.line.local_line import LineSource
from console.service.table_service import Follower, TableService
from console.web.feed import Feed
from console.web.messages import TableSnapshot
from console.web.opening import opening_of
from console.web.page_process import PageProcess
from console.web.snapshots import snapshot_of_table

LIBRARY = "aiohttp"


@contextmanager
def table_pages(
    loop: AbstractEventLoop, whose: LineSource, listening: Listening
) -> Iterator[Follower]:
    """The pages of a real table, read only; yields what to call with the service that runs it.

    The loop does not run when this begins and ends. Raises PagesUnavailable, OSError.
    """
    process = PageProcess(loop, opening_of(whose, listening), None)
    runs: list[TableService] = []

    def look() -> TableSnapshot | None:
        return snapshot_of_table(runs[-1]) if runs else None

    feed = Feed(loop, look, process)

    def follow(service: TableService | None) -> None:
        runs[:] = [service] if service is not None else []
        feed.follow(service)

    with run_process(loop, feed, process):
        yield follow


@contextmanager
def run_process(loop: AbstractEventLoop, feed: Feed, process: PageProcess) -> Iterator[None]:
    """Run the process and its feed meanwhile. Raises PagesUnavailable, OSError."""
    if find_spec(LIBRARY) is None:
        raise PagesUnavailable(
            f"the pages need the library {LIBRARY}: install banco[web], or leave out the section "
            "[web], or --web"
        )
    process.on_started, process.on_ready = feed.start_afresh, feed.on_outlet_ready
    process.start()
    feed.start()
    try:
        yield
    finally:
        feed.stop()
        loop.run_until_complete(process.end())
