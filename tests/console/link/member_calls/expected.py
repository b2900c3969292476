"""What the tests of the contract have in common: a table at the centre, and what is right."""

import msgspec
import pytest

from console.link.awaited_terms import describe_awaited
from console.link.centre.books import find_book_differences
from console.rules.link import (
    Answer,
    Barred,
    CentreBars,
    Change,
    RecallAsked,
)
from jackpot.money.accounts import Balances
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import AnyCentre
from tests.console.link.linked_table import LinkedTable

ROYAL = Combination.ROYAL_FLUSH
STRAIGHT = Combination.STRAIGHT_FLUSH
FLUSH = Combination.FLUSH
OPENING = 1_000_000
BASE = 500_000
TOKEN = 140
"""What a token brings the jackpot, in cents."""


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


def why_awaited(table: LinkedTable) -> str:
    """What the table's call waits for until people decide, in the words they read."""
    with pytest.raises(CentreBars) as bars:
        table.hello()
    assert bars.value.barred is Barred.SETTINGS
    assert bars.value.awaits is not None
    return describe_awaited(bars.value.awaits, "EUR")


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


def check_audited(centre: AnyCentre, *tables: LinkedTable) -> None:
    """The books are right, and the audit finds nothing."""
    check_books(centre, *tables)
    if isinstance(centre, PostgresCentre):
        assert list(find_book_differences(centre.superuser)) == []


def ask(table: LinkedTable) -> RecallAsked:
    """What a centre that was set back asks the table for."""
    asked = table.prove()
    assert isinstance(asked, RecallAsked)
    return asked


def send_all_again(*tables: LinkedTable) -> None:
    """Each table sends again what it was answered; then all are back."""
    for table in tables:
        table.send_again(ask(table))
    for table in tables:
        table.hello()
