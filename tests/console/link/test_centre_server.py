"""The server itself fails: ended and started, without its standby, answering with a warning."""

import asyncio
import re
from collections.abc import Iterator
from functools import partial

import pytest

from console.database.install import install_schema
from console.link.centre.membership import admit_member, create_jackpot
from console.link.centre.roles import load_link_schema
from jackpot.money.amounts import Cents
from tests.console.link.calling_member import SEATS, TABLE, CallingMember, tell_member
from tests.console.link.linked_table import TERMS
from tests.console.link.servers import QUICK, Server, run_server
from tests.open_folder import make_open_folder

AGAIN_WITHIN_S = 30.0
"""It tries at least once a second; on a busy machine each try takes longer."""

WARNS = """
CREATE OR REPLACE FUNCTION link.beat(request jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
    RAISE WARNING 'canceling wait for synchronous replication due to user request';
    RETURN '{"reading": 1, "changes": [], "awaited": 0}'::jsonb;
END
$$
"""

WAIT_FOR_LOCK = """
SELECT count(*) FROM pg_stat_activity WHERE usename = %s AND wait_event_type = 'Lock'
"""


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server that this test may end, with one jackpot and one member in its only database."""
    settings = (*QUICK[:1], "log_statement=none")
    with make_open_folder() as folder, run_server(folder / "cluster", *settings) as server:
        with server.connect() as connection:
            install_schema(connection, load_link_schema())
            create_jackpot(connection, "stud", TERMS, Cents(500_000), Cents(1_000_000), "split")
            admit_member(connection, TABLE, "stud")
        yield server


async def stake_until_lost(member: CallingMember) -> None:
    """A setting reaches the server's processes one by one: until then calls are answered."""
    for _ in range(SEATS):
        await member.until(lambda: member.conditions[-1] == "up")
        before = len(member.conditions)
        member.stake()
        await member.until(partial(_is_answered_or_lost, member, before))
        if member.calls:
            return


def _is_answered_or_lost(member: CallingMember, before: int) -> bool:
    return not member.calls or "lost" in member.conditions[before:]


def test_a_server_that_ends_and_comes_back_loses_nothing(own_server: Server) -> None:
    async def night() -> None:
        async with tell_member(own_server.port, database="postgres") as member:
            member.join_and_open()
            await member.until_answered()
            before = len(member.conditions)
            own_server.stop()
            member.stake()
            await member.until(lambda: member.conditions[-1] == "lost")
            assert len(member.calls) == 1
            own_server.start()
            began = asyncio.get_running_loop().time()
            await member.until_answered()
            assert asyncio.get_running_loop().time() - began < AGAIN_WITHIN_S
            assert member.conditions[before:] == ["lost", "up"]

    asyncio.run(night())
    with own_server.connect() as connection:
        found = connection.execute("SELECT count(*) FROM link.movement WHERE reason = 'stake'")
        assert found.fetchone() == (1,)


def test_a_commit_that_no_standby_has_is_no_answer_and_is_never_cancelled(
    own_server: Server,
) -> None:
    """LINK 1.3.2, 1.4.1, 5.2.1"""

    async def night() -> None:
        async with tell_member(own_server.port, database="postgres") as member:
            member.join_and_open()
            await member.until_answered()
            await member.until_shown()
            with own_server.connect() as connection:
                connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
                connection.execute("SELECT pg_reload_conf()")
            await stake_until_lost(member)
            assert len(member.calls) == 1
            asked = member.device.figures()[0].counts.sent
            await member.until(lambda: member.device.figures()[0].counts.sent >= asked + 4)
            with own_server.connect() as connection:
                left = connection.execute(WAIT_FOR_LOCK, (TABLE,)).fetchone()
                assert left in [(0,), (1,), (2,)]  # not one for each courier that has ended
                connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
                connection.execute("SELECT pg_reload_conf()")
            await member.until_answered()

    asyncio.run(night())
    cancelled = re.findall("cancel.*", own_server.read_log())
    # A statement that waits for a lock ends by its own bound; a commit that waits never does.
    assert set(cancelled) <= {"canceling statement due to statement timeout"}


def test_an_answer_with_a_warning_is_none(own_server: Server) -> None:
    """LINK 1.3.2"""

    async def night() -> None:
        async with tell_member(own_server.port, database="postgres") as member:
            member.join_and_open()
            await member.until_answered()
            await member.until_shown()
            with own_server.connect() as connection:
                connection.execute(WARNS)
            await member.until(lambda: member.conditions[-1] == "lost")
            assert "canceling wait for synchronous replication" in member.lost
            with own_server.connect() as connection:
                connection.execute(WARNS.replace("RAISE WARNING", "RAISE NOTICE"))
            await member.until(lambda: member.conditions[-1] == "up")

    asyncio.run(night())


def test_a_table_set_back_by_a_record_is_barred(own_server: Server) -> None:
    """An older card: the centre has seen a record that this journal does not have"""

    async def night() -> None:
        async with tell_member(own_server.port, database="postgres") as member:
            member.join_and_open()
            await member.until_answered()
            answers, records = list(member.answers), list(member.records)
        async with tell_member(own_server.port, database="postgres") as older:
            older.go_on_from(answers, records[:-2])  # the last one came with no call
            await older.until(lambda: older.conditions[-1:] == ["barred"])
            assert "up" not in older.conditions
            (figures,) = older.device.figures()
            assert figures.why_down == "the centre says LINK_FORKED"
        async with tell_member(own_server.port, database="postgres") as whole:
            whole.go_on_from(answers, records)
            whole.stake()
            await whole.until_answered()

    asyncio.run(night())
