"""Tables that play by chance, all at once (docs/reference/link-rules.md, 2.7, 3.6 and 9.3)."""

import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from console.link.centre.books import find_broken_links
from console.rules.link import Answer, AwardState
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import LinkedTable
from tests.deadlines import DEADLINE_S

TABLES = ("a", "b", "c", "d")
ROUNDS = 6
WON = (Combination.ROYAL_FLUSH, Combination.ROYAL_FLUSH, Combination.STRAIGHT_FLUSH)
BROUGHT = """
SELECT coalesce(sum(jackpot), 0)::bigint FROM link.movement
WHERE jackpot_id = %s AND reason NOT LIKE 'award%%'
"""


def play(table: LinkedTable, chance: Random) -> None:
    """Some rounds: a table waits for an award's end before it closes."""
    deadline = time.monotonic() + DEADLINE_S
    for _ in range(ROUNDS):
        stakes = chance.randint(1, 3)
        table.open(stakes)
        if chance.random() < 0.6:
            win(table, stakes, chance)
        while has_live_award(table):
            assert time.monotonic() < deadline, table.card.awards_seen
            table.beat()
        table.close()


def has_live_award(table: LinkedTable) -> bool:
    """Whether its last award is neither final nor cancelled."""
    award = table.card.awards_seen.get(table.award)
    return award is not None and award.state in (AwardState.PENDING, AwardState.AGREED)


def win(table: LinkedTable, stakes: int, chance: Random) -> Answer:
    """A claim, perhaps a winner more, and cancelled or agreed."""
    combination = chance.choice(WON)
    table.claim(combination)
    if stakes > 1 and chance.random() < 0.5:
        table.claim(combination, 2)
    if chance.random() < 0.3:
        table.cancel()
        table.claim(combination)
    return table.agree()


def test_nothing_is_lost_whoever_comes_first(
    postgres: PostgresCentre, pytestconfig: pytest.Config
) -> None:
    seed = pytestconfig.getoption("hypothesis_seed")
    tables = [seat_table(postgres, name) for name in TABLES]
    with ThreadPoolExecutor(len(tables)) as threads:
        chances = (Random(f"{seed}/{name}") for name in TABLES)
        list(threads.map(play, tables, chances))
    total = postgres.total
    assert sum(total.to_dict().values()) == 0
    assert total.pending == 0
    assert total.jackpot + total.paid == postgres.one(BROUGHT, JACKPOT)
    assert total.paid == sum(table.card.balances.paid for table in tables)
    assert total.tray == sum(table.card.balances.tray for table in tables)
    assert all(table.card.balances.pending == 0 for table in tables)
    assert postgres.one("SELECT count(*) FROM link.award WHERE state = 'pending'") == 0
    assert postgres.one("SELECT count(*) FROM link.hold") == 0
    assert find_broken_links(postgres.superuser) == []
