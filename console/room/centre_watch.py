"""Reads the centre once a second for all viewers: one thread for jackpots and tables, one for the
copies, which only the primary knows. The event loop never waits for a server."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from console.configuration.room_file import CentreSection
from console.database.addresses import credentials_of, hosts_of
from console.database.connect import DatabaseUnusable
from console.link.centre.reader import ANY_PRIMARY, STANDBY_FIRST, CentreReader
from console.link.centre.room_reading import (
    CopiesReading,
    RoomReading,
    read_replication,
    read_room,
)
from console.link.courier_messages import (
    CourierOpening,
)
from console.room.room_state import Answering, RoomState

READ_EVERY_S = 1.0
ANSWER_WITHIN_S = 3.0
SEEK_STANDBY_EVERY_S = 30.0
"""How often a room that reads from a primary looks for a standby again."""

Reading = TypeVar("Reading")

log = logging.getLogger(__name__)


class RepeatedReading(Generic[Reading]):
    """One reader in a thread of its own, and what becomes of its readings."""

    def __init__(
        self,
        name: str,
        reader: CentreReader[Reading],
        answering: Answering,
        take: Callable[[Reading, float], None],
    ) -> None:
        """`take`: is given each reading, and the time at which it was asked for."""
        self._name = name
        self._reader = reader
        self._answering = answering
        self._take = take
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._complained = ""

    async def run(self) -> None:
        """Read once a second, until cancelled."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                began = loop.time()
                await self._read_once(began)
                await asyncio.sleep(max(0.0, began + READ_EVERY_S - loop.time()))
        finally:
            self._reader.cut()
            self._thread.shutdown(wait=False, cancel_futures=True)

    async def _read_once(self, began: float) -> None:
        loop = asyncio.get_running_loop()
        reading = loop.run_in_executor(self._thread, self._reader.read)
        try:
            done, _ = await asyncio.wait({reading}, timeout=ANSWER_WITHIN_S)
            if not done:
                self._complain(f"no answer within {ANSWER_WITHIN_S:.0f} s")
                self._reader.cut()
                await asyncio.wait({reading})
            self._take(reading.result(), began)
            self._complain("")
        except DatabaseUnusable as error:
            self._complain(str(error))

    def _complain(self, why: str) -> None:
        """Log it once."""
        self._answering.note(asyncio.get_running_loop().time(), answered=not why)
        if bool(why) != bool(self._complained):
            log.warning("%s: %s", self._name, " ".join(why.split()) or "read again")
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
    tasks = [asyncio.create_task(reading) for reading in readings]
    try:
        yield state
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
