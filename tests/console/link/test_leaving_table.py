"""A whole table leaves its linked jackpot, and joins it again; a cloned one rejoins.

It is simulated but for its link, on a centre in a real PostgreSQL.
"""

import asyncio
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from console.link.rejoin_list import RejoinList, list_missing
from jackpot.failures import Refused
from jackpot.ledger.ledger import read_records
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.servers import Server
from tests.console.link.test_linked_table import (
    TABLE,
    admit_table,
    is_linked,
    run_linked,
    until_delivered,
    write_configuration,
)
from tests.console.running_table import BANCO, RunningTable, Seen, configuration, running
from tests.deadlines import DEADLINE_S

ROUND = ("press GAME_OVER", "token 1 2", "press COIN_IN")
PAUSE = ("press GAME_OVER", "press COIN_IN")
WAY_OUT = "banco link leave cs-1"


async def play_round(table: RunningTable) -> Seen:
    """A round with two tokens, then paused."""
    await table.do(*ROUND)
    await table.until(lambda seen: seen["phase"] == "PLAYING")
    await table.do(*PAUSE)
    return await table.until(lambda seen: seen["phase"] == "PAUSED")


def missing(folder: Path, centre: PostgresCentre, epoch: int = 1) -> RejoinList:
    """What the ledger in this folder holds that the centre lacks."""
    known = centre.know(TABLE)
    with closing(read_records(folder / "ledger", limit=100_000)) as records:
        return list_missing(records, centre.entries(TABLE), epoch, known)


def test_it_leaves_plays_alone_and_joins_again(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    """LINK 3.14: at 0.00, and with what it has made since"""
    database = admit_table(postgres)

    async def leave() -> Seen:
        async with run_linked(tmp_path, server.port, database) as table:
            await play_round(table)
            await until_delivered(table, postgres)
            postgres.ask_to_leave(TABLE)
            left = await table.until(lambda seen: seen["jackpot"] == "0.00" == seen["reserve"])
            refused = await table.do("press GAME_OVER")
            assert (refused["phase"], refused["refused"]) == ("PAUSED", "LINK_LOST")
            return left

    async def play_alone() -> Seen:
        file = configuration(tmp_path / "table.toml")
        async with running(tmp_path, "--sim", "--config", file) as table:
            return await play_round(table)

    async def join_again() -> Seen:
        file = write_configuration(tmp_path, server.port, database)
        asks = "SELECT asked FROM link.member"
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.until(lambda _: postgres.one(asks) is not None)
            arguments = {"member": TABLE, "balances": postgres.one(asks)}
            assert postgres.approve("join", arguments) is None
            await table.until(is_linked)
            await play_round(table)
            return await until_delivered(table, postgres)

    left = asyncio.run(leave())
    assert left["house"] == "4.00"
    assert postgres.reading == 1_000_280
    alone = asyncio.run(play_alone())
    assert (alone["jackpot"], alone["house"]) == ("2.80", "4.80")
    postgres.admit(TABLE)
    again = asyncio.run(join_again())
    assert again["jackpot"] == "5.60"
    assert postgres.reading == 1_000_000 + 3 * 280
    assert postgres.total.tray == -12_000_000


def test_an_older_card_put_back_after_leaving_and_joining_is_forked(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    """LINK 3.12.2: at its start; else its tokens would be answered, and booked nowhere"""
    database = admit_table(postgres)
    card, older = tmp_path / "card", tmp_path / "older"
    card.mkdir()

    async def play_and_leave() -> None:
        async with run_linked(card, server.port, database) as table:
            await play_round(table)
            await until_delivered(table, postgres)
            await table.kill()
        shutil.copytree(card / "ledger", older / "ledger")
        async with run_linked(card, server.port, database) as table:
            for _ in range(2):
                await play_round(table)
            await until_delivered(table, postgres)
            postgres.ask_to_leave(TABLE)
            await table.until(lambda seen: seen["jackpot"] == "0.00" == seen["reserve"])

    async def put_back() -> Seen:
        file = write_configuration(older, server.port, database)
        async with running(older, "--sim", "--config", file) as table:
            seen = await table.until(lambda seen: "LINK_FORKED" in seen["faults"])
            assert seen["display"][1].strip("- ") in ("", "EUR")
            refused = await table.do("press GAME_OVER")
            assert refused["refused"] == "LINK_LOST"
            return seen

    asyncio.run(play_and_leave())
    postgres.admit(TABLE)
    before = postgres.total
    asyncio.run(put_back())
    assert postgres.total == before
    listed = missing(older, postgres)
    assert listed.transactions == ()
    assert postgres.rejoin(TABLE, listed) is None


def test_a_table_that_has_not_left_is_refused_without_the_link(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    database = admit_table(postgres)

    async def begin_and_start_alone() -> str:
        async with run_linked(tmp_path, server.port, database):
            pass
        file = configuration(tmp_path / "table.toml")
        command = (*BANCO, "run", "--sim", "--json", "--config", str(file))
        process = await asyncio.create_subprocess_exec(
            *command, stderr=asyncio.subprocess.PIPE, stdin=asyncio.subprocess.DEVNULL
        )
        async with asyncio.timeout(DEADLINE_S):
            _, complaints = await process.communicate()
        assert process.returncode != 0
        return complaints.decode()

    assert WAY_OUT in asyncio.run(begin_and_start_alone())


async def stick_two_tokens(table: RunningTable) -> None:
    """A round with a token at seat 1; those of 2 and 3 are stuck."""
    await table.do("press GAME_OVER", "token 1 2 3", "jam 2", "jam 3", "press COIN_IN")
    await table.until(lambda seen: "TOKEN_STUCK" in seen["faults"])
    await table.until(is_linked)


async def try_again(table: RunningTable, seat: int) -> None:
    """The token of this seat drops now."""
    await table.do(f"token {seat}", f"unjam {seat}", "press COIN_IN")
    await table.until(lambda seen: seen["seats"].get(str(seat)) == "ON")


def test_a_cloned_table_rejoins_with_the_tokens_that_the_centre_lacks(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    """LINK 3.12: the token of the clone, and that of the table"""
    database = admit_table(postgres)
    original, clone = tmp_path / "original", tmp_path / "clone"
    original.mkdir()

    async def play_and_clone() -> None:
        async with run_linked(original, server.port, database) as table:
            await stick_two_tokens(table)
            await table.kill()
        shutil.copytree(original / "ledger", clone / "ledger")
        async with run_linked(clone, server.port, database) as table:
            await try_again(table, 2)
            await table.until(lambda _: postgres.reading == 1_000_280)

    async def play_forked() -> None:
        file = write_configuration(original, server.port, database)
        async with running(original, "--sim", "--config", file) as table:
            await table.until(lambda seen: "LINK_FORKED" in seen["faults"])
            await try_again(table, 3)

    async def come_back() -> Seen:
        async with run_linked(original, server.port, database) as table:
            first = await table.until(lambda seen: is_linked(seen) and seen["phase"] == "PAUSED")
            assert "LINK_FORKED" not in first["faults"]
            await table.do("unjam 2")
            seen = await play_round(table)
            await table.until(lambda _: postgres.reading == 1_000_700)  # once it is delivered
            return seen

    asyncio.run(play_and_clone())
    asyncio.run(play_forked())
    listed = missing(original, postgres)
    assert [one.identity for one in listed.transactions] == ["cs-1/round-1/seat-3/stake"]
    assert listed.handled == ("cs-1/round-1/seat-3/stake",)
    assert postgres.rejoin(TABLE, listed) is None
    assert postgres.reading == 1_000_420
    seen = asyncio.run(come_back())
    assert seen["jackpot"] == "5.60"
    assert missing(original, postgres, epoch=2).transactions == ()


def test_a_card_set_back_lacks_nothing_that_the_same_table_sent_later(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    """LINK 3.12: a token is not booked twice"""
    database = admit_table(postgres)
    card, older = tmp_path / "card", tmp_path / "older"
    card.mkdir()

    async def play_and_set_back() -> None:
        async with run_linked(card, server.port, database) as table:
            await stick_two_tokens(table)
            await table.kill()
        async with run_linked(card, server.port, database) as table:
            with postgres.superuser.transaction():
                postgres.superuser.execute("SELECT FROM link.member FOR UPDATE")
                await try_again(table, 2)
                await table.kill()
        shutil.copytree(card / "ledger", older / "ledger")
        async with run_linked(card, server.port, database) as table:
            await table.until(lambda _: postgres.reading == 1_000_280)

    asyncio.run(play_and_set_back())
    listed = missing(older, postgres)
    assert listed.handled == ("cs-1/round-1/seat-2/stake",)
    assert listed.transactions == ()


def test_the_ledger_of_another_table_is_not_taken(postgres: PostgresCentre, tmp_path: Path) -> None:
    async def play_alone() -> None:
        file = configuration(tmp_path / "table.toml")
        async with running(tmp_path, "--sim", "--config", file) as table:
            await play_round(table)

    admit_table(postgres)
    asyncio.run(play_alone())
    with pytest.raises(Refused, match="its table is not linked"):
        missing(tmp_path, postgres)
