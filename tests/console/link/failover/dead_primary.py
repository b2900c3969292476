"""The primary dies in the middle of calls; its standby is promoted, and it comes back as one.

Of two machines one is left then: two operators let it answer alone until the old one is back.
"""

import asyncio
import time
from collections.abc import Mapping
from random import Random

from console.database.connect import connect_to
from console.link.centre.standbys import set_standbys
from console.simulation.room.postgres_server import ServerPair
from tests.console.link.calling_member import CallingMember
from tests.console.link.crowd import Ended, Ending, Joining, Staking, run_crowd
from tests.console.link.failover.linked_house import (
    check_all_answered_once,
    check_nothing_lost,
    collect_answers,
    count_answers,
    name_members,
    run_linked_house,
    stake_tokens,
    tell_members,
)


def kill_primary(members: int, tokens: int, chance: Random) -> dict[str, float]:
    """Members with couriers; seconds of what was waited for. Raises AssertionError."""
    names = name_members(members)
    kill_after = chance.randrange(members * tokens // 4, members * tokens // 2)

    async def night() -> dict[str, float]:
        with run_linked_house(names) as pair:
            async with tell_members(pair, names) as calling:
                first = count_answers(calling)
                playing = [
                    asyncio.create_task(stake_tokens(one, tokens)) for one in calling.values()
                ]
                await calling[names[0]].until(lambda: count_answers(calling) >= first + kill_after)
                pair.primary.kill()
                answered = collect_answers(calling)
                began = time.monotonic()
                await asyncio.to_thread(pair.promote)
                promoted = time.monotonic()
                check_nothing_lost(pair.primary, answered)
                answer_alone(pair)
                alone = time.monotonic()
                await asyncio.gather(
                    *(until_answered_since(one, answered[name]) for name, one in calling.items())
                )
                again = time.monotonic()
                await asyncio.gather(*playing)
                await asyncio.to_thread(pair.rewind_standby)
                await asyncio.gather(*(stake_tokens(one, 1) for one in calling.values()))
                check_all_answered_once(pair.primary, collect_answers(calling))
                pair.wait_until_in_sync()
                return {
                    "members": members,
                    "answered before": sum(map(len, answered.values())),
                    "promoted after s": promoted - began,
                    "all answered after s": again - alone,
                }

    return asyncio.run(night())


def kill_primary_in_crowd(members: int, chance: Random) -> dict[str, float]:
    """The same with light members, in two processes (`tests.console.link.crowd`)."""
    names = name_members(members)
    busy = chance.randrange(members // 2, members)
    with run_linked_house(names, {"max_connections": str(members + 50)}) as pair:
        ports = (pair.primary.port, pair.standby.port)
        with run_crowd([names[::2], names[1::2]], ports) as crowd:
            crowd.tell(Joining(opens=True))
            crowd.tell(Staking(busy))
            pair.primary.kill()
            began = time.monotonic()
            pair.promote()
            promoted = time.monotonic()
            answer_alone(pair)
            alone = time.monotonic()
            shares: list[Ended] = crowd.tell(Ending())
        pair.rewind_standby()
        answers = {name: one for share in shares for name, one in share.answers.items()}
        check_all_answered_once(pair.primary, answers)
        return {
            "members": members,
            "answered": sum(map(len, answers.values())),
            "promoted after s": promoted - began,
            "all answered after s": max(share.at for share in shares) - alone,
        }


def answer_alone(pair: ServerPair) -> None:
    """Let the promoted standby answer, which has none of its own: two operators said so (5.2)."""
    with connect_to(pair.primary.dsn()) as superuser:
        set_standbys(superuser, "")


async def until_answered_since(member: CallingMember, before: Mapping[int, str]) -> None:
    """Wait for an answer that is not one of these, unless it waits for none."""
    await member.until(lambda: len(member.answers) > len(before) or not member.calls)
