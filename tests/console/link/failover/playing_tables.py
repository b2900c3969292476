"""`python -m tests.console.link.failover.playing_tables`: tables that stake without a pause.

Each has a courier, and a certificate in the folder. Prints a line of JSON for each answer, with the
instant by `time.monotonic`, one clock for all machines here. A line `end` on standard input: each
has a last token answered, and the process ends.
"""

import argparse
import asyncio
import logging
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
from msgspec import Struct

from console.configuration.addresses import parse_host
from console.database.addresses import Credentials, ServerAddress
from tests.console.link.calling_member import CallingMember, tell_member_at

DATABASE = "banco"


class Answered(Struct, frozen=True):
    """An answer that a table had, and when."""

    table: str
    n: int
    hash: str
    at: float


async def play(
    names: list[str], hosts: list[str], folder: Path, pause_s: float, end: asyncio.Event
) -> None:
    """All tables, until the event and a last token of each."""
    addresses = tuple(ServerAddress(*parse_host(host)) for host in hosts)
    async with AsyncExitStack() as stack:
        members = []
        for name in names:
            files = Credentials(*(str(folder / one) for one in (f"{name}.crt", f"{name}.key",
                                                                "house.crt")))  # fmt: skip
            telling = tell_member_at(addresses, DATABASE, name, files)
            members.append(await stack.enter_async_context(telling))
        await asyncio.gather(*(stake_until(one, pause_s, end) for one in members))


async def stake_until(member: CallingMember, pause_s: float, end: asyncio.Event) -> None:
    """Join, then one token after the other; what is answered is printed."""
    member.join_and_open()
    await print_answers(member)
    last = False
    while not last:
        last = end.is_set()
        member.stake()
        await print_answers(member)
        await asyncio.sleep(pause_s)


async def print_answers(member: CallingMember) -> None:
    """Wait, however long, until no call is left."""
    printed = len(member.answers)
    while member.calls or printed < len(member.answers):
        await member.until_changed()
        for one in member.answers[printed:]:
            line = msgspec.json.encode(Answered(member.name, one.n, one.hash, time.monotonic()))
            print(line.decode(), flush=True)
        printed = len(member.answers)


async def wait_for_end(end: asyncio.Event) -> None:
    """Set the event when a line comes, or nobody is there any more."""
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    end.set()


async def main() -> None:
    """Play as the arguments say."""
    parser = argparse.ArgumentParser(description="tables that stake without a pause")
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--hosts", nargs="+", required=True)
    parser.add_argument("--folder", type=Path, required=True, help="of certificates and keys")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds after each answer")
    asked = parser.parse_args()
    logging.disable(logging.WARNING)
    end = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(wait_for_end(end))
        tasks.create_task(play(asked.tables, asked.hosts, asked.folder, asked.pause, end))


if __name__ == "__main__":
    asyncio.run(main())
