"""Clones, older cards, sessions, and a centre set back.

docs/reference/link-rules.md, 3.12 and 3.13.
"""

import pytest

from console.rules.link import (
    Barred,
    Beat,
    CentreBars,
    Deliver,
    Open,
    ProofAsked,
    Welcome,
)
from jackpot.ledger.journal import Head
from tests.console.link.centres import AnyCentre, MakeCentre, seat_table
from tests.console.link.linked_table import LinkedTable
from tests.console.link.member_calls.expected import (
    OPENING,
    TOKEN,
    check_books,
    why_barred,
)

# 3.12: clone, older card, fence


def test_a_new_session_fences_older_ones(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    fenced = table.session
    table.hello()
    with pytest.raises(CentreBars) as barred:
        table.calls.call(fenced, Open(2, 1), 0, table.card.head)
    assert barred.value.barred is Barred.FENCED
    with pytest.raises(CentreBars) as barred:
        table.calls.beat(fenced, Beat("PAUSED", (), None), 0)
    assert barred.value.barred is Barred.FENCED
    assert table.open().refusal is None


def test_a_fenced_call_does_nothing(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    fenced = table.session
    table.open(stakes=0)
    table.hello()
    before = centre.total
    with pytest.raises(CentreBars):
        table.calls.call(fenced, Deliver(3, 1, (table.token(),)), 0, table.card.head)
    assert centre.total == before


def test_welcome_brings_the_last_n_and_the_reading(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=2)
    welcome = table.start()
    assert (welcome.n, welcome.reading, welcome.beat_s) == (3, OPENING + 2 * TOKEN, 1)


def test_hello_names_the_record_of_which_the_hash_is_asked(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    sent = table.card.head
    table.open(stakes=0)
    table.card.record("start")
    asked = table.greet()
    assert isinstance(asked, ProofAsked)
    assert sent.seq < asked.seq < table.card.head.seq
    assert table.hello().n == 2


def test_a_wrong_proof_is_forked(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.card.record("start")
    asked = table.greet()
    assert isinstance(asked, ProofAsked)
    with pytest.raises(CentreBars) as barred:
        table.greet(Head(asked.seq, "0" * 64))
    assert barred.value.barred is Barred.FORKED


def test_an_older_card_is_forked(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    older = table.clone()
    table.open(stakes=3)
    assert why_barred(older) is Barred.FORKED


def test_of_two_clones_the_second_hello_is_forked(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    clone = table.clone()
    clone.start("start of the clone")
    table.card.record("start of the table")
    assert why_barred(table) is Barred.FORKED


def test_a_clone_that_went_on_by_itself_is_forked(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    clone = table.clone()
    table.open(stakes=0)
    for number in range(9):
        clone.card.record("a record of the clone", number)
    assert why_barred(clone) is Barred.FORKED
    assert table.stake().refusal is None


def test_a_member_barred_has_no_new_session(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    older = table.clone()
    table.open(stakes=0)
    assert why_barred(older) is Barred.FORKED
    assert table.close().refusal is None


def test_a_restart_sends_the_outbox_again(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=0)
    call = table.ask(lambda n: Deliver(n, 1, (table.token(), table.token())))
    table.calls.call(table.session, call, 0, table.card.head)
    assert table.start().n == call.n
    table.send()
    assert centre.reading == OPENING + 2 * TOKEN
    check_books(centre, table)


# 3.12: what is known of a member is never forgotten


def leave_and_let_in_again(centre: AnyCentre, table: LinkedTable) -> None:
    """The table leaves, and an operator lets it in again."""
    table.close()
    table.leave()
    centre.admit(table.name)


def test_an_older_card_of_a_table_that_had_left_is_forked(centre: AnyCentre) -> None:
    """LINK 3.12.2"""
    table = seat_table(centre, "a")
    table.open(stakes=2)
    older = table.clone()
    table.stake(3)
    leave_and_let_in_again(centre, table)
    before = centre.total
    for boot in range(9):  # it has fewer records than the centre knows, and then more
        older.card.record("start of the older card", boot)
        assert why_barred(older) is Barred.FORKED
    assert centre.total == before
    table.hello()
    assert table.join().refusal is None


def test_an_older_card_of_a_table_that_has_joined_again_is_forked(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=2)
    older = table.clone()
    leave_and_let_in_again(centre, table)
    table.hello()
    table.join()
    assert why_barred(older) is Barred.FORKED
    assert table.open().refusal is None


def test_a_lower_one_that_is_not_the_stored_call_is_forked(centre: AnyCentre) -> None:
    """LINK 3.0.2: word for word"""
    table = seat_table(centre, "a")
    table.open(stakes=2)
    for other in (
        Deliver(3, 1, (table.token(),)),
        Deliver(3, 2, ()),
        Open(3, 1),
        Open(2, 2),
    ):
        before = centre.total
        with pytest.raises(CentreBars) as barred:
            table.calls.call(table.session, other, 0, table.card.head)
        assert barred.value.barred is Barred.FORKED
        assert centre.total == before
    assert table.calls.call(table.session, Open(2, 1), 0, table.card.head).n == 2


def test_a_table_to_whom_more_was_answered_than_it_sent_is_forked_by_its_own_look(
    centre: AnyCentre,
) -> None:
    """LINK 3.0.3"""
    table = seat_table(centre, "a")
    table.open(stakes=2)
    table.card.n = 2
    assert why_barred(table) is Barred.FORKED


def test_a_record_in_the_archive_of_a_table_that_had_left_is_not_needed(centre: AnyCentre) -> None:
    """The answer to its leaving says that it is the same card, or a later one."""
    table = seat_table(centre, "a")
    table.open(stakes=2)
    older = table.clone()
    leave_and_let_in_again(centre, table)
    for card in (older.card, table.card):
        for number in range(20):
            card.record("a record of a night alone", number)
    known = centre.know("a").record
    assert known is not None
    archived = Head(known.seq, "")
    assert table.greet() == ProofAsked(known.seq)
    with pytest.raises(CentreBars) as barred:
        older.greet(archived)
    assert barred.value.barred is Barred.FORKED
    assert isinstance(table.greet(archived), Welcome)


# 3.13: a centre set back


def test_a_centre_without_what_the_member_holds_as_answered_is_behind(
    make_centre: MakeCentre,
) -> None:
    table = seat_table(make_centre(), "a")
    table.open()
    table.calls = make_centre().member("a")
    assert why_barred(table) is Barred.BEHIND


def test_a_centre_with_another_answer_is_behind(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.card.answer_hash = "0" * 64
    assert why_barred(table) is Barred.BEHIND
