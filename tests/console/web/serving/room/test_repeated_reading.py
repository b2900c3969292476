"""What reads the centre for the room, again and again, whatever becomes of one reading."""

import asyncio
import logging
import socket
from threading import Event
from typing import NoReturn

import pytest

from console.database.addresses import ServerAddress
from console.link.centre.room_reading import ANY_PRIMARY, CentreReader, read_replication
from console.link.courier_messages import CourierOpening
from console.link.room_state import Answering
from console.web.serving import room
from console.web.serving.room import RepeatedReading
from tests.deadlines import DEADLINE_S


class LostNameServer:
    """Answers no lookup until it is there again; then it knows no name."""

    def __init__(self) -> None:
        self.back = Event()
        self.asked = 0

    def look_up(self, *_: object, **__: object) -> NoReturn:
        """As socket.getaddrinfo."""
        self.asked += 1
        self.back.wait(DEADLINE_S)
        raise socket.gaierror(socket.EAI_AGAIN, "no name server answers")


async def until_noted(answering: Answering) -> None:
    """Until the next beat notes that there is no answer."""
    answering.silent_since = None
    async with asyncio.timeout(DEADLINE_S):
        while answering.silent_since is None:
            await asyncio.sleep(0.01)


def test_the_beats_go_on_while_a_hosts_name_is_looked_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    names, answering = LostNameServer(), Answering(0.0)
    monkeypatch.setattr(socket, "getaddrinfo", names.look_up)
    for bound in ("ANSWER_WITHIN_S", "CUT_WITHIN_S"):
        monkeypatch.setattr(room, bound, 0.05)

    async def story() -> None:
        opening = CourierOpening("banco", "room", None)
        hosts = (ServerAddress("db1.house.example", 5432),)
        reader = CentreReader(opening, hosts, ANY_PRIMARY, read_replication)
        reading = RepeatedReading("the room", reader, answering, lambda *_: None, 0.02)
        task = asyncio.create_task(reading.run())
        for _ in range(4):
            await until_noted(answering)
        assert names.asked == 1, "the lookup that is under way is the only one"
        names.back.set()
        async with asyncio.timeout(DEADLINE_S):
            while names.asked < 3:
                await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait({task})

    with caplog.at_level(logging.WARNING):
        asyncio.run(story())
    assert caplog.messages == ["the room: no answer within 0 s"]
