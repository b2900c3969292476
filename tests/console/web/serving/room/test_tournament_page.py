"""The page of the tournament jackpots, without a server behind it.

docs/reference/link-rules.md, 6.
"""

import asyncio
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from console.configuration.room_file import CentreSection, RoomConfiguration
from console.link.centre.room_reading import CopiesReading, RoomReading
from console.link.centre.tournament import Level, Tournament, TournamentJackpot, TournamentWin
from console.link.room_state import RoomState
from console.texts.language import Language
from console.web.serving.room import RoomPages
from jackpot.money.amounts import Cents
from tests.deadlines import DEADLINE_S

JACKPOT = TournamentJackpot(
    jackpot="poker",
    amount=Cents(1_000_500),
    base=Cents(1_000_000),
    fee=Cents(500),
    day=date(2026, 11, 23),
    fees=1,
    win=None,
    tournaments=(Tournament("night", Level.LATE, 3_000, 1),),
)
WIN = TournamentWin("night", "1042", Level.LATE, 3_000, Cents(1_000_500), Cents(300_150))


class WatchedRoom:
    """A room whose centre has been read at second 0, with this jackpot."""

    def __init__(self, folder: Path, jackpot: TournamentJackpot) -> None:
        self.now = 0.0
        state = RoomState(self.now)
        state.take_copies(CopiesReading(position=7, wanted="", copies=()), self.now, self.now)
        state.take_room(RoomReading(7, False, 1, 0, (), (jackpot,)), self.now)
        room = RoomConfiguration(
            kind="room",
            people=str(folder / "people.toml"),
            attempts=str(folder / "attempts.json"),
            centre=CentreSection(hosts=("127.0.0.1",)),
            signs=("stud",),
            language=Language.EN,
        )
        self._pages = RoomPages(room, state, lambda: self.now)

    def look(self) -> Any:
        """What somebody who opens the page without a login is sent."""
        return asyncio.run(self._look())

    async def _look(self) -> Any:
        self._pages.publish()
        async with TestClient(TestServer(self._pages.app)) as client:
            page = await client.get("/tournament")
            assert page.status == 200
            assert "/pages/tournament/main.js" in await page.text()
            async with client.ws_connect(
                "/live/tournament", origin=str(client.make_url("")).rstrip("/")
            ) as socket:
                return await socket.receive_json(timeout=DEADLINE_S)


def test_it_shows_amount_day_level_share_and_fees(tmp_path: Path) -> None:
    message = WatchedRoom(tmp_path, JACKPOT).look()
    assert (message["kind"], message["language"]) == ("tournaments", "en")
    (shown,) = message["jackpots"]
    assert shown == {
        "jackpot": "poker",
        "amount": "10005.00",
        "fee": "5.00",
        "day": "2026-11-23",
        "fees": 1,
        "win": None,
        "tournaments": [{"tournament": "night", "level": "2", "share": "30", "fees": 1}],
    }


def test_it_says_what_was_won_and_not_by_whom(tmp_path: Path) -> None:
    won = TournamentJackpot(
        "poker", Cents(700_350), Cents(1_000_000), Cents(500), JACKPOT.day, 1, WIN, ()
    )
    (shown,) = WatchedRoom(tmp_path, won).look()["jackpots"]
    assert shown["win"] == {"tournament": "night", "amount": "3001.50"}
    assert "1042" not in str(shown)


@pytest.mark.parametrize(("age_s", "amount"), [(9.0, "10005.00"), (11.0, None)])
def test_after_ten_seconds_of_silence_there_are_dashes(
    tmp_path: Path, age_s: float, amount: str | None
) -> None:
    room = WatchedRoom(tmp_path, JACKPOT)
    room.now = age_s
    (shown,) = room.look()["jackpots"]
    assert shown["amount"] == amount
