"""The clock that the tables of a tournament share, as the room shows it (POKER 16)."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from console.configuration.named_files import FileUnusable
from console.configuration.poker_section import Structure
from console.configuration.room_file import (
    CentreSection,
    RoomClock,
    RoomConfiguration,
    load_room,
)
from console.configuration.sign_section import SignSection
from console.link.centre.room_reading import CopiesReading, RoomClockRow, RoomReading
from console.link.room_state import RoomState
from console.rules.structs import replace
from console.web.serving.room import RoomPages
from console.web.serving.room_signs import describe_shared_clock

STRUCTURE = Structure("evening.toml", 0, ("level 10m 100/200", "break 5m", "level 12m 200/400/50"))
NIGHT = RoomClock("night", STRUCTURE)
ROW = RoomClockRow("night", 0, 600_000, True, False, False, 0, 3, 26)
MINUTE = 60.0

STRUCTURE_FILE = """
[[step]]
minutes = 10
blinds = "100/200"

[[step]]
break = 5

[[step]]
minutes = 12
blinds = "200/400"
ante = 50
"""

ROOM_FILE = """
kind = "room"
people = "/etc/banco/people.toml"
attempts = "/var/lib/banco-room/wrong-pins.json"
simulated = true

[centre]
hosts = ["127.0.0.1"]

[[clocks]]
tournament = "night"
structure = "evening.toml"
"""


def read_at(now: float, *rows: RoomClockRow, state: RoomState | None = None) -> RoomState:
    """What is known when these rows have been read just now."""
    state = state or RoomState(now)
    state.take_copies(CopiesReading(position=7, wanted="", copies=()), now, now)
    state.take_room(RoomReading(7, False, 1, 0, (), (), rows), now)
    return state


def show(row: RoomClockRow, age_s: float = 0.0) -> dict[str, Any]:
    """What is shown of a row that held so many seconds ago, and was read just now."""
    old = replace(row, age_ms=round(age_s * 1000))
    return describe_shared_clock(read_at(100.0, old), NIGHT, 100.0)


def test_a_level_with_its_blinds_and_what_comes_next() -> None:
    assert show(ROW, 2 * MINUTE + 29) == {
        "kind": "clock",
        "tournament": "night",
        "level": 1,
        "blinds": "100/200",
        "next": "",
        "left_ms": 451_000,
        "break_after_ms": 0,
        "ticks": True,
        "hand_for_hand": False,
        "players": 26,
        "entries": None,
        "average": None,
        "hand": None,
        "tables": 3,
        "here": False,
    }


@pytest.mark.parametrize(
    ("age_s", "level", "blinds", "following", "left_ms"),
    [
        (11 * MINUTE, 1, "", "200/400/50", 240_000),
        (15 * MINUTE, 2, "200/400/50", None, 720_000),
        (9000.0, 2, "200/400/50", None, 0),
    ],
)
def test_it_counts_on_by_the_structure(
    age_s: float, level: int, blinds: str, following: str | None, left_ms: int
) -> None:
    message = show(ROW, age_s)
    assert (message["level"], message["blinds"], message["next"], message["left_ms"]) == (
        level,
        blinds,
        following,
        left_ms,
    )


@pytest.mark.parametrize(
    ("row", "left_ms", "ticks", "each"),
    [
        (replace(ROW, running=False), 600_000, False, False),
        (replace(ROW, held=True, hand_for_hand=True), 600_000, False, True),
        (replace(ROW, step=1, left_ms=300_000, held=True, hand_for_hand=True), 240_000, True, True),
    ],
)
def test_a_clock_that_stands_and_hand_for_hand_which_stops_no_break(
    row: RoomClockRow, left_ms: int, ticks: bool, each: bool
) -> None:
    message = show(row, MINUTE)
    found = (message["left_ms"], message["ticks"], message["hand_for_hand"])
    assert found == (left_ms, ticks, each)


def test_between_readings_its_own_time_counts() -> None:
    state = read_at(100.0, ROW)
    assert describe_shared_clock(state, NIGHT, 103.5)["left_ms"] == 596_500
    read_at(104.0, replace(ROW, age_ms=4_100), state=state)
    assert describe_shared_clock(state, NIGHT, 104.0)["left_ms"] == 595_900


def test_what_may_be_old_is_not_show() -> None:
    state = read_at(100.0, ROW)
    assert describe_shared_clock(state, NIGHT, 109.9)["left_ms"] == 590_100
    message = describe_shared_clock(state, NIGHT, 110.1)
    assert (message["left_ms"], message["ticks"]) == (None, False)


def test_a_row_of_another_structure_shows_no_time() -> None:
    message = show(replace(ROW, step=3))
    assert (message["left_ms"], message["ticks"]) == (None, False)


def test_before_a_table_has_come_the_first_level_stands() -> None:
    message = describe_shared_clock(read_at(100.0), NIGHT, 100.0)
    assert (message["level"], message["left_ms"], message["ticks"]) == (1, 600_000, False)
    assert (message["tables"], message["players"]) == (0, 0)


def write_room(folder: Path, structure: str = STRUCTURE_FILE, room: str = ROOM_FILE) -> Path:
    (folder / "evening.toml").write_text(structure, "utf-8")
    file = folder / "room.toml"
    file.write_text(room, "utf-8")
    return file


def test_the_room_reads_the_tables_own_structure(tmp_path: Path) -> None:
    room = load_room(write_room(tmp_path))
    assert [clock.tournament for clock in room.clocks] == ["night"]
    assert room.clocks[0].structure.parse() == STRUCTURE.parse()


@pytest.mark.parametrize(
    ("structure", "room", "mistake"),
    [
        (
            STRUCTURE_FILE.replace("minutes = 10", "minutes = 0"),
            ROOM_FILE,
            r"clocks\[0\].structure: .*evening.toml: step 1: minutes: 0; it must be 1 to",
        ),
        (
            STRUCTURE_FILE,
            ROOM_FILE.replace("evening.toml", "morning.toml"),
            r"clocks\[0\].structure: .*morning.toml: ",
        ),
        (
            STRUCTURE_FILE,
            ROOM_FILE.replace('"evening.toml"', "7"),
            r'clocks\[0\].structure: name its file, such as "structure.toml"',
        ),
        (
            STRUCTURE_FILE,
            ROOM_FILE.replace('"night"', '"the night"'),
            r"clocks\[0\].tournament: 'the night'; up to 40 of",
        ),
        (
            STRUCTURE_FILE,
            ROOM_FILE + '[[clocks]]\ntournament = "night"\nstructure = "evening.toml"\n',
            r"clocks\[1\].tournament: 'night' stands there twice",
        ),
        (
            STRUCTURE_FILE,
            ROOM_FILE + '[sign]\ncurrency = "EURO"\n',
            "sign.currency: 4 characters; at most 3 fit",
        ),
        (
            STRUCTURE_FILE,
            ROOM_FILE[: ROOM_FILE.index("[[clocks]]")],
            r"signs: names no jackpot, such as stud; and there is no \[\[clocks\]\]",
        ),
    ],
)
def test_what_is_wrong_with_a_clock_is_named(
    structure: str, room: str, mistake: str, tmp_path: Path
) -> None:
    with pytest.raises(FileUnusable) as raised:
        load_room(write_room(tmp_path, structure, room))
    assert re.search(mistake, str(raised.value))


@asynccontextmanager
async def visit(folder: Path) -> AsyncIterator[TestClient[Any, Any]]:
    """A room with one clock and no jackpot, whose centre was read 6 s ago."""
    room = RoomConfiguration(
        kind="room",
        people=str(folder / "people.toml"),
        attempts=str(folder / "attempts.json"),
        centre=CentreSection(hosts=("127.0.0.1",)),
        clocks=(NIGHT,),
        sign=SignSection(house="Riviera", currency="€", lowest="10.00"),
    )
    pages = RoomPages(room, read_at(0.0, ROW), lambda: 6.0)
    pages.publish()
    async with TestClient(TestServer(pages.app)) as client:
        yield client


async def read_page(client: TestClient[Any, Any], path: str) -> str:
    answer = await client.get(path)
    assert answer.status == 200
    return await answer.text()


async def hear(client: TestClient[Any, Any], path: str, kind: str) -> dict[str, Any]:
    """The first message of this kind that a viewer gets."""
    origin = str(client.make_url("")).rstrip("/")
    async with client.ws_connect(path, origin=origin) as socket:
        while True:
            message: dict[str, Any] = await socket.receive_json(timeout=10)
            if message["kind"] == kind:
                return message


def test_everybody_sees_the_sign_of_a_tournament(tmp_path: Path) -> None:
    async def look() -> None:
        async with visit(tmp_path) as client:
            for path in ("/clock", "/clock/night"):
                page = await read_page(client, path)
                assert 'data-view="clock" data-live="/live/clock/night"' in page
                assert "<title>TORNEO - night</title>" in page
            assert "TOURNAMENT" in await read_page(client, "/clock/night?lang=en")
            assert ".clock-time" in await read_page(client, "/clock.css")
            assert '<p class="house">Riviera</p>' in await read_page(client, "/clock")
            table = await hear(client, "/live/clock/night", "table")
            assert table["symbol"] == "€"
            assert table["facts"] == [{"fact": "stake", "amounts": ["10.00"]}]

    asyncio.run(look())


def test_sign_and_page_of_the_tournaments_are_told_the_same(tmp_path: Path) -> None:
    async def look() -> None:
        async with visit(tmp_path) as client:
            heard = await hear(client, "/live/clock/night", "clock")
            assert (heard["left_ms"], heard["tables"]) == (594_000, 3)
            tournaments = await hear(client, "/live/tournament", "tournaments")
            assert (tournaments["clocks"], tournaments["jackpots"]) == ([heard], [])

    asyncio.run(look())
