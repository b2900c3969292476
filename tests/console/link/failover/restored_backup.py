"""An older base backup is restored: nobody plays on (docs/link-rules.md, 3.13 and 5.5)."""

import asyncio

from console.simulation.house.postgres_server import PostgresServer
from console.simulation.house.server_pair import SETTINGS, ServerPair
from tests.console.link.calling_member import CallingMember
from tests.console.link.failover.linked_house import (
    check_nothing_lost,
    collect_answers,
    name_members,
    run_linked_house,
    tell_members,
    until_all_answered,
)
from tests.console.link.failover.lost_standby import stake_each

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
        return {"members": members}

    return asyncio.run(night())


def make_backup(pair: ServerPair) -> PostgresServer:
    """Where the base backup goes, to be started in the primary's place."""
    primary = pair.primary
    return PostgresServer(primary.folder.with_name("backup"), primary.port, primary.name, SETTINGS)


async def until_behind(member: CallingMember) -> None:
    """Wait until the centre bars it for this reason."""
    await member.until(lambda: member.conditions[-1] == "barred")
    assert member.device.figures()[0].why_down == BEHIND
