"""The pages of a table that runs: their process, what it is told, and what it may ask."""

from asyncio import AbstractEventLoop
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from console.configuration.web_address import Listening, PagesUnavailable
from console.line.opened_line import LineSource
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
    """A real table's, read only; what is given must be told which service runs the table.

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
    """The process is there and told by the feed. Raises PagesUnavailable, OSError."""
    if find_spec(LIBRARY) is None:
        raise PagesUnavailable(
            f"the pages need the library {LIBRARY}: install banco[web], or leave out the section "
            "[web], or --web"
        )
    process.anew, process.taken = feed.anew, feed.taken
    process.start()
    feed.start()
    try:
        yield
    finally:
        feed.stop()
        loop.run_until_complete(process.end())
