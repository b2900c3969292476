"""Invented names without a pause, from one address or a few: the right PIN of another enters."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from aiohttp import ClientSession, TCPConnector
from aiohttp.test_utils import TestServer

from console.line.access.login import PinLogin
from console.service.disk_thread import DiskThread
from console.web.messages import PinRequest
from console.web.serving.entrance.login import MOST_ADDRESSES, MOST_OF_ONE_ADDRESS, Turns
from console.web.serving.entrance.pins import FilePins, OpenPins, ServicePins
from console.web.serving.viewers import Viewers
from console.web.table_pages import PinChecks
from tests.console.line.access.login_bench import PIN, WRONG, enrol
from tests.console.web.entering import life
from tests.console.web.supervised import application_of, opening_of


def pins_of_the_service(folder: Path) -> ServicePins:
    """As at a table: the service's desk checks them."""
    loop = asyncio.get_running_loop()
    login = PinLogin(
        folder / "people.toml",
        folder / "wrong-pins.json",
        DiskThread(loop, name="pins"),
        lambda: round(loop.time() * 1000),
        loop.call_later,
    )
    pin_checks = PinChecks(login)

    def ask(request: PinRequest) -> None:
        pin_checks.check(request, pins.on_answer, None)

    pins = ServicePins(ask)
    return pins


def pins_of_the_room(folder: Path) -> FilePins:
    """As in the room: its process reads the file itself."""
    now = asyncio.get_running_loop().time
    return FilePins(folder / "people.toml", folder / "wrong-pins.json", now)


class Door:
    """A served page, and who comes to its login."""

    def __init__(self, server: TestServer, browsers: AsyncExitStack) -> None:
        self._url = server.make_url("/supervisor/login")
        self._origin = str(server.make_url("/").origin())
        self._browsers = browsers

    async def browser(self, address: str) -> ClientSession:
        connector = TCPConnector(local_addr=(address, 0))
        return await self._browsers.enter_async_context(ClientSession(connector=connector))

    async def enter(self, browser: ClientSession, name: str, pin: str) -> int:
        credentials = {"name": name, "pin": pin}
        headers = {"Origin": self._origin}
        async with browser.post(self._url, json=credentials, headers=headers) as answer:
            await answer.read()
            return answer.status

    async def invent_names(self, address: str, number: Iterator[int]) -> None:
        """Without a pause, until it is cancelled."""
        browser = await self.browser(address)
        while True:
            await self.enter(browser, f"name-{next(number)}", WRONG)


@asynccontextmanager
async def door(folder: Path, open_pins: OpenPins) -> AsyncIterator[Door]:
    enrol(folder / "people.toml", "anna")
    opening = opening_of(folder / "ledger")
    app = application_of(opening, folder, Viewers(), open_pins=open_pins)
    server = TestServer(app)
    async with server, AsyncExitStack() as browsers:
        yield Door(server, browsers)


@contextmanager
def crowd(door: Door, addresses: list[str]) -> Iterator[None]:
    number = count()
    tasks = [asyncio.create_task(door.invent_names(one, number)) for one in addresses]
    try:
        yield
    finally:
        for task in tasks:
            assert not task.done(), task
            task.cancel()


@pytest.mark.parametrize("pins", [pins_of_the_service, pins_of_the_room])
@pytest.mark.parametrize(
    "addresses",
    [6 * ["127.0.0.2"], [f"127.0.0.{2 + i}" for i in range(6)], 4 * ["127.0.0.2", "127.0.0.3"] * 4],
    ids=["six at one address", "six addresses", "thirty-two at two addresses"],
)
def test_invented_names_keep_no_right_pin_of_another_address_out(
    addresses: list[str], pins: Callable[[Path], ServicePins | FilePins], tmp_path: Path
) -> None:
    """Of 17 right PINs 16 were refused for want of room"""

    async def story() -> None:
        async with door(tmp_path, partial(pins, tmp_path)) as page:
            right = await page.browser("127.0.0.1")
            with crowd(page, addresses):
                for _ in range(4):
                    assert await page.enter(right, "anna", PIN) == 200

    life(story())


def test_browsers_of_one_address_take_turns(tmp_path: Path) -> None:
    """As behind a proxy on this machine"""

    async def story() -> None:
        async with door(tmp_path, partial(pins_of_the_service, tmp_path)) as page:
            right = await page.browser("127.0.0.1")
            with crowd(page, (MOST_OF_ONE_ADDRESS - 1) * ["127.0.0.1"]):
                for _ in range(4):
                    assert await page.enter(right, "anna", PIN) == 200

    life(story())


def test_what_waits_is_bounded() -> None:
    async def story() -> None:
        turns = Turns()
        done = asyncio.Event()

        async def come(address: str) -> bool:
            async with turns.take(address) as has_turn:
                if has_turn:
                    await done.wait()
                return has_turn

        first = [asyncio.create_task(come("a")) for _ in range(MOST_OF_ONE_ADDRESS)]
        await asyncio.sleep(0)
        assert not await come("a")
        others = [asyncio.create_task(come(str(i))) for i in range(MOST_ADDRESSES - 1)]
        await asyncio.sleep(0)
        assert not await come("one more")
        others[-1].cancel()
        await asyncio.wait([others[-1]])
        again = asyncio.create_task(come("one more"))
        await asyncio.sleep(0)
        assert not again.done()
        done.set()
        assert all(await asyncio.gather(again, *first, *others[:-1]))
        assert len(turns) == 0

    life(story())


def test_an_address_that_comes_late_is_not_behind_all_pins_of_another() -> None:
    async def story() -> None:
        turns = Turns()
        taken: list[str] = []
        done = asyncio.Event()

        async def come(address: str) -> None:
            async with turns.take(address):
                taken.append(address)
                if address == "b":
                    done.set()
                await done.wait()

        async with asyncio.TaskGroup() as group:
            for _ in range(MOST_OF_ONE_ADDRESS):
                group.create_task(come("a"))
            await asyncio.sleep(0)
            group.create_task(come("b"))
        assert taken == ["a", "b", *(MOST_OF_ONE_ADDRESS - 1) * "a"]

    life(story())
