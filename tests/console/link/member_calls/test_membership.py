"""Settings, join and leave (docs/link-rules.md, 3.9 and 3.14)."""

import msgspec
import pytest

from console.rules.link import (
    Barred,
    CentreBars,
    Terms,
)
from jackpot.accounts import Balances
from jackpot.amounts import Cents
from tests.console.link.centres import AnyCentre
from tests.console.link.linked_table import TERMS, LinkedTable
from tests.console.link.member_calls.expected import (
    FLUSH,
    OPENING,
    TOKEN,
    seat_table,
    why_barred,
)


@pytest.mark.parametrize(
    "terms",
    [
        msgspec.structs.replace(TERMS, game="tre-card-stud"),
        msgspec.structs.replace(TERMS, token=Cents(100)),
        msgspec.structs.replace(TERMS, to_reserve=0),
        msgspec.structs.replace(TERMS, prizes=TERMS.prizes | {FLUSH: 200}),
    ],
    ids=["game", "token", "share", "prizes"],
)
def test_one_game_token_and_prize_table_a_jackpot(centre: AnyCentre, terms: Terms) -> None:
    table = LinkedTable("a", centre.member("a"), terms)
    assert why_barred(table) is Barred.SETTINGS


def test_who_was_not_let_in_is_not_a_member(centre: AnyCentre) -> None:
    table = LinkedTable("a", centre.stranger("a"))
    assert why_barred(table) is Barred.NOT_A_MEMBER


def test_who_has_not_joined_opens_nothing(centre: AnyCentre) -> None:
    table = LinkedTable("a", centre.member("a"))
    table.start()
    with pytest.raises(CentreBars) as barred:
        table.open()
    assert barred.value.barred is Barred.NOT_A_MEMBER


def test_the_first_message_is_the_tables_six_balances(centre: AnyCentre) -> None:
    table = LinkedTable("a", centre.member("a"))
    table.start()
    brought = Balances(tray=-90_000, jackpot=70_000, reserve=15_000, house=5_000)
    before = centre.total
    assert table.join(brought).reading == OPENING + 7
    assert centre.total.reserve - before.reserve == 15_000


def test_a_table_that_left_leaves_the_money_at_the_centre(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    table.open(stakes=3)
    table.close()
    before = centre.total
    table.leave()
    assert centre.total == before
    assert other.open(stakes=0).reading == OPENING + 3 * TOKEN


def test_a_table_that_left_may_join_again(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    table.close()
    table.leave()
    with pytest.raises(CentreBars) as barred:
        table.open()
    assert barred.value.barred is Barred.NOT_A_MEMBER
    table.card.outbox.clear()
    table.card.n -= 1
    assert table.join().reading == OPENING + TOKEN
