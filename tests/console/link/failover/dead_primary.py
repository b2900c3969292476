"""The primary dies in the middle of calls; its standby is promoted, and it comes back as one."""

import asyncio
import time
from random import Random

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
    until_all_answered,
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
                    asyncio.create_task(stake_tokens(one, range(tokens)))
                    for one in calling.values()
                ]
                await calling[names[0]].until(lambda: count_answers(calling) >= first + kill_after)
                pair.primary.kill()
                answered = collect_answers(calling)
                began = time.monotonic()
                await asyncio.to_thread(pair.promote)
                promoted = time.monotonic()
                check_nothing_lost(pair.primary, answered)
                await asyncio.to_thread(pair.rewind_standby)
                in_sync = time.monotonic()
                await asyncio.gather(*playing)
                await until_all_answered(calling)
                ended = time.monotonic()
                assert all(one.conditions[0] == "up" for one in calling.values())
                check_all_answered_once(pair.primary, collect_answers(calling))
                pair.wait_until_in_sync()
                return {
                    "members": members,
                    "answered before": sum(map(len, answered.values())),
                    "promoted after s": promoted - began,
                    "in sync after s": in_sync - promoted,
                    "all answered after s": ended - in_sync,
                }

    return asyncio.run(night())


def kill_primary_in_crowd(members: int, chance: Random) -> dict[str, float]:
    """The same with light members, which share a few threads (`tests.console.link.crowd`)."""
    names = name_members(members)
    busy = chance.randrange(members // 2, members)
    with run_linked_house(names, {"max_connections": str(members + 50)}) as pair:
        ports = (pair.primary.port, pair.standby.port)
        with run_crowd(names, ports) as crowd:
            crowd.tell(Joining(opens=True))
            crowd.tell(Staking(busy))
            pair.primary.kill()
            began = time.monotonic()
            pair.promote()
            promoted = time.monotonic()
            pair.rewind_standby()
            in_sync = time.monotonic()
            shares: list[Ended] = crowd.tell(Ending())
        answers = {name: one for share in shares for name, one in share.answers.items()}
        check_all_answered_once(pair.primary, answers)
        return {
            "members": members,
            "answered": sum(map(len, answers.values())),
            "promoted after s": promoted - began,
            "in sync after s": in_sync - promoted,
            "all answered after s": max(share.at for share in shares) - in_sync,
        }
