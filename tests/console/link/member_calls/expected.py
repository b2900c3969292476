"""What the tests of the contract have in common: a table at the centre, and what is right."""

import msgspec
import pytest

from console.rules.link import (
    Answer,
    Barred,
    CentreBars,
    Change,
)
from jackpot.money.accounts import Balances
from jackpot.money.prizes import Combination
from tests.console.link.centres import AnyCentre
from tests.console.link.linked_table import LinkedTable

ROYAL = Combination.ROYAL_FLUSH
STRAIGHT = Combination.STRAIGHT_FLUSH
FLUSH = Combination.FLUSH
OPENING = 1_000_000
BASE = 500_000
TOKEN = 140
"""What a token brings the jackpot, in cents."""


def seat_table(centre: AnyCentre, name: str) -> LinkedTable:
    """A table that has said hello and joined with nothing."""
    table = LinkedTable(name, centre.member(name))
    table.start()
    table.join()
    return table


def join_with(centre: AnyCentre, table: LinkedTable, brought: Balances) -> Answer:
    """It joins with money of its own: two operators let it."""
    with pytest.raises(CentreBars) as barred:
        table.join(brought)
    assert barred.value.barred is Barred.NOT_A_MEMBER
    asked = {"member": table.name, "balances": msgspec.to_builtins(brought)}
    assert centre.approve("join", asked) is None
    return table.send()


def only(answer: Answer) -> Change:
    """The answer's only change."""
    (change,) = answer.changes
    return change


def why_barred(table: LinkedTable) -> Barred:
    """Why the table's hello is barred."""
    with pytest.raises(CentreBars) as barred:
        table.hello()
    return barred.value.barred


def check_books(centre: AnyCentre, *tables: LinkedTable) -> None:
    """The accounts sum to 0, and the ledgers' awards are the centre's."""
    total = centre.total
    assert sum(total.to_dict().values()) == 0
    assert total.jackpot >= 0 <= total.reserve
    assert total.pending == sum(table.card.balances.pending for table in tables)
    assert total.paid == sum(table.card.balances.paid for table in tables)
    assert total.tray == sum(table.card.balances.tray for table in tables)


def last_of(changes: tuple[Change, ...]) -> Change:
    """The last of these changes."""
    assert changes
    return changes[-1]
