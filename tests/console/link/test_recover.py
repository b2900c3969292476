"""A whole table, and a centre that was set back (docs/reference/link-rules.md, 3.13)."""

import asyncio
import io
import os
import signal
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest

from console.command_line.command import DONE
from console.command_line.main import main
from console.link.centre.books import find_book_differences, find_broken_links
from console.link.centre.membership import admit_member
from console.rules.link import Close
from console.rules.link_state import (
    RecallBegan,
)
from console.rules.structs import replace
from jackpot.ledger.reading import read_records
from jackpot.money.prizes import Combination
from tests.console.link.calling_member import CallingMember, tell_member
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.linked_table import TERMS
from tests.console.link.servers import Server
from tests.console.link.test_linked_table import (
    CALLS,
    STEPS,
    TABLE,
    admit_table,
    check_books,
    courier_of,
    run_linked,
    take_step,
    until_delivered,
)
from tests.console.running_table import RunningTable, Seen

FLUSH = Combination.FLUSH

pytestmark = pytest.mark.sampled(of=2)


def is_behind(seen: Seen) -> bool:
    return "LINK_BEHIND" in seen["faults"]


def kill_courier(table: RunningTable) -> None:
    """A centre that is restored has none of its connections."""
    os.kill(courier_of(table) or 0, signal.SIGKILL)


async def until_recovered(table: RunningTable, centre: PostgresCentre) -> Seen:
    """Wait until it plays again."""
    await table.until(lambda seen: not is_behind(seen))
    return await until_delivered(table, centre)


def test_a_table_goes_on_once_the_centre_is_told_again(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    """LINK 3.13.2"""
    database = admit_table(postgres)

    async def night() -> Seen:
        async with run_linked(tmp_path, server.port, database) as table:
            for number, step in enumerate(STEPS):
                await take_step(table, step)
                if number == 0:
                    postgres.save()
            await until_delivered(table, postgres)
            before = postgres.total
            postgres.set_back(None)
            kill_courier(table)
            await table.until(is_behind)
            assert postgres.total != before
            postgres.recover()
            seen = await until_recovered(table, postgres)
            assert postgres.total == before
            return seen

    assert check_books(postgres, asyncio.run(night())) == CALLS
    assert find_broken_links(postgres.superuser) == []
    kinds = [record.kind for record in read_records(find_ledger(tmp_path))]
    assert kinds.index("recall-began") < kinds.index("recall-ended")


WITHOUT_FLUSH = replace(
    TERMS, prizes={one: share for one, share in TERMS.prizes.items() if one != FLUSH}
)
ASKED_AGAIN = 3
"""How often a table that waits for settings says hello, before two operators come."""


def test_a_claim_of_a_prize_that_the_restored_centre_does_not_know_is_booked_after_settings(
    server: Server, make_empty_centre: Callable[[], PostgresCentre], tmp_path: Path
) -> None:
    """LINK 3.13.5"""
    centre = make_empty_centre().begin(WITHOUT_FLUSH)
    database = admit_table(centre)
    centre.save()
    assert centre.settle(TERMS) is None

    async def night() -> Seen:
        async with run_linked(tmp_path, server.port, database) as table:
            for step in STEPS:
                await take_step(table, step)
            await until_delivered(table, centre)
            before = centre.total
            centre.set_back(None)
            centre.recover()
            kill_courier(table)
            seen = await table.until(lambda seen: "LINK_SETTINGS" in seen["faults"])
            assert "LINK_BEHIND" in seen["faults"]
            sessions = centre.one("SELECT session FROM link.member")
            again = "SELECT session >= %s AND awaits IS NOT NULL FROM link.member"
            await table.until(lambda _: bool(centre.one(again, sessions + ASKED_AGAIN)))
            assert centre.settle(TERMS) is None
            seen = await until_recovered(table, centre)
            assert centre.total == before
            return seen

    assert check_books(centre, asyncio.run(night())) == CALLS
    assert list(find_book_differences(centre.superuser)) == []
    kinds = [record.kind for record in read_records(find_ledger(tmp_path))]
    assert kinds.count("recall-began") == 2  # where it began, and where it waited
    assert kinds.count("recall-ended") == 1
    complaints = (tmp_path / "complaints").read_text("utf-8")
    assert "LINK_SETTINGS: award 1 names the prize FLUSH, 1 x 100.02 EUR" in complaints


def test_a_table_that_joined_and_left_since_the_backup_is_let_in_and_go(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    """LINK 3.13.6"""
    postgres.save()
    database = admit_table(postgres)

    async def night() -> Seen:
        async with run_linked(tmp_path, server.port, database) as table:
            for step in STEPS:
                await take_step(table, step)
            await until_delivered(table, postgres)
            await table.do("press COIN_IN")
            postgres.ask_to_leave(TABLE)
            left = await table.until(lambda seen: seen["jackpot"] == "0.00" == seen["reserve"])
            before = postgres.total
            postgres.set_back(None)
            kill_courier(table)
            await table.until(is_behind)
            assert postgres.one("SELECT name FROM link.newcomer") == TABLE
            assert postgres.approve("recover", {"without": [], "joined": [TABLE]}) is None
            seen = await table.until(lambda seen: not is_behind(seen))
            assert postgres.total == before
            for account in ("jackpot", "reserve", "house", "paid", "faults"):
                assert seen[account] == left[account]
            return seen

    asyncio.run(night())
    there = postgres.superuser.execute("SELECT joined, leaving, ended FROM link.member").fetchall()
    assert there == [(False, True, False)]
    assert list(find_book_differences(postgres.superuser)) == []


@pytest.mark.parametrize("known", [True, False], ids=["left-since", "joined-and-left-since"])
def test_the_ledger_of_a_table_that_has_left_tells_for_it(
    server: Server,
    postgres: PostgresCentre,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    known: bool,
) -> None:
    """LINK 3.13.6: it plays alone by then, and comes to the centre no more."""
    if not known:
        postgres.save()
    database = admit_table(postgres)

    async def night() -> None:
        async with run_linked(tmp_path, server.port, database) as table:
            if known:
                postgres.save()
            for step in STEPS:
                await take_step(table, step)
            await until_delivered(table, postgres)
            await table.do("press COIN_IN")
            postgres.ask_to_leave(TABLE)
            await table.until(lambda seen: seen["jackpot"] == "0.00" == seen["reserve"])

    asyncio.run(night())
    before = postgres.total
    postgres.set_back(None)
    for name in ("olga", "piero"):
        postgres.make_role(name, "link_operator")
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\ny\n"))
    words = ["link", "recover", JACKPOT, "--ledger", str(tmp_path), "--as", "olga"]
    assert main([*words, "--and", "piero", "--centre", postgres.dsn("postgres")]) == DONE
    printed = capsys.readouterr().out
    assert f"The ledger of {TABLE} tells for it, up to answer 11; it has left" in printed
    assert (f"Joined since the backup, and let in: {TABLE}" in printed) is not known
    assert f"{tmp_path} has told all." in printed
    assert postgres.total == before
    there = postgres.superuser.execute(
        "SELECT joined, leaving, ended, recovering FROM link.member"
    ).fetchall()
    assert there == [(False, True, False, False)]
    assert list(find_book_differences(postgres.superuser)) == []


def find_ledger(folder: Path) -> Path:
    """The folder of the table's ledger."""
    (ledger,) = folder.rglob("ledger.db")
    return ledger.parent


NAMES = ("table-1", "table-2", "table-3")
TOKENS = 25


def test_three_tables_tell_all_though_their_couriers_are_killed(
    server: Server, postgres: PostgresCentre
) -> None:
    database = str(postgres.one("SELECT current_database()"))

    async def night() -> list[CallingMember]:
        async with AsyncExitStack() as stack:
            members: list[CallingMember] = []
            for name in NAMES:
                admit_member(postgres.superuser, name, JACKPOT)
                telling = tell_member(server.port, database=database, role=name)
                members.append(await stack.enter_async_context(telling))
                members[-1].join_and_open()
            await until_all_answered(members)
            postgres.save()
            for member in members:
                for _ in range(TOKENS):
                    member.stake()
            await until_all_answered(members)
            before = postgres.total
            postgres.set_back(None)
            for member in members:
                os.kill(member.device.pid or 0, signal.SIGKILL)
            postgres.recover()
            for member in members:
                await member.until(partial(has_begun, member))
                os.kill(member.device.pid or 0, signal.SIGKILL)
                member.make(lambda n: Close(n, 1))
            await until_all_answered(members)
            assert postgres.total == before
            return members

    members = asyncio.run(night())
    assert find_broken_links(postgres.superuser) == []
    there = "SELECT encode(hash, 'hex') FROM link.entry WHERE member = %s ORDER BY n"
    for name, member in zip(NAMES, members, strict=True):
        hashes = [row[0] for row in postgres.superuser.execute(there, (name,)).fetchall()]
        assert hashes == [answer.hash for answer in member.answers]
    assert postgres.one("SELECT count(*) FROM link.movement WHERE reason = 'stake'") == 3 * TOKENS


def has_begun(member: CallingMember) -> bool:
    """Whether it has begun to tell."""
    return any(isinstance(one, RecallBegan) for one in member.reports)


async def until_all_answered(members: list[CallingMember]) -> None:
    """Wait until no call is left at any."""
    await asyncio.gather(*(member.until_answered() for member in members))
