"""A whole table, and a centre that was set back (docs/link-rules.md, 3.13)."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from console.link.centre.chains import find_broken_links
from jackpot.reading import read_records
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.servers import Server
from tests.console.link.test_linked_table import (
    CALLS,
    STEPS,
    admit_table,
    check_books,
    courier_of,
    run_linked,
    take_step,
    until_delivered,
)
from tests.console.running_table import RunningTable, Seen


def is_behind(seen: Seen) -> bool:
    return "LINK_BEHIND" in seen["faults"]


def kill_courier(table: RunningTable) -> None:
    """A centre that is restored has none of its connections."""
    os.kill(courier_of(table) or 0, signal.SIGKILL)


async def until_recovered(table: RunningTable, centre: PostgresCentre) -> Seen:
    """Wait until it plays again."""
    await table.until(lambda seen: not is_behind(seen))
    return await until_delivered(table, centre)


@pytest.mark.parametrize("step", [0, 3])
def test_a_table_goes_on_once_the_centre_is_told_again(
    server: Server, postgres: PostgresCentre, tmp_path: Path, step: int
) -> None:
    """LINK 3.13.2"""
    database = admit_table(postgres)

    async def night() -> Seen:
        async with run_linked(tmp_path, server.port, database) as table:
            for number in range(len(STEPS)):
                await take_step(table, number)
                if number == step:
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


def find_ledger(folder: Path) -> Path:
    """The folder of the table's ledger."""
    (ledger,) = folder.rglob("ledger.db")
    return ledger.parent
