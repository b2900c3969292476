"""A member of whatever release PYTHONPATH names: `python playing_release.py PORT DATABASE TABLE`.

It joins, and plays a round for each line on standard input: a token, JPOT, the key back in R, GAME
OVER. Prints a line of JSON for each, of what was answered so far. It needs no more of the release
than `make test` of 0.1.0 does.
"""

import asyncio
import json
import sys

from console.rules.link import Agree, Claim, Close, Deliver, Open
from jackpot.money import movements
from tests.console.link.calling_member import CallingMember, tell_member
from tests.console.link.linked_table import MONEY, TERMS


async def play_round(member: CallingMember, round_number: int) -> None:
    """All calls of a round, until each is answered."""
    place = f"{member.name}/round-{round_number}"
    stake = movements.stake(MONEY, f"{place}/seat-1/stake")
    award = f"{place}/award-1"
    lowest = min(TERMS.prizes, key=lambda combination: TERMS.prizes[combination])
    member.make(
        lambda n: Open(n, round_number),
        lambda n: Deliver(n, round_number, (stake,)),
        lambda n: Claim(n, round_number, award, lowest, 1),
        lambda n: Agree(n, award),
        lambda n: Close(n, round_number),
    )
    await member.until_answered()


async def main(port: str, database: str, table: str) -> None:
    """Play until standard input ends."""
    read = asyncio.get_running_loop().run_in_executor
    async with tell_member(int(port), database=database, role=table) as member:
        member.join_and_open()
        member.make(lambda n: Close(n, 1))
        await member.until_answered()
        round_number = 1
        while await read(None, sys.stdin.readline):
            round_number += 1
            await play_round(member, round_number)
            answers = [(one.n, one.refusal, one.hash) for one in member.answers]
            print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
