"""An older base backup is restored: no play until `recover`.

docs/reference/link-rules.md, 3.13, 5.5.
"""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from console.database.connect import connect_to
from console.rules.acts import KINDS
from console.simulation.room.postgres_server import SETTINGS, PostgresServer, ServerPair
from tests.console.link.calling_member import CallingMember
from tests.console.link.failover.linked_house import (
    DATABASE,
    JACKPOT,
    check_all_answered_once,
    check_nothing_lost,
    collect_answers,
    name_members,
    read_entries,
    run_linked_house,
    tell_members,
    until_all_answered,
)
from tests.console.link.failover.lost_standby import stake_each
from tests.console.link.test_linked_table import STEPS, TABLE, is_linked, run_linked, take_step

PROPOSE = """SELECT link.propose(%s, 'recover', '{"without": []}')"""
APPROVE = """SELECT link.approve(%s, 'recover', '{"without": []}')"""
OPERATORS = ("olga", "piero")
EVERYBODY = '{"without": []}'
BACKED_UP_AFTER = 2
BEHIND = "the centre says LINK_BEHIND"


def restore_backup(members: int) -> dict[str, float]:
    """A token each, a base backup, another token each; then both servers are gone."""
    names = name_members(members)

    async def night() -> dict[str, float]:
        with run_linked_house(names) as pair:
            async with tell_members(pair, names) as calling:
                stake_each(calling)
                await until_all_answered(calling)
                saved = collect_answers(calling)
                backup = make_backup(pair)
                await asyncio.to_thread(backup.copy, pair.primary.port)
                stake_each(calling)
                await until_all_answered(calling)
                answered = collect_answers(calling)
                pair.primary.kill()
                pair.standby.kill()
                stake_each(calling)
                pair.primary = backup
                await asyncio.to_thread(backup.start)
                await asyncio.to_thread(pair.copy_standby)
                await asyncio.gather(*(until_behind(one) for one in calling.values()))
                assert collect_answers(calling) == answered, "answered by a centre set back"
                check_nothing_lost(pair.primary, saved)
                await asyncio.to_thread(say_recover, pair.primary)
                await until_all_answered(calling)
                check_all_answered_once(pair.primary, collect_answers(calling))
                assert all("recall-ended" in kinds_of(one) for one in calling.values())
        return {"members": members}

    return asyncio.run(night())


def recover_backup() -> dict[str, float]:
    """A whole table, a base backup after its third step; restored, two operators `recover`."""

    async def night() -> dict[str, float]:
        with (
            run_linked_house([TABLE]) as pair,
            TemporaryDirectory() as folder,
        ):
            make_operators(pair.primary)
            backup = make_backup(pair)
            async with run_linked(Path(folder), pair.primary.port, DATABASE) as table:
                for number, step in enumerate(STEPS):
                    await take_step(table, step)
                    if number == BACKED_UP_AFTER:
                        await asyncio.to_thread(backup.copy, pair.primary.port)
                await table.until(lambda seen: is_linked(seen) and is_closed(pair.primary))
                before = read_entries(pair.primary)
                pair.primary.kill()
                pair.standby.kill()
                pair.primary = backup
                await asyncio.to_thread(backup.start)
                await asyncio.to_thread(pair.copy_standby)
                await table.until(lambda seen: "LINK_BEHIND" in seen["faults"])
                left = len(read_entries(backup))
                assert left < len(before), "nothing was lost: there is nothing to recover"
                recover_as_two(backup)
                await table.until(lambda seen: is_linked(seen) and is_closed(pair.primary))
                assert read_entries(backup) == before, "not booked as it was"
                return {"calls": len(before), "in the backup": left}

    return asyncio.run(night())


def is_closed(server: PostgresServer) -> bool:
    """Whether no round is open at the centre."""
    query = "SELECT FROM link.member WHERE open_round IS NOT NULL OR recovering"
    with connect_to(server.dsn()) as connection:
        return connection.execute(query).fetchone() is None


def make_operators(server: PostgresServer) -> None:
    """Two people, with a role each."""
    with connect_to(server.dsn()) as connection:
        for name in OPERATORS:
            connection.execute(f"CREATE ROLE {name} LOGIN IN ROLE link_operator".encode())


def recover_as_two(server: PostgresServer) -> None:
    """One proposes, the other approves."""
    first, second = OPERATORS
    with connect_to(server.dsn(first)) as connection:
        query = "SELECT link.propose(%s, 'recover', %s::jsonb)"
        row = connection.execute(query, (JACKPOT, EVERYBODY)).fetchone()
        assert row is not None
    with connect_to(server.dsn(second)) as connection:
        query = "SELECT link.approve(%s, 'recover', %s::jsonb)"
        refusal = connection.execute(query, (row[0], EVERYBODY)).fetchone()
        assert refusal == (None,), refusal


def make_backup(pair: ServerPair) -> PostgresServer:
    """Where the base backup goes, to be started in the primary's place."""
    primary = pair.primary
    return PostgresServer(primary.folder.with_name("backup"), primary.port, primary.name, SETTINGS)


def say_recover(server: PostgresServer) -> None:
    """Two operators say it."""
    with connect_to(server.dsn()) as connection:
        for name in ("olga", "piero"):
            connection.execute(f"CREATE ROLE {name} LOGIN IN ROLE link_operator".encode())
    with connect_to(server.dsn("olga")) as olga, connect_to(server.dsn("piero")) as piero:
        asked = olga.execute(PROPOSE, (JACKPOT,)).fetchone()
        assert piero.execute(APPROVE, asked).fetchone() == (None,)


def kinds_of(member: CallingMember) -> set[str]:
    """The kinds of what its link reported."""
    return {KINDS[type(one)] for one in member.reports}


async def until_behind(member: CallingMember) -> None:
    """Wait until the centre bars it for this reason."""
    await member.until(lambda: member.conditions[-1] == "barred")
    assert member.device.figures()[0].why_down == BEHIND
