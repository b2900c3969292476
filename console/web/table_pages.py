"""The pages of a running table: the way to their process, and the feed that sends it snapshots."""

from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from console.configuration.places import PAGES_SOCKET
from console.configuration.web_address import Listening, PagesUnavailable
from console.line.access.login import PinLogin
from console.line.local_line import LineSource
from console.service.table_service import Follower, TableService
from console.web.feed import Feed, Outlet
from console.web.messages import TableSnapshot
from console.web.opening import opening_of
from console.web.page_socket import PageSocket
from console.web.pin_desk import PinDesk
from console.web.snapshots import snapshot_of_table

LIBRARY = "aiohttp"


class PagesOutlet(Outlet, Protocol):
    """The way to the pages' process: its pipes (PageProcess), or a socket (PageSocket)."""

    on_started: Callable[[], None]
    on_ready: Callable[[], None]

    def start(self) -> None:
        """Begin. Raises OSError."""

    async def end(self) -> None:
        """End."""


@contextmanager
def table_pages(
    loop: AbstractEventLoop,
    whose: LineSource,
    listening: Listening,
    login: PinLogin,
    path: Path = PAGES_SOCKET,
) -> Iterator[Follower]:
    """A socket for the pages of a real table; yields what to call with the service that runs it.

    `login`: checks the PINs of who enters. The loop does not run when this begins and ends.
    """
    pin_desk = PinDesk(login)
    outlet = PageSocket(loop, path, opening_of(whose, listening), pin_desk.check)
    runs: list[TableService] = []

    def look() -> TableSnapshot | None:
        return snapshot_of_table(runs[-1]) if runs else None

    feed = Feed(loop, look, outlet, people=pin_desk.people)

    def follow(service: TableService | None) -> None:
        runs[:] = [service] if service is not None else []
        pin_desk.follow(service)
        feed.follow(service)

    with run_outlet(loop, feed, outlet):
        yield follow


def check_library() -> None:
    """Raises PagesUnavailable where the process that serves the pages could not run."""
    if find_spec(LIBRARY) is None:
        raise PagesUnavailable(
            f"the pages need the library {LIBRARY}: install banco[web], or leave out the section "
            "[web], or --web"
        )


@contextmanager
def run_outlet(loop: AbstractEventLoop, feed: Feed, outlet: PagesOutlet) -> Iterator[None]:
    """Run the way to the pages and its feed meanwhile. Raises OSError."""
    outlet.on_started, outlet.on_ready = feed.start_afresh, feed.on_outlet_ready
    outlet.start()
    feed.start()
    try:
        yield
    finally:
        feed.stop()
        loop.run_until_complete(outlet.end())
