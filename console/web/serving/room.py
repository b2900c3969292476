"""`banco room`: its routes, a sign for each jackpot that has one, the overview for who has entered.

Serves them until it is stopped (docs/how-to/room.md).
"""

import asyncio
import logging
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from aiohttp import web

from console.configuration.room_file import CentreSection, RoomConfiguration, load_room
from console.database.addresses import ServerAddress, credentials_of, hosts_of
from console.line.access.people import PinAge
from console.link.centre.room_reading import (
    ANY_PRIMARY,
    STANDBY_FIRST,
    CentreReader,
    CopiesReading,
    RoomReading,
    read_replication,
    read_room,
)
from console.link.courier_messages import (
    CourierOpening,
)
from console.link.overview import describe_room
from console.link.room_state import Answering, RoomState
from console.service.supervision.stop_signals import act_on_signals
from console.web.serving.connections import listen_at
from console.web.serving.entrance.pins import FilePins
from console.web.serving.entrance.routes import EnteredPage, Entrance
from console.web.serving.files import StaticFile, page_files
from console.web.serving.parts import add_files, add_logo, add_sign, make_application
from console.web.serving.room_signs import (
    describe_amount,
    describe_clock_sign,
    describe_no_jackpot,
    describe_shared_clock,
    describe_sign,
    describe_tournaments,
    describe_wins,
    find_jackpot,
)
from console.web.serving.sign_page import CLOCK, JACKPOT, SignFace, SignPage
from console.web.serving.sockets import socket_handler
from console.web.serving.table_messages import HEARTBEAT
from console.web.serving.viewers import Audience, Viewers
from jackpot.failures import Failure, Unavailable
from jackpot.money.prizes import EURO

READ_EVERY_S = 1.0
ANSWER_WITHIN_S = 3.0
CUT_WITHIN_S = 1.0
"""How soon a reading that is cut ends. The lookup of a host's name cannot be cut."""

COUNT_PRIMARIES_EVERY_S = 10.0
SEEK_STANDBY_EVERY_S = 30.0
"""How often a room that reads from a primary looks for a standby again."""

Reading = TypeVar("Reading")

ROOM = "/room"
TOURNAMENT = "/tournament"
CLOCK_SHEET = "/clock.css"

DONE, UNUSABLE = 0, 2
END_S = 0.5

log = logging.getLogger(__name__)


class RepeatedReading(Generic[Reading]):
    """One reader in a thread of its own, and what becomes of its readings."""

    def __init__(
        self,
        name: str,
        reader: CentreReader[Reading],
        answering: Answering,
        take: Callable[[Reading, float], None],
        every_s: float = READ_EVERY_S,
        level: int = logging.WARNING,
    ) -> None:
        """`take`: is given each reading, and the time at which it was asked for.

        `level`: of the line in the log that says whether it answers.
        """
        self._name = name
        self._reader = reader
        self._answering = answering
        self._take = take
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._every_s = every_s
        self._level = level
        self._complained = ""
        self._reading: asyncio.Future[Reading] | None = None
        self._asked_at = 0.0

    async def run(self) -> None:
        """Read once a second, until cancelled."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                began = loop.time()
                await self._read_once(began)
                await asyncio.sleep(max(0.0, began + self._every_s - loop.time()))
        finally:
            self._reader.cut()
            self._thread.shutdown(wait=False, cancel_futures=True)

    async def _read_once(self, began: float) -> None:
        """Wait for the reading that is under way, or begin one; the next beat goes on waiting."""
        if self._reading is None:
            loop = asyncio.get_running_loop()
            self._reading = loop.run_in_executor(self._thread, self._reader.read)
            self._asked_at = began
        done, _ = await asyncio.wait({self._reading}, timeout=ANSWER_WITHIN_S)
        if not done:
            self._complain(f"no answer within {ANSWER_WITHIN_S:.0f} s")
            self._reader.cut()
            done, _ = await asyncio.wait({self._reading}, timeout=CUT_WITHIN_S)
        if done:
            ended, self._reading = self._reading, None
            self._take_result(ended)

    def _take_result(self, ended: "asyncio.Future[Reading]") -> None:
        try:
            self._take(ended.result(), self._asked_at)
            self._complain("")
        except Unavailable as error:
            self._complain(str(error))

    def _complain(self, why: str) -> None:
        """Log it once."""
        self._answering.note(asyncio.get_running_loop().time(), answered=not why)
        if bool(why) != bool(self._complained):
            log.log(self._level, "%s: %s", self._name, " ".join(why.split()) or "read again")
        self._complained = why


@asynccontextmanager
async def watch_centre(centre: CentreSection) -> AsyncIterator[RoomState]:
    """Read the centre meanwhile; yields what is known of it."""
    loop = asyncio.get_running_loop()
    state = RoomState(loop.time())
    opening = CourierOpening(centre.database, centre.role, credentials_of(centre))
    hosts = hosts_of(centre)
    rooms = CentreReader(opening, hosts, STANDBY_FIRST, read_room)
    copies = CentreReader(opening, hosts, ANY_PRIMARY, read_replication)
    standbys_sought = loop.time()

    def take_room(reading: RoomReading, _began: float) -> None:
        nonlocal standbys_sought
        now = loop.time()
        state.take_room(reading, now)
        if reading.standby or len(hosts) == 1:
            standbys_sought = now
        elif now >= standbys_sought + SEEK_STANDBY_EVERY_S:
            standbys_sought = now
            rooms.close()

    def take_copies(reading: CopiesReading, began: float) -> None:
        state.take_copies(reading, began, loop.time())

    readings = (
        RepeatedReading("the room", rooms, state.reader, take_room).run(),
        RepeatedReading("the primary", copies, state.primary, take_copies).run(),
    )
    counting = (_watch_server(opening, host, state).run() for host in hosts)
    tasks = [asyncio.create_task(reading) for reading in (*readings, *counting)]
    try:
        yield state
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _watch_server(
    opening: CourierOpening, host: ServerAddress, state: RoomState
) -> RepeatedReading[CopiesReading]:
    """Ask one server whether it is a primary; there should be one."""
    answering = Answering(0.0)
    state.servers.append(answering)
    reader = CentreReader(opening, (host,), ANY_PRIMARY, read_replication)
    return RepeatedReading(
        f"{host.host}:{host.port} as a primary",
        reader,
        answering,
        lambda _reading, _began: None,
        COUNT_PRIMARIES_EVERY_S,
        logging.DEBUG,
    )


class RoomPages:
    """The application, and what its viewers are shown."""

    def __init__(
        self, room: RoomConfiguration, state: RoomState, now: Callable[[], float] = time.monotonic
    ) -> None:
        """`now`: seconds of the monotonic clock, by which sessions end, too."""
        self._room = room
        self._state = state
        self._now = now
        self._overview = Viewers()
        self._tournament = Viewers()
        self._signs = {name: Viewers() for name in room.signs}
        self._clocks = {clock.tournament: Viewers() for clock in room.clocks}
        self.app = make_application(room.web.listening())
        files = page_files()
        own_pages = {"/": "room.html", ROOM: "room.html", TOURNAMENT: "tournament.html"}
        add_files(self.app, files, own_pages)
        for name, viewers in self._signs.items():
            sign = SignPage(files, partial(self._look, name), JACKPOT)
            add_sign(self.app, sign, f"/sign/{name}")
            if name == room.signs[0]:
                self.app.router.add_get("/sign", sign.answer)
            self.app.router.add_get(f"/live/sign/{name}", socket_handler(viewers, Audience.SIGN))
        self._add_clocks(files)
        add_logo(self.app, room.sign)
        self.app.router.add_get(
            f"/live{TOURNAMENT}", socket_handler(self._tournament, Audience.TOURNAMENT)
        )
        Entrance(self.app, self._describe_page(), self._overview, now)

    def _add_clocks(self, files: Mapping[str, StaticFile]) -> None:
        for name, viewers in self._clocks.items():
            sign = SignPage(files, partial(self._look_at_clock, name), CLOCK)
            add_sign(self.app, sign, f"/clock/{name}", CLOCK_SHEET)
            if name == self._room.clocks[0].tournament:
                self.app.router.add_get("/clock", sign.answer)
            self.app.router.add_get(f"/live/clock/{name}", socket_handler(viewers, Audience.SIGN))

    def publish(self) -> None:
        """Show all viewers what is known now; called once a second."""
        now = self._now()
        self._overview.show(Audience.ROOM, "room", describe_room(self._state, now), again=True)
        language, simulated = self._room.language.value, self._room.simulated
        tournaments = describe_tournaments(self._state, self._room, now)
        self._tournament.show(Audience.TOURNAMENT, "tournaments", tournaments, again=True)
        for name, viewers in self._signs.items():
            jackpot = find_jackpot(self._state, name)
            viewers.send(Audience.SIGN, HEARTBEAT)
            if jackpot is not None:
                table = describe_sign(jackpot, language, self._room.sign, simulated=simulated)
                amount = describe_amount(self._state, jackpot, now)
                viewers.show(Audience.SIGN, "table", table)
                viewers.show(Audience.SIGN, "jackpot", amount, again=True)
                viewers.show(Audience.SIGN, "wins", describe_wins(jackpot))

        for clock in self._room.clocks:
            viewers = self._clocks[clock.tournament]
            viewers.send(Audience.SIGN, HEARTBEAT)
            viewers.show(Audience.SIGN, "table", describe_clock_sign(self._room, clock))
            viewers.show(Audience.SIGN, "jackpot", describe_no_jackpot(), again=True)
            shown = describe_shared_clock(self._state, clock, now)
            viewers.show(Audience.SIGN, "clock", shown, again=True)

    def _look_at_clock(self, name: str) -> SignFace:
        return SignFace(
            name=name,
            game="",
            language=self._room.language.value,
            simulated=self._room.simulated,
            view=CLOCK,
            live=f"/live/clock/{name}",
            amount=None,
            gone="goneRoom",
            sheet=CLOCK_SHEET,
            look=self._room.sign,
        )

    def _look(self, name: str) -> SignFace:
        """Without an amount: the page may stand in a screen's memory for long."""
        jackpot = find_jackpot(self._state, name)
        return SignFace(
            name=name,
            game=jackpot.game if jackpot is not None else "",
            language=self._room.language.value,
            simulated=self._room.simulated,
            view=JACKPOT,
            live=f"/live/sign/{name}",
            amount=None,
            unknown="---",
            gone="goneRoom",
            currency=self._room.sign.currency or EURO,
            look=self._room.sign,
        )

    def _describe_page(self) -> EnteredPage:
        return EnteredPage(
            name="the room",
            path=ROOM,
            audience=Audience.ROOM,
            open_pins=partial(
                FilePins,
                Path(self._room.people),
                Path(self._room.attempts),
                self._now,
                PinAge(self._room.pin_age_days or 0),
            ),
            log_addresses=self._room.web.log_addresses,
            place={
                "language": self._room.language.value,
                "simulated": self._room.simulated,
            },
        )


def run_room(file: Path) -> int:
    """Serve the room of this configuration; the exit status. Prints what prevents it."""
    logging.basicConfig(format="room: %(levelname)s %(message)s", level=logging.WARNING)
    logging.getLogger("console").setLevel(logging.INFO)  # who has entered, and who was refused
    try:
        asyncio.run(serve_room(load_room(file)))
    except Failure as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    return DONE


async def serve_room(room: RoomConfiguration) -> None:
    """Serve until a signal asks to stop. Raises CannotListen."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    async with AsyncExitStack() as stack:
        stack.enter_context(act_on_signals(loop, stopped.set))
        pages = RoomPages(room, await stack.enter_async_context(watch_centre(room.centre)))
        runner = web.AppRunner(pages.app, shutdown_timeout=END_S)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        url = await stack.enter_async_context(listen_at(runner, room.web.listening()))
        print(f"the room is served at {url}", flush=True)
        while not stopped.is_set():
            pages.publish()
            await _wait(stopped)


async def _wait(stopped: asyncio.Event) -> None:
    """Until the next reading is due, or until it is stopped."""
    try:
        async with asyncio.timeout(READ_EVERY_S):
            await stopped.wait()
    except TimeoutError:
        return
