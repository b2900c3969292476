"""The numbers of the calls, and the beat (docs/reference/link-rules.md, 3 and 1.6)."""

import pytest

from console.rules.link import (
    Barred,
    Beat,
    CentreBars,
    CentreRefusal,
    Deliver,
    Open,
)
from tests.console.link.centres import AnyCentre, seat_table
from tests.console.link.member_calls.expected import (
    FLUSH,
    OPENING,
    ROYAL,
    TOKEN,
    check_books,
    only,
)

# 3: the numbers


def test_the_centre_takes_n_last_plus_one(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    assert [table.open().n, table.close().n] == [3, 4]


def test_a_lower_one_gets_the_stored_answer_with_todays_reading(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    call = table.ask(lambda n: Open(n, 1))
    first = table.send()
    other.open(stakes=3)
    again = table.calls.call(table.session, call, 0, table.card.head)
    assert (again.n, again.hash, again.refusal) == (first.n, first.hash, None)
    assert again.reading == first.reading + 3 * TOKEN


def test_a_lower_one_does_nothing_again(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=0)
    call = table.ask(lambda n: Deliver(n, 1, (table.token(),)))
    table.send()
    for _ in range(3):
        table.calls.call(table.session, call, 0, table.card.head)
    check_books(centre, table)


def test_a_lower_one_brings_the_changes_since_the_act_that_it_names(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    call = table.ask(table.claims(FLUSH, 1))
    session, head = table.session, table.card.head
    first = table.calls.call(session, call, 0, head)
    again = table.calls.call(session, call, 0, head)
    assert again.changes == first.changes
    assert table.calls.call(session, call, only(first).act, head).changes == ()


def test_a_higher_one_is_a_gap(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    with pytest.raises(CentreBars) as barred:
        table.calls.call(table.session, Open(3, 1), 0, table.card.head)
    assert barred.value.barred is Barred.GAP
    assert table.open().refusal is None


def test_a_refusal_is_an_answer_stored_under_n(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=1)
    table.claim(FLUSH)
    call = table.ask(table.claims(FLUSH, 2))
    first = table.send()
    assert first.refusal is CentreRefusal.NOBODY_ELIGIBLE
    again = table.calls.call(table.session, call, 0, table.card.head)
    assert (again.refusal, again.hash) == (first.refusal, first.hash)
    assert table.agree().refusal is None


def test_each_answer_has_another_hash(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    hashes = {table.open().hash, table.stake().hash, table.stake().hash, table.close().hash}
    assert len(hashes) == 4
    assert all(len(bytes.fromhex(one)) == 32 for one in hashes)


# 1.6: the beat


def test_a_beat_brings_the_own_awards_changed_since_that_act(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    assert one.beat().changes == ()
    other.claim(ROYAL)
    (change,) = one.beat().changes
    assert change.award.identity == one.award
    assert one.beat().changes == ()
    one.card.act = 0
    fresh = one.calls.beat(one.session, Beat("AWARDING", (), None), 0)
    assert [len(fresh.changes), fresh.changes[-1]] == [2, change]


def test_a_beat_brings_the_reading(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    other.open(stakes=2)
    assert one.beat().reading == OPENING + 2 * TOKEN


def test_no_other_members_change_is_told(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    one.claim(FLUSH)
    one.agree()
    assert other.beat().changes == ()
