"""An older base backup is restored: no play until `recover` (docs/link-rules.md, 3.13, 5.5)."""

import asyncio

from console.link.centre.connect import connect_to
from console.rules.acts import KINDS
from console.simulation.house.postgres_server import PostgresServer
from console.simulation.house.server_pair import SETTINGS, ServerPair
from tests.console.link.calling_member import CallingMember
from tests.console.link.failover.linked_house import (
    JACKPOT,
    check_all_answered_once,
    check_nothing_lost,
    collect_answers,
    name_members,
    run_linked_house,
    tell_members,
    until_all_answered,
)
from tests.console.link.failover.lost_standby import stake_each

PROPOSE = """SELECT link.propose(%s, 'recover', '{"without": []}')"""
APPROVE = """SELECT link.approve(%s, 'recover', '{"without": []}')"""
BEHIND = "the centre says LINK_BEHIND"


def restore_backup(members: int) -> dict[str, float]:
    """A token each, a base backup, another token each; then both servers are gone."""
    names = name_members(members)

    async def night() -> dict[str, float]:
        with run_linked_house(names) as pair:
            async with tell_members(pair, names) as calling:
                stake_each(calling, 1)
                await until_all_answered(calling)
                saved = collect_answers(calling)
                backup = make_backup(pair)
                await asyncio.to_thread(backup.copy, pair.primary.port)
                stake_each(calling, 2)
                await until_all_answered(calling)
                answered = collect_answers(calling)
                pair.primary.kill()
                pair.standby.kill()
                stake_each(calling, 3)
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
