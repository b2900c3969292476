"""A whole table, and a centre that was set back (docs/link-rules.md, 3.13)."""

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest

from console.link.centre.chains import find_broken_links
from console.link.centre.jackpot_setup import admit_member
from console.rules.link import Close
from console.rules.link_acts import (
    RecallBegan,
)
from jackpot.reading import read_records
from tests.console.link.calling_member import CallingMember, tell_member
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.servers import Server
from tests.console.link.test_linked_table import (
    CALLS,
    STEPS,
    admit_table,
    check_books,
    courier_of,
    run_linked,
    take_step,
    until_delivered,
)
from tests.console.running_table import RunningTable, Seen

pytestmark = pytest.mark.sampled(of=2)


def is_behind(seen: Seen) -> bool:
    return "LINK_BEHIND" in seen["faults"]


def kill_courier(table: RunningTable) -> None:
    """A centre that is restored has none of its connections."""
    os.kill(courier_of(table) or 0, signal.SIGKILL)


async def until_recovered(table: RunningTable, centre: PostgresCentre) -> Seen:
    """Wait until it plays again."""
    await table.until(lambda seen: not is_behind(seen))
    return await until_delivered(table, centre)


def test_a_table_goes_on_once_the_centre_is_told_again(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    """LINK 3.13.2"""
    database = admit_table(postgres)

    async def night() -> Seen:
        async with run_linked(tmp_path, server.port, database) as table:
            for number in range(len(STEPS)):
                await take_step(table, number)
                if number == 0:
                    postgres.save()
            await until_delivered(table, postgres)
            before = postgres.total
            postgres.set_back(None)
            kill_courier(table)
            await table.until(is_behind)
            assert postgres.total != before
            postgres.recover()
            seen = await until_recovered(table, postgres)
            assert postgres.total == before
            return seen

    assert check_books(postgres, asyncio.run(night())) == CALLS
    assert find_broken_links(postgres.superuser) == []
    kinds = [record.kind for record in read_records(find_ledger(tmp_path))]
    assert kinds.index("recall-began") < kinds.index("recall-ended")


def find_ledger(folder: Path) -> Path:
    """The folder of the table's ledger."""
    (ledger,) = folder.rglob("ledger.db")
    return ledger.parent


NAMES = ("table-1", "table-2", "table-3")
TOKENS = 25


def test_three_tables_tell_all_though_their_couriers_are_killed(
    server: Server, postgres: PostgresCentre
) -> None:
    database = str(postgres.one("SELECT current_database()"))

    async def night() -> list[CallingMember]:
        async with AsyncExitStack() as stack:
            members: list[CallingMember] = []
            for name in NAMES:
                admit_member(postgres.superuser, name, JACKPOT)
                telling = tell_member(server.port, database=database, role=name)
                members.append(await stack.enter_async_context(telling))
                members[-1].join_and_open()
            await until_all_answered(members)
            postgres.save()
            for member in members:
                for _ in range(TOKENS):
                    member.stake()
            await until_all_answered(members)
            before = postgres.total
            postgres.set_back(None)
            for member in members:
                os.kill(member.device.pid or 0, signal.SIGKILL)
            postgres.recover()
            for member in members:
                await member.until(partial(has_begun, member))
                os.kill(member.device.pid or 0, signal.SIGKILL)
                member.make(lambda n: Close(n, 1))
            await until_all_answered(members)
            assert postgres.total == before
            return members

    members = asyncio.run(night())
    assert find_broken_links(postgres.superuser) == []
    there = "SELECT encode(hash, 'hex') FROM link.entry WHERE member = %s ORDER BY n"
    for name, member in zip(NAMES, members, strict=True):
        hashes = [row[0] for row in postgres.superuser.execute(there, (name,)).fetchall()]
        assert hashes == [answer.hash for answer in member.answers]
    assert postgres.one("SELECT count(*) FROM link.movement WHERE reason = 'stake'") == 3 * TOKENS


def has_begun(member: CallingMember) -> bool:
    """Whether it has begun to tell."""
    return any(isinstance(one, RecallBegan) for one in member.reports)


async def until_all_answered(members: list[CallingMember]) -> None:
    """Wait until no call is left at any."""
    await asyncio.gather(*(member.until_answered() for member in members))
