"""The standby is gone, or the line to it: nobody is answered.

docs/reference/link-rules.md, 5.1, 5.2.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from console.database.connect import connect_to
from console.rules.link_state import (
    LinkAnswered,
    LinkShown,
)
from console.simulation.room.postgres_server import PostgresServer, ServerPair
from tests.console.link.calling_member import CallingMember
from tests.console.link.failover.dead_primary import answer_alone
from tests.console.link.failover.linked_house import (
    check_all_answered_once,
    check_nothing_lost,
    collect_answers,
    count_answers,
    name_members,
    run_linked_house,
    tell_members,
    until_all_answered,
)
from tests.console.link.tcp_proxy import TcpProxy, run_proxy

ASKED_AGAIN = 3
"""So often each member asks without an answer before it is said that none came."""

Members = Mapping[str, CallingMember]


@asynccontextmanager
async def cut_off_standby(names: Sequence[str]) -> AsyncIterator[tuple[ServerPair, TcpProxy]]:
    """A house whose replication line runs through a proxy."""
    with run_linked_house(names) as pair:
        async with run_proxy(pair.primary.port) as line:
            await asyncio.to_thread(pair.standby.stop)
            await asyncio.to_thread(pair.copy_standby, line.port)
            yield pair, line


def stake_each(members: Members) -> None:
    """A token at each table."""
    for member in members.values():
        member.stake()


async def until_asked_in_vain(members: Members) -> None:
    """Wait until each has lost its link and asked again, and hold that none was answered."""
    heard = {name: len(member.reports) for name, member in members.items()}
    answers = count_answers(members)
    await asyncio.gather(*map(until_lost, members.values()))
    await asyncio.gather(*map(until_asked_again, members.values()))
    assert count_answers(members) == answers, "answered without a standby"
    for name, member in members.items():
        late = [one for one in member.reports[heard[name] :] if isinstance(one, LinkAnswered)]
        assert not late, f"{name} was answered without a standby"
        assert member.conditions[-1] == "lost", f"{name}: {member.conditions}"
        assert not isinstance(member.reports[-1], LinkShown), f"{name} was shown an amount"


async def until_lost(member: CallingMember) -> None:
    """Wait until its link is lost."""
    await member.until(lambda: member.conditions[-1] == "lost")


async def until_asked_again(member: CallingMember) -> None:
    """Wait until its courier was asked a few times more."""
    asked = count_asked(member)
    await member.until(lambda: count_asked(member) >= asked + ASKED_AGAIN)


def count_asked(member: CallingMember) -> int:
    """How often its courier was asked."""
    return member.device.figures()[0].counts.sent


def set_at(server: PostgresServer, name: str, value: str) -> None:
    """Set a setting of the running server."""
    with connect_to(server.dsn()) as connection:
        connection.execute(f"ALTER SYSTEM SET {name} = '{value}'".encode())
        connection.execute("SELECT pg_reload_conf()")


def lose_standby(members: int) -> dict[str, float]:
    """The standby dies and comes back: calls wait, and are answered once."""
    names = name_members(members)

    async def night() -> dict[str, float]:
        loop = asyncio.get_running_loop()
        with run_linked_house(names) as pair:
            async with tell_members(pair, names) as calling:
                couriers = {name: member.device.pid for name, member in calling.items()}
                pair.standby.kill()
                stake_each(calling)
                await until_asked_in_vain(calling)
                assert all(one.device.pid != couriers[name] for name, one in calling.items())
                await asyncio.to_thread(pair.standby.start)
                began = loop.time()
                await until_all_answered(calling)
                answered_s = loop.time() - began
                log = pair.primary.read_log()
                assert "canceling wait for synchronous replication" not in log
                assert "due to user request" not in log, "a cancel was sent"
                pair.primary.kill()
                await asyncio.to_thread(pair.promote)
                check_all_answered_once(pair.primary, collect_answers(calling))
        return {"members": members, "all answered after s": answered_s}

    return asyncio.run(night())


def split_brain(members: int) -> dict[str, float]:
    """The old primary is cut off and goes on, while its standby is promoted."""
    names = name_members(members)

    async def night() -> dict[str, float]:
        async with cut_off_standby(names) as (pair, line), tell_members(pair, names) as calling:
            old = pair.primary
            line.cut()
            stake_each(calling)
            await until_asked_in_vain(calling)
            await asyncio.to_thread(pair.promote)
            await until_asked_in_vain(calling)
            answer_alone(pair)
            await until_all_answered(calling)
            alone = collect_answers(calling)
            old.stop()
            await asyncio.to_thread(pair.rewind_standby)
            check_nothing_lost(pair.primary, alone)
            stake_each(calling)
            await until_all_answered(calling)
            pair.primary.kill()
            await asyncio.to_thread(pair.promote)
            check_all_answered_once(pair.primary, collect_answers(calling))
        return {"members": members}

    return asyncio.run(night())


def break_wait(members: int, setting: str, value: str) -> dict[str, float]:
    """The wait for the standby is broken on purpose. Raises AssertionError if nobody finds it."""
    names = name_members(members)

    async def night() -> str:
        async with cut_off_standby(names) as (pair, line), tell_members(pair, names) as calling:
            set_at(pair.primary, setting, value)
            line.cut()
            stake_each(calling)
            await until_all_answered(calling)
            pair.primary.kill()
            await asyncio.to_thread(pair.promote)
            try:
                check_nothing_lost(pair.primary, collect_answers(calling))
            except AssertionError as found:
                return str(found)
        return ""

    found = asyncio.run(night())
    assert "answered calls are lost" in found, f"{setting}: nothing was found"
    return {"members": members}
