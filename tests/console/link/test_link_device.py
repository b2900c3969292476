"""The link with a real courier and a real centre: every call answered once, whatever fails."""

import asyncio
import os
import random
import signal

import pytest

from console.link.centre.membership import admit_member
from console.link.courier_messages import CALL_TIMEOUT_S
from console.rules.link import Barred
from console.rules.link_state import LinkBarred
from tests.console.link.calling_member import TABLE, CallingMember, count_calls, tell_member
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.servers import Server
from tests.console.link.tcp_proxy import Harm, run_proxy
from tests.free_port import free_port

TOKENS = 20
KILLS = 8


def admit_table(centre: PostgresCentre) -> str:
    """Let the table join; the database's name."""
    admit_member(centre.superuser, TABLE, JACKPOT)
    return str(centre.one("SELECT current_database()"))


def check_centre(centre: PostgresCentre, member: CallingMember, tokens: int) -> None:
    """Every call is there once, in its order, and the hashes are those that were answered."""
    entries = centre.superuser.execute(
        "SELECT n, encode(hash, 'hex') FROM link.entry WHERE member = %s ORDER BY n", (TABLE,)
    ).fetchall()
    assert entries == [(one.n, one.hash) for one in member.answers]
    assert [n for n, _ in entries] == list(range(1, count_calls(tokens) + 1))
    assert centre.one("SELECT count(*) FROM link.movement WHERE reason = 'stake'") == tokens
    assert all(one.refusal is None for one in member.answers)


def test_calls_are_answered_in_their_order_and_the_link_is_up(
    server: Server, postgres: PostgresCentre
) -> None:
    database = admit_table(postgres)

    async def night() -> None:
        async with tell_member(server.port, database=database) as member:
            member.join_and_open()
            for _ in range(TOKENS):
                member.stake()
            await member.until_answered()
            await member.until_shown()
            assert member.conditions[-1] == "up"
            check_centre(postgres, member, TOKENS)
            (figures,) = member.device.figures()
            assert figures.up
            assert figures.state == {"calls waiting": "0", "last answered": "24"}

    asyncio.run(night())


def test_a_courier_killed_at_any_instant_loses_nothing_and_books_nothing_twice(
    server: Server, postgres: PostgresCentre
) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    database = admit_table(postgres)

    async def night() -> None:
        async with tell_member(server.port, database=database) as member:
            member.join_and_open()
            for _ in range(KILLS):
                await member.until_answered()
                pid = member.device.pid
                assert pid is not None
                after_s = chance.random() * 0.02
                asyncio.get_running_loop().call_later(after_s, os.kill, pid, signal.SIGKILL)
                member.stake()
            await member.until_answered()
            check_centre(postgres, member, KILLS)

    asyncio.run(night())


@pytest.mark.parametrize("harm", [Harm.CUT_BEFORE, Harm.CUT_AFTER, Harm.CUT_WITHIN])
@pytest.mark.parametrize("word", ['"call":"join"', '"call":"deliver"'])
def test_a_call_cut_off_anywhere_is_answered_once(
    server: Server, postgres: PostgresCentre, harm: Harm, word: str
) -> None:
    database = admit_table(postgres)

    async def night() -> None:
        async with run_proxy(server.port) as proxy:
            proxy.harm_next(harm, word)
            async with tell_member(proxy.port, database=database) as member:
                member.join_and_open()
                member.stake()
                await member.until_answered()
                assert proxy.done.is_set()
                check_centre(postgres, member, 1)

    asyncio.run(night())


def test_an_answer_held_back_loses_the_link_when_the_calls_time_is_over(
    server: Server, postgres: PostgresCentre
) -> None:
    """LINK 1.3.1"""
    database = admit_table(postgres)

    async def night() -> None:
        loop = asyncio.get_running_loop()
        async with (
            run_proxy(server.port) as proxy,
            tell_member(proxy.port, database=database) as member,
        ):
            member.join_and_open()
            await member.until_answered()
            proxy.harm_next(Harm.HOLD, '"call":"deliver"')
            began, before = loop.time(), len(member.conditions)
            member.stake()
            await member.until(lambda: "lost" in member.conditions[before:])
            assert loop.time() - began >= CALL_TIMEOUT_S - 0.5
            await member.until_answered()
            assert member.conditions[before:] == ["lost", "up"]
            check_centre(postgres, member, 1)

    asyncio.run(night())


def test_a_courier_that_stands_still_is_replaced(server: Server, postgres: PostgresCentre) -> None:
    database = admit_table(postgres)

    async def night() -> None:
        async with tell_member(server.port, database=database) as member:
            member.join_and_open()
            await member.until_shown()
            first = member.device.pid
            assert first is not None
            before = len(member.conditions)
            os.kill(first, signal.SIGSTOP)
            member.stake()
            await member.until_answered()
            assert member.device.pid != first
            assert member.conditions[before:] == ["lost", "up"]
            check_centre(postgres, member, 1)

    asyncio.run(night())


def test_hosts_are_tried_until_one_is_the_primary(server: Server, postgres: PostgresCentre) -> None:
    """LINK 1.5.1"""
    database = admit_table(postgres)

    async def night() -> None:
        async with tell_member(free_port(), server.port, database=database) as member:
            member.join_and_open()
            await member.until_answered()
            assert "up" in member.conditions

    asyncio.run(night())


def test_a_table_that_is_no_member_is_barred(server: Server, postgres: PostgresCentre) -> None:
    postgres.stranger("table-4")
    database = postgres.one("SELECT current_database()")

    async def night() -> None:
        async with tell_member(server.port, database=database, role="table-4") as member:
            member.join_and_open()
            await member.until(lambda: member.conditions[-1:] == ["barred"])
            assert "up" not in member.conditions
            (figures,) = member.device.figures()
            assert figures.why_down == "the centre says LINK_NOT_A_MEMBER"

    asyncio.run(night())


def test_a_table_to_whom_more_was_answered_than_it_ever_sent_is_forked(
    server: Server, postgres: PostgresCentre
) -> None:
    """LINK 3.0.3: by its own look, whatever the centre knows of its records"""
    database = admit_table(postgres)

    async def play() -> CallingMember:
        async with tell_member(server.port, database=database) as member:
            member.join_and_open()
            member.stake()
            await member.until_answered()
            return member

    async def come_back_older(before: CallingMember) -> None:
        async with tell_member(server.port, database=database) as older:
            older.go_on_from(before.answers[:2], before.records)
            await older.until(lambda: older.conditions[-1:] == ["barred"])
            bars = [one.barred for one in older.reports if isinstance(one, LinkBarred)]
            assert bars == [Barred.FORKED]
            older.stake()
            await older.until_asked(3)
            assert "up" not in older.conditions

    asyncio.run(come_back_older(asyncio.run(play())))
    assert postgres.one("SELECT count(*) FROM link.movement WHERE reason = 'stake'") == 1
