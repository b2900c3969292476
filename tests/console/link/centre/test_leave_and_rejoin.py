"""What operators see of a table that leaves or rejoins, and that the chains hold (3.12, 3.14)."""

import pytest
from psycopg.errors import RaiseException

from console.link.centre.books import find_broken_links
from console.link.centre.membership import admit_member, create_jackpot
from console.link.centre.status import read_status
from console.link.rejoin_list import RejoinList
from console.office.link.centre import render_status
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import MONEY, TERMS


def test_the_status_says_who_is_asked_to_leave_and_who_has_left(postgres: PostgresCentre) -> None:
    table = seat_table(postgres, "a")
    table.beat()
    postgres.ask_to_leave("a")
    assert "asked to leave" in "\n".join(render_status(read_status(postgres.superuser)))
    table.leave()
    assert "a: has left" in "\n".join(render_status(read_status(postgres.superuser)))


def test_who_asked_a_table_to_leave_is_on_record(postgres: PostgresCentre) -> None:
    seat_table(postgres, "a")
    postgres.ask_to_leave("a")
    postgres.ask_to_leave("a")
    query = "SELECT jsonb_agg(details) FROM link.act WHERE kind = 'leave-asked'"
    assert postgres.one(query) == [{"member": "a", "operator": "olga"}]


def test_a_tables_name_stays_with_its_jackpot(postgres: PostgresCentre) -> None:
    create_jackpot(postgres.superuser, "other", TERMS, MONEY.base, MONEY.opening, "split")
    table = seat_table(postgres, "a")
    table.leave()
    with pytest.raises(RaiseException, match="stud holds what a brought"):
        admit_member(postgres.superuser, "a", "other")


def test_the_chains_hold_after_a_rejoin(postgres: PostgresCentre) -> None:
    table, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    for one in (table, other):
        one.open(stakes=2)
    token = table.token()
    listed = RejoinList(1, table.card.head, (token,), (), postgres.know("a"), 0)
    assert postgres.rejoin("a", listed) is None
    table.hello()
    table.open()
    other.close()
    other.leave()
    assert find_broken_links(postgres.superuser) == []
