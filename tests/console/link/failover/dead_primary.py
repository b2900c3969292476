"""The primary dies in the middle of calls; its standby is promoted, and it comes back as one."""

import asyncio
import time
from random import Random

from tests.console.link.failover.linked_house import (
    check_all_once,
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
                check_all_once(pair.primary, collect_answers(calling), tokens)
                pair.wait_until_in_sync()
                return {
                    "members": members,
                    "answered before": sum(map(len, answered.values())),
                    "promoted after s": promoted - began,
                    "in sync after s": in_sync - promoted,
                    "all answered after s": ended - in_sync,
                }

    return asyncio.run(night())
