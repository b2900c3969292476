"""A house with a primary, a standby and members that call.

docs/reference/link-rules.md, section 5.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from console.database.connect import connect_to
from console.database.install import install_schema
from console.link.centre.books import find_broken_links
from console.link.centre.membership import admit_member, create_jackpot
from console.link.centre.roles import load_link_schema
from console.simulation.room.postgres_server import PostgresServer, ServerPair
from tests.console.link.calling_member import SEATS, CallingMember, tell_member
from tests.console.link.linked_table import MONEY, TERMS
from tests.console.link.server_pair import run_pair
from tests.free_port import free_port
from tests.open_folder import make_open_folder

JACKPOT = "stud"
DATABASE = "postgres"
ENTRIES = "SELECT member, n, encode(hash, 'hex') FROM link.entry"
STAKES = "SELECT member, count(*) FROM link.movement WHERE reason = 'stake' GROUP BY member"

AT_ONCE = 4
"""So many couriers are started together: each table has a machine of its own, they share one."""

Answers = Mapping[str, Mapping[int, str]]
"""Of each member the hash that it was answered, by the call's number."""

Entries = Mapping[tuple[str, int], str]
"""The hash of each call at a server, by its member and number."""


def name_members(count: int) -> list[str]:
    """Their names."""
    return [f"table-{number}" for number in range(1, count + 1)]


@contextmanager
def run_linked_house(
    names: Sequence[str], settings: Mapping[str, str] | None = None, on: Path | None = None
) -> Iterator[ServerPair]:
    """A pair with one jackpot, which these members may join. `on`: a folder of the disk for it."""
    ports = (free_port(), free_port())
    with make_open_folder(on) as folder, run_pair(folder / "house", ports, settings) as pair:
        with connect_to(pair.primary.dsn()) as connection:
            install_schema(connection, load_link_schema())
            create_jackpot(connection, JACKPOT, TERMS, MONEY.base, MONEY.opening, tie="split")
            with connection.transaction():
                for name in names:
                    admit_member(connection, name, JACKPOT)
        yield pair


@asynccontextmanager
async def tell_members(
    pair: ServerPair, names: Sequence[str]
) -> AsyncIterator[dict[str, CallingMember]]:
    """Members with a courier each, which know both servers; all have joined and opened a round."""
    ports = (pair.primary.port, pair.standby.port)
    members: dict[str, CallingMember] = {}
    async with AsyncExitStack() as stack:
        for first in range(0, len(names), AT_ONCE):
            for name in names[first : first + AT_ONCE]:
                member = tell_member(*ports, database=DATABASE, role=name)
                members[name] = await stack.enter_async_context(member)
                members[name].join_and_open()
            await until_all_answered(members)
        yield members


async def until_all_answered(members: Mapping[str, CallingMember]) -> None:
    """Wait until no member has a call left."""
    await asyncio.gather(*(member.until_answered() for member in members.values()))


def collect_answers(members: Mapping[str, CallingMember]) -> Answers:
    """What they were answered so far."""
    return {name: {one.n: one.hash for one in member.answers} for name, member in members.items()}


def find_lost(entries: Entries, answers: Answers) -> list[str]:
    """The calls that were answered, and are not there as they were answered."""
    return [
        f"{member}/{n}"
        for member, hashes in answers.items()
        for n, digest in hashes.items()
        if entries.get((member, n)) != digest
    ]


def check_kept(entries: Entries, answers: Answers) -> None:
    """All that was answered is there. Raises AssertionError."""
    lost = find_lost(entries, answers)
    assert not lost, f"{len(lost)} answered calls are lost: {lost[:10]}"


def check_all_once(entries: Entries, stakes: Mapping[str, int], answers: Answers) -> None:
    """Nothing else is there, and each token once. Raises AssertionError.

    Each member's calls are join, then rounds of an open and seven tokens, one each.
    """
    check_kept(entries, answers)
    assert set(entries) == {(name, n) for name, hashes in answers.items() for n in hashes}
    assert stakes == {name: count_tokens(len(hashes)) for name, hashes in answers.items()}


def check_nothing_lost(server: PostgresServer, answers: Answers) -> None:
    """All that was answered is at this server, as it was answered. Raises AssertionError."""
    check_kept(read_entries(server), answers)
    with connect_to(server.dsn()) as connection:
        broken = find_broken_links(connection)
    assert not broken, broken


def count_tokens(calls: int) -> int:
    """How many of a member's calls were tokens."""
    after_join = calls - 1
    return after_join - -(-after_join // (SEATS + 1))


def check_all_answered_once(server: PostgresServer, answers: Answers) -> None:
    """Nothing answered is lost; nothing else is there, and each token once."""
    check_nothing_lost(server, answers)
    with connect_to(server.dsn()) as connection:
        stakes = dict(connection.execute(STAKES).fetchall())
    check_all_once(read_entries(server), stakes, answers)


def read_entries(server: PostgresServer) -> Entries:
    """All calls at this server."""
    with connect_to(server.dsn()) as connection:
        return {(member, n): digest for member, n, digest in connection.execute(ENTRIES)}


def count_answers(members: Mapping[str, CallingMember]) -> int:
    """How many calls were answered."""
    return sum(len(member.answers) for member in members.values())


async def stake_tokens(member: CallingMember, tokens: int) -> None:
    """One token after the other, each as soon as the one before it is answered."""
    for _ in range(tokens):
        member.stake()
        await member.until_answered()
