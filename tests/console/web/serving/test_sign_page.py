"""The sign as it is served: the amount in the first answer, and the messages on its sockets."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientWebSocketResponse, TCPConnector, web
from aiohttp.test_utils import TestClient, TestServer
from msgspec import structs

from console.configuration.prizes_section import read_prizes
from console.texts.language import Language
from console.web.messages import PagesOpening, TableSnapshot, encode_message
from console.web.serving.serve import application, ask_service_for_pins
from console.web.serving.sign_page import amount_written
from console.web.serving.table_messages import describe_ladder
from console.web.serving.table_receiver import TableReceiver
from console.web.serving.viewers import Viewers
from console.web.table_pages import snapshot_of_table
from tests.console.table import Table, table_in
from tests.console.web.supervised import opening_of
from tests.deadlines import DEADLINE_S

SCENARIOS = Path(__file__).parents[3] / "scenarios"
SIGNS = 200
REACHED_WITHIN_S = 0.2
CHANGES = 10

COMBINATIONS = ("ROYAL_FLUSH", "STRAIGHT_FLUSH", "FOUR_OF_A_KIND", "FULL_HOUSE", "FLUSH")
FLUSH_PAID = (
    "press GAME_OVER",
    "token 1 2",
    "press COIN_IN",
    "wait 1s",
    "press FLUSH",
    "key JPL",
    "press JPOT",
    "key R",
)


@dataclass
class Pages:
    """The pages of a table, and the pipe on which its service sends to them."""

    client: TestClient[web.Request, web.Application]
    receiver: TableReceiver
    pipe: asyncio.StreamReader

    async def send(self, snapshot: TableSnapshot) -> None:
        """The service sends it, and it has been read."""
        read = asyncio.Event()
        self.receiver.on_snapshot.append(lambda _: read.set())
        self.pipe.feed_data(encode_message(snapshot))
        await read.wait()
        self.receiver.on_snapshot.pop()

    async def text(self, path: str) -> str:
        answer = await self.client.get(path)
        assert answer.status == 200
        return await answer.text()

    async def sign(self) -> ClientWebSocketResponse:
        origin = str(self.client.make_url("/").origin())
        return await self.client.ws_connect("/live/sign", headers={"Origin": origin})


@asynccontextmanager
async def pages_of(opening: PagesOpening) -> AsyncIterator[Pages]:
    async with asyncio.timeout(DEADLINE_S):
        receiver, pipe = TableReceiver(opening), asyncio.StreamReader()
        listening = asyncio.create_task(receiver.listen(pipe))
        pins = ask_service_for_pins(receiver, lambda _: None)
        app = application(receiver, Viewers(), lambda: pins, None)
        async with TestClient(TestServer(app), connector=TCPConnector(limit=0)) as client:
            yield Pages(client, receiver, pipe)
        pipe.feed_eof()
        await listening


async def receive(socket: ClientWebSocketResponse, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message: dict[str, Any] = json.loads(await socket.receive_str())
        if message["kind"] == kind:
            return message


def opening_for(played: Table, **changed: Any) -> PagesOpening:
    fields = {"combinations": COMBINATIONS} | changed
    return opening_of(played.machine.disk.folder, **fields)


def snapshot_in(table: Table) -> TableSnapshot:
    return snapshot_of_table(table.simulated_table.service)


def amount_of(page: str) -> str:
    found = re.search(r'id="amount"[^>]*>(.*)</span>', page)
    assert found is not None
    return re.sub("<[^>]*>", "", found[1])


def test_the_ladder_has_the_prizes_of_the_file_and_no_key() -> None:
    prizes = read_prizes(SCENARIOS / "prizes" / "house.toml").prizes
    ladder = describe_ladder(prizes)
    assert ladder[:2] == [
        {
            "combination": "ROYAL_FLUSH",
            "share": 10_000,
            "amount": "0.00",
            "always": True,
            "envy": "100.00",
        },
        {
            "combination": "STRAIGHT_FLUSH",
            "share": 0,
            "amount": "500.00",
            "always": True,
            "envy": "25.00",
        },
    ]


def test_the_first_answer_holds_the_amount_in_the_language_that_is_asked_for(
    tmp_path: Path,
) -> None:
    async def look(opening: PagesOpening, snapshot: TableSnapshot) -> list[str]:
        async with pages_of(opening) as pages:
            before = await pages.text("/sign")
            await pages.send(snapshot)
            queries = ("", "?lang=en", "?lang=it", "?lang=de")
            return [before, *[await pages.text(f"/sign{query}") for query in queries]]

    with table_in(tmp_path, "game caribbean-stud") as table:
        table.play("press GAME_OVER", "token 1 2", "press COIN_IN", "wait 1s")
        looked = asyncio.run(look(opening_for(table), snapshot_in(table)))
    amounts = [amount_of(page) for page in looked]
    assert amounts == ["", "10.002,80", "10,002.80", "10.002,80", "10.002,80"]
    assert ['lang="en"' in page for page in looked] == [False, False, True, False, False]
    assert '<p class="unseen" id="spoken" role="status">10,002.80 EUR</p>' in looked[2]


def test_what_is_written_into_the_page_is_escaped(tmp_path: Path) -> None:
    async def look(opening: PagesOpening) -> str:
        async with pages_of(opening) as pages:
            return await pages.text("/sign?lang=%3Cscript%3E&size=%22%3E%3Cscript%3E")

    with table_in(tmp_path, "game caribbean-stud") as table:
        page = asyncio.run(look(opening_for(table, table="</title><script>")))
    assert "&lt;/title&gt;&lt;script&gt;" in page
    assert re.findall("<script[^>]*>", page) == [
        '<script type="module" src="/pages/sign/begin.js">'
    ]


def test_its_style_is_one_sheet_that_has_the_roads_only_where_there_is_a_shoe_to_read(
    tmp_path: Path,
) -> None:
    async def look(opening: PagesOpening) -> list[str]:
        async with pages_of(opening) as pages:
            page = await pages.text("/sign")
            sheets = re.findall('rel="stylesheet" href="(.*?)"', page)
            return [await pages.text(sheet) for sheet in sheets]

    with table_in(tmp_path, "game caribbean-stud") as table:
        plain = asyncio.run(look(opening_for(table)))
        with_roads = asyncio.run(look(opening_for(table, shoe="reading", combinations=())))
    assert len(plain) == len(with_roads) == 1
    assert all(".banner" in sheet and ".amount" in sheet for sheet in (*plain, *with_roads))
    assert [".road.bead" in sheet for sheet in (*plain, *with_roads)] == [False, True]


def test_only_a_simulation_bears_the_banner_from_the_first_paint_on(tmp_path: Path) -> None:
    async def look(opening: PagesOpening) -> str:
        async with pages_of(opening) as pages:
            return await pages.text("/sign?lang=en&size=small")

    with table_in(tmp_path, "game caribbean-stud") as table:
        real, simulated = (
            asyncio.run(look(opening_for(table, simulated=simulated)))
            for simulated in (False, True)
        )
    both = "SIMULATION - NO REAL MONEY</span>" + '<span lang="it">SIMULAZIONE - NESSUN DENARO REALE'
    assert both in simulated
    assert "SIMULA" not in real
    assert 'class="dark-room small simulated"' in simulated


@pytest.mark.parametrize(
    ("amount", "italian", "english"),
    [
        ("10002.80", "10.002,80", "10,002.80"),
        ("0.05", "0,05", "0.05"),
        ("-0.60", "-0,60", "-0.60"),
        ("-1234567.89", "-1.234.567,89", "-1,234,567.89"),
    ],
)
def test_an_amount_is_written_as_the_language_writes_it(
    amount: str, italian: str, english: str
) -> None:
    assert amount_written(amount, Language.IT) == italian
    assert amount_written(amount, Language.EN) == english


def test_a_sign_is_told_what_every_player_may_see_and_nothing_else(tmp_path: Path) -> None:
    async def look(opening: PagesOpening, snapshot: TableSnapshot) -> dict[str, dict[str, Any]]:
        async with pages_of(opening) as pages:
            await pages.send(snapshot)
            socket = await pages.sign()
            messages: dict[str, dict[str, Any]] = {}
            while messages.keys() < {"table", "jackpot", "wins"}:
                message = json.loads(await socket.receive_str())
                messages[message["kind"]] = message
            return messages

    with table_in(tmp_path, "game caribbean-stud") as table:
        table.play(*FLUSH_PAID)
        messages = asyncio.run(look(opening_for(table), snapshot_in(table)))
    assert messages.keys() == {"table", "jackpot", "wins"}
    assert messages["jackpot"]["amount"] == "9902.78"
    (win,) = messages["wins"]["wins"]
    assert (win["combination"], win["each"], win["state"]) == ("FLUSH", "100.02", "paid")
    everything = json.dumps(messages)
    for secret in ("reserve", "house", "tray", "faults", "refused", "records", "hash"):
        assert secret not in everything


def test_a_sign_is_told_whether_players_may_stake(tmp_path: Path) -> None:
    """A lock, a lost rail and SERVICE take the invitation back; betting stays open under a lock"""

    async def look(opening: PagesOpening, snapshots: list[TableSnapshot]) -> list[tuple[str, bool]]:
        async with pages_of(opening) as pages:
            messages = []
            for snapshot in snapshots:
                await pages.send(snapshot)
                message = await receive(await pages.sign(), "jackpot")
                messages.append((message["phase"], message["takes_bets"]))
            return messages

    played = (
        *(("press GAME_OVER",), ("unplug rail", "wait 2s"), ("plug rail", "wait 5s")),
        *(("disk full", "press JPOT"), ("key S",), ("disk ok", "clear LEDGER_FAULT", "key R")),
    )
    snapshots = []
    with table_in(tmp_path, "game caribbean-stud") as table:
        for lines in played:
            table.play(*lines)
            snapshots.append(snapshot_in(table))
        snapshots.append(structs.replace(snapshots[-1], powered=False))
        messages = asyncio.run(look(opening_for(table), snapshots))
    assert messages == [
        ("BETTING", True),
        ("BETTING", False),
        ("BETTING", True),
        ("BETTING", False),
        ("SERVICE", False),
        ("BETTING", True),
        ("SERVICE", False),
    ]


def test_what_a_sign_says_closes_its_socket(tmp_path: Path) -> None:
    async def speak(opening: PagesOpening) -> int | None:
        async with pages_of(opening) as pages:
            socket = await pages.sign()
            await socket.send_str('{"id": 1, "do": "press COIN_IN"}')
            async for _ in socket:
                pass
            return socket.close_code

    with table_in(tmp_path, "game caribbean-stud") as table:
        assert asyncio.run(speak(opening_for(table))) == 1008


def test_a_change_of_the_jackpot_reaches_200_signs(tmp_path: Path) -> None:
    """The fastest of ten counts: a busy machine may hold up any of them."""

    async def reach(opening: PagesOpening, snapshots: list[TableSnapshot]) -> list[float]:
        async with pages_of(opening) as pages:
            await pages.send(snapshots[0])
            sockets = [await pages.sign() for _ in range(SIGNS)]
            for socket in sockets:
                await receive(socket, "jackpot")
            return [await seconds_until(pages, sockets, snapshot) for snapshot in snapshots[1:]]

    with table_in(tmp_path, "game caribbean-stud") as table:
        opening = opening_for(table)
        snapshots = [snapshot_in(table)]
        for _ in range(CHANGES):
            table.play("press GAME_OVER", "token 1", "press COIN_IN", "wait 1s")
            snapshots.append(snapshot_in(table))
        took = asyncio.run(reach(opening, snapshots))
    print(
        f"a change reaches {SIGNS} signs within {min(took) * 1e3:.0f} to {max(took) * 1e3:.0f} ms"
    )
    assert min(took) < REACHED_WITHIN_S


async def seconds_until(
    pages: Pages, sockets: list[ClientWebSocketResponse], snapshot: TableSnapshot
) -> float:
    """Seconds from the line on the pipe until the last sign has the amount."""
    amount = snapshot.jackpot

    async def wait_for_amount(socket: ClientWebSocketResponse) -> None:
        while (await receive(socket, "jackpot"))["amount"] != amount:
            pass

    began = time.perf_counter()
    pages.pipe.feed_data(encode_message(snapshot))
    await asyncio.gather(*map(wait_for_amount, sockets))
    return time.perf_counter() - began
