"""A whole table, simulated but for its link, on a centre in a real PostgreSQL."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from console.configuration.places import SOCKET
from console.line.access.delays import WrongCounts
from console.line.access.login import ATTEMPTS_FILE, save_counts
from console.line.client import LineClient
from console.line.requests import Enter, No, NoCode
from console.link.centre.membership import admit_member
from console.office.link.centre import read_alarms
from tests.console.line.access.login_bench import WRONG, enrol
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.servers import Server
from tests.console.running_table import RunningTable, Seen, configuration, running
from tests.console.service.health.scraping import scrape_body
from tests.deadlines import DEADLINE_S
from tests.free_port import free_port

TABLE = "cs-1"
HIT = ("press FLUSH", "key JPL", "press JPOT")


def write_configuration(folder: Path, port: int, database: str) -> Path:
    file = configuration(folder / "table.toml")
    text = file.read_text("utf-8")
    link = f'[link]\njackpot = "{JACKPOT}"\nhosts = ["127.0.0.1:{port}"]\ndatabase = "{database}"\n'
    file.write_text(text + link, "utf-8")
    return file


def is_linked(seen: Seen) -> bool:
    return "LINK_LOST" not in seen["faults"]


@asynccontextmanager
async def run_linked(folder: Path, port: int, database: str) -> AsyncIterator[RunningTable]:
    """A table that has joined the jackpot."""
    file = write_configuration(folder, port, database)
    async with running(folder, "--sim", "--config", file) as table:
        await table.until(is_linked)
        yield table


def admit_table(centre: PostgresCentre) -> str:
    """Let the table join; the database's name."""
    admit_member(centre.superuser, TABLE, JACKPOT)
    return str(centre.one("SELECT current_database()"))


Step = tuple[tuple[str, ...], str]
"""Acts, and the phase after the last."""

STEPS: tuple[Step, ...] = (
    (("press GAME_OVER",), "BETTING"),
    (("token 1 2", "press COIN_IN"), "PLAYING"),
    (HIT, "AWARDING"),
    (("key R",), "PLAYING"),
    (("press GAME_OVER",), "BETTING"),
    (("token 4", "press COIN_IN"), "PLAYING"),
    (("press GAME_OVER",), "BETTING"),
)
CALLS = [
    "join",
    "open",
    "deliver",
    "deliver",
    "claim",
    "agree",
    "close",
    "open",
    "deliver",
    "close",
]
DONE_AGAIN: Mapping[str, tuple[str, ...]] = {"press GAME_OVER": (), "press COIN_IN": ()}
"""What the link's loss may refuse, and what is done before it is done again."""


def is_answered(seen: Seen) -> bool:
    """Whether neither an opening nor a claim waits for the centre."""
    claims = seen["phase"] == "AWARDING" and seen["pending"] == "0.00"
    return seen["display"][0] != "ATTENDERE" and not claims


async def take_step(
    table: RunningTable, step: Step, done_again: Mapping[str, tuple[str, ...]] = DONE_AGAIN
) -> Seen:
    """Do it, and again where the link's loss has refused it; wait for what the centre answers."""
    acts, phase = step
    if acts[:-1]:
        await table.do(*acts[:-1])
    while True:
        await table.do(acts[-1])
        seen = await table.until(is_answered)
        if seen["phase"] == phase:
            return seen
        assert acts[-1] in done_again, seen
        await table.until(is_linked)
        if before := done_again[acts[-1]]:
            await table.do(*before)


def check_books(centre: PostgresCentre, seen: Seen) -> list[str]:
    """The centre has each call once, and the ledger's money; the calls."""
    rows = centre.superuser.execute(
        "SELECT n, call ->> 'call' FROM link.entry ORDER BY n"
    ).fetchall()
    assert [n for n, _ in rows] == list(range(1, len(rows) + 1))
    booked = centre.superuser.execute(
        "SELECT sum(jackpot), sum(reserve), sum(house), sum(pending), sum(paid) "
        "FROM link.movement WHERE member = %s",
        (TABLE,),
    ).fetchone()
    assert booked is not None
    accounts = ("jackpot", "reserve", "house", "pending", "paid")
    assert [f"{amount / 1_000_000:.2f}" for amount in booked] == [seen[name] for name in accounts]
    assert seen["paid"] == "100.02"
    assert centre.one("SELECT count(*) FROM link.movement WHERE reason = 'stake'") == 3
    assert centre.one("SELECT count(*) FROM link.award WHERE state = 'final'") == 1
    return [call for _, call in rows]


def courier_of(table: RunningTable) -> int | None:
    """Its process id; None while there is none."""
    pid = table.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return int(children[0]) if children else None


def test_a_round_is_opened_played_won_and_closed_at_the_centre(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    database = admit_table(postgres)

    async def night() -> Seen:
        async with run_linked(tmp_path, server.port, database) as table:
            for step in STEPS:
                await take_step(table, step)
            await until_delivered(table, postgres)
            shown = ["JACKPOT", "        9.904,18 EUR"]
            return await table.until(lambda seen: seen["display"] == shown)

    assert check_books(postgres, asyncio.run(night())) == CALLS


def test_a_courier_killed_at_each_step_changes_nothing(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    database = admit_table(postgres)

    async def night() -> Seen:
        async with run_linked(tmp_path, server.port, database) as table:
            for step in STEPS:
                await table.until(lambda _: courier_of(table) is not None)
                os.kill(courier_of(table) or 0, signal.SIGKILL)
                await take_step(table, step)
            return await until_delivered(table, postgres)

    check_books(postgres, asyncio.run(night()))


def test_a_table_killed_at_each_step_goes_on_from_its_journal(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    database = admit_table(postgres)

    async def night() -> Seen:
        for step in STEPS:
            async with run_linked(tmp_path, server.port, database) as table:
                await take_step(table, step)
        async with run_linked(tmp_path, server.port, database) as table:
            return await until_delivered(table, postgres)

    check_books(postgres, asyncio.run(night()))


async def until_delivered(table: RunningTable, centre: PostgresCentre) -> Seen:
    """Wait until nothing waits for the centre."""
    closed = "SELECT count(*) FROM link.member WHERE open_round IS NULL"
    return await table.until(lambda seen: is_linked(seen) and bool(centre.one(closed)))


@pytest.mark.sampled(of=4)
def test_room_and_metrics_tell_that_a_pin_is_guessed(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    """Five wrong PINs are from before its start; the sixth is given at its line."""
    database, port = admit_table(postgres), free_port()
    enrol(tmp_path / "people.toml", "anna")
    save_counts(tmp_path / ATTEMPTS_FILE, WrongCounts({"anna": 5}, {"anna": 5}))

    def list_alarms() -> list[tuple[str, str]]:
        alarms = read_alarms(postgres.superuser)
        return [(one.code.value, one.table) for one in alarms if one.table]

    async def guess(line: LineClient) -> None:
        while True:
            answer = await line.ask(Enter("anna", WRONG))
            assert isinstance(answer, No)
            if answer.code == NoCode.WRONG_PIN:
                return
            await asyncio.sleep(0.2)

    async def night() -> None:
        file = write_configuration(tmp_path, server.port, database)
        file.write_text(f"{file.read_text('utf-8')}[metrics]\nport = {port}\n", "utf-8")
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.until(is_linked)
            assert list_alarms() == []
            with closing(LineClient(tmp_path / SOCKET)) as line:
                await guess(line)
            async with asyncio.timeout(DEADLINE_S):
                while list_alarms() != [("PIN_GUESSED", TABLE)]:
                    await asyncio.sleep(0.1)
                while 'banco_pins_guessed{table="cs-1"} 1.0\n' not in await scrape_body(port):
                    await asyncio.sleep(0.1)

    asyncio.run(night())
    faults = postgres.one("SELECT faults FROM link.presence")
    assert faults == ["PIN_GUESSED"]
