"""Parts of tables that a recovery leaves out are in doubt till two operators say (3.13)."""

import psycopg
import pytest

from console.link.centre.books import find_book_differences
from console.link.rejoin_list import RejoinList
from console.rules.link import AwardState, Barred, Cancel, CentreBars, CentreRefusal, Claim
from console.rules.structs import replace
from jackpot.money.accounts import Balances
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import LinkedTable

ROYAL = Combination.ROYAL_FLUSH


@pytest.fixture
def tables(postgres: PostgresCentre) -> tuple[LinkedTable, LinkedTable]:
    """Two tables with a round, which share an award."""
    dead, table = seat_table(postgres, "a"), seat_table(postgres, "b")
    dead.open()
    table.open()
    dead.claim(ROYAL)
    table.claim(ROYAL)
    return dead, table


def restore(centre: PostgresCentre, *left: LinkedTable, without: tuple[str, ...] = ("a",)) -> None:
    """Set back to what was saved, recovered without some; the others tell it again."""
    centre.set_back(None)
    centre.recover(without=without)
    for table in left:
        try:
            table.hello()
        except CentreBars as bars:
            if bars.barred is not Barred.BEHIND:
                raise
    for table in left:
        table.hello()


def differences(centre: PostgresCentre) -> list[str]:
    """What the audit says."""
    return list(find_book_differences(centre.superuser))


def state_of(centre: PostgresCentre, table: str) -> str:
    """The state of the table's newest part."""
    query = "SELECT state FROM link.winner WHERE member = %s ORDER BY place DESC LIMIT 1"
    return str(centre.one(query, table))


def end(centre: PostgresCentre, what: str, table: str) -> str | None:
    """Two operators finish or cancel the table's newest part."""
    query = "SELECT identity FROM link.winner WHERE member = %s ORDER BY place DESC LIMIT 1"
    return centre.approve(what, {"member": table, "identity": centre.one(query, table)})


@pytest.mark.parametrize("what", ["finish", "cancel"])
def test_what_was_cancelled_and_paid_to_another_is_neither_revived_nor_paid(
    postgres: PostgresCentre, tables: tuple[LinkedTable, LinkedTable], what: str
) -> None:
    """LINK 3.13.3: one cancels and is left out, the other is final with the whole."""
    dead, table = tables
    postgres.save()
    dead.cancel()
    dead.close()
    table.agree()
    table.beat()
    before = postgres.total
    assert table.card.awards_seen[table.award].state is AwardState.FINAL
    restore(postgres, table)
    assert differences(postgres) == []
    assert state_of(postgres, "a") == "cancelled"
    assert end(postgres, what, "a") == "AWARD_FINAL"
    assert postgres.total == before
    assert differences(postgres) == []


def test_a_part_is_cancelled_when_all_that_tell_know_it(
    postgres: PostgresCentre, tables: tuple[LinkedTable, LinkedTable]
) -> None:
    """It cancelled, and the other was told that the whole is its own: no operator is asked."""
    dead, table = tables
    postgres.save()
    dead.cancel()
    dead.close()
    table.beat()
    before = postgres.total
    restore(postgres, table)
    assert differences(postgres) == []
    assert state_of(postgres, "a") == "cancelled"
    assert end(postgres, "finish", "a") == "AWARD_FINAL"
    assert postgres.total == before
    seen = table.agree().changes[-1].award
    assert (seen.state, seen.winners) == (AwardState.FINAL, 1)
    assert differences(postgres) == []


def test_a_part_is_in_doubt_when_those_that_tell_know_different_amounts(
    postgres: PostgresCentre,
) -> None:
    """One cancelled, and was not told so: it was not the dead table that the others are without."""
    dead, one, other = (seat_table(postgres, name) for name in "abc")
    for table in (dead, one, other):
        table.open()
    for table in (dead, one, other):
        table.claim(ROYAL)
    one.beat()
    postgres.save()
    call = one.ask(lambda n: Cancel(n, one.award))
    one.calls.call(one.session, call, one.card.act, one.card.head)  # the answer is lost
    other.beat()
    restore(postgres, one, other)
    assert differences(postgres) == []
    assert state_of(postgres, "a") == "in-doubt"
    assert one.send().refusal is None
    other.agree()
    one.close()
    assert end(postgres, "finish", "a") is None
    seen = other.beat().changes[-1].award
    assert (seen.state, seen.winners) == (AwardState.FINAL, 2)
    assert differences(postgres) == []


@pytest.mark.parametrize("what", ["finish", "cancel"])
def test_a_part_that_nobody_knows_the_end_of_is_in_doubt(
    postgres: PostgresCentre, tables: tuple[LinkedTable, LinkedTable], what: str
) -> None:
    _, table = tables
    postgres.save()
    table.agree()
    restore(postgres, table)
    assert state_of(postgres, "a") == "in-doubt"
    assert differences(postgres) == []
    assert table.beat().awaited == 1
    assert end(postgres, what, "a") is None
    seen = table.beat().changes[-1].award
    assert seen.state is AwardState.FINAL
    assert seen.winners == (2 if what == "finish" else 1)
    assert 0 <= seen.reading * 10_000 - postgres.total.paid < 20_000
    assert differences(postgres) == []


@pytest.mark.parametrize("what", ["finish", "cancel"])
def test_a_part_that_only_others_know_of_is_in_doubt(postgres: PostgresCentre, what: str) -> None:
    """LINK 3.13.4: both claim after the backup; what one gets tells of the other."""
    dead, table = seat_table(postgres, "a"), seat_table(postgres, "b")
    postgres.save()
    dead.open()
    table.open()
    dead.claim(ROYAL)
    table.claim(ROYAL)
    each = table.card.awards_seen[table.award].each
    restore(postgres, table)
    assert differences(postgres) == []
    assert state_of(postgres, "a") == "in-doubt"
    table.agree()
    assert end(postgres, what, "a") is None
    seen = table.beat().changes[-1].award
    assert seen.state is AwardState.FINAL
    assert (seen.each == each) is (what == "finish")
    assert differences(postgres) == []


def test_a_part_that_only_others_know_of_is_of_the_one_whose_round_was_in_hold(
    postgres: PostgresCentre,
) -> None:
    """LINK 3.13.4: two are left out; one of them had no round open when the award was frozen."""
    seat_table(postgres, "a")
    dead, table = seat_table(postgres, "c"), seat_table(postgres, "b")
    dead.open()
    table.open()
    table.claim(ROYAL)
    postgres.save()
    dead.claim(ROYAL)
    table.beat()
    restore(postgres, table, without=("a", "c"))
    assert postgres.one("SELECT member FROM link.winner WHERE state = 'in-doubt'") == "c"
    table.agree()
    assert end(postgres, "finish", "c") is None
    seen = table.beat().changes[-1].award
    assert (seen.state, seen.winners) == (AwardState.FINAL, 2)
    assert differences(postgres) == []


def test_a_part_in_doubt_has_no_more_winners_than_the_others_know(
    postgres: PostgresCentre,
) -> None:
    """It had two; it cancelled, and claimed again with one."""
    dead, table = seat_table(postgres, "a"), seat_table(postgres, "b")
    dead.open(stakes=2)
    table.open()
    dead.claim(ROYAL)
    dead.claim(ROYAL, winners=2)
    table.claim(ROYAL)
    postgres.save()
    dead.cancel()
    dead.claim(ROYAL)
    table.beat()
    known = table.card.awards_seen[table.award]
    assert known.winners == 2
    restore(postgres, table)
    assert state_of(postgres, "a") == "in-doubt"
    assert differences(postgres) == []
    table.agree()
    assert end(postgres, "finish", "a") is None
    seen = table.beat().changes[-1].award
    assert (seen.state, seen.winners, seen.each) == (AwardState.FINAL, 2, known.each)
    assert differences(postgres) == []


def test_a_part_is_final_when_the_other_table_knows_it(
    postgres: PostgresCentre, tables: tuple[LinkedTable, LinkedTable]
) -> None:
    """The award was final as a whole: so was the part of the one left out."""
    dead, table = tables
    postgres.save()
    dead.agree()
    table.agree()
    table.beat()
    before = postgres.total
    restore(postgres, table)
    assert differences(postgres) == []
    assert state_of(postgres, "a") == "final"
    assert postgres.total == before


def test_a_cancel_without_its_answer_does_not_take_the_others_base(
    postgres: PostgresCentre, tables: tuple[LinkedTable, LinkedTable]
) -> None:
    """Nobody is left out: one's cancel was booked and not answered; the other is final, whole."""
    one, other = tables
    postgres.save()
    call = one.ask(lambda n: Cancel(n, one.award))
    one.calls.call(one.session, call, one.card.act, one.card.head)  # the answer is lost
    postgres.approve("round-over", {"member": "a"})
    other.agree()
    other.beat()
    before = postgres.total
    assert other.card.awards_seen[other.award].state is AwardState.FINAL
    restore(postgres, one, other, without=())
    assert differences(postgres) == []
    assert one.send().refusal is None
    assert postgres.total == before
    assert differences(postgres) == []


def leave_out_who_claimed_again(postgres: PostgresCentre) -> LinkedTable:
    """Table c cancels, a is told; c claims again, and a cancels and is not answered; c is left out.

    The table a: its part and the one of c are in doubt, and one winner is left for them.
    """
    one, dead, table = (seat_table(postgres, name) for name in "acb")
    one.open(stakes=2)
    for other in (dead, table):
        other.open()
    for other in (one, dead, table):
        other.claim(ROYAL)
    postgres.save()
    dead.cancel()
    one.beat()
    dead.claim(ROYAL)
    call = one.ask(lambda n: Cancel(n, one.award))
    one.calls.call(one.session, call, one.card.act, one.card.head)  # the answer is lost
    postgres.approve("round-over", {"member": "a"})
    dead.agree()
    table.agree()
    table.beat()
    seen = table.card.awards_seen[table.award]
    assert (seen.state, seen.winners) == (AwardState.FINAL, 2)
    restore(postgres, one, table, without=("c",))
    assert (state_of(postgres, "a"), state_of(postgres, "c")) == ("in-doubt", "in-doubt")
    return one


def test_a_cancel_without_its_answer_is_asked_before_a_dead_tables_part_is_cancelled(
    postgres: PostgresCentre,
) -> None:
    one = leave_out_who_claimed_again(postgres)
    assert one.send().refusal is None
    assert (state_of(postgres, "a"), state_of(postgres, "c")) == ("cancelled", "final")
    assert differences(postgres) == []


def test_nobody_claims_more_of_a_part_in_doubt(postgres: PostgresCentre) -> None:
    """Whose cancel was not answered says now that it had two winners: it is not believed."""
    one = leave_out_who_claimed_again(postgres)
    before = postgres.total
    (cancel,) = one.card.outbox
    one.card.outbox[:] = [Claim(cancel.n, 1, one.award, ROYAL, 2)]
    assert one.send().refusal is CentreRefusal.AWARD_FINAL
    assert postgres.total == before
    assert differences(postgres) == []


def test_who_has_a_part_in_doubt_does_not_rejoin(
    postgres: PostgresCentre, tables: tuple[LinkedTable, LinkedTable]
) -> None:
    """LINK 3.13.4: before anything follows."""
    dead, table = tables
    postgres.save()
    table.agree()
    restore(postgres, table)
    listed = RejoinList(1, dead.card.head, (), (), postgres.know("a"), dead.card.act)
    assert postgres.rejoin("a", listed) == "AWARD_PENDING"
    assert end(postgres, "cancel", "a") is None
    assert postgres.rejoin("a", replace(listed, known=postgres.know("a"))) is None
    assert differences(postgres) == []


def leave_out_one_that_cancelled(postgres: PostgresCentre) -> tuple[LinkedTable, Balances]:
    """Tables a, b and c share; a cancelled and c was final when both were left out.

    Returns the table b, and the jackpot's money before.
    """
    dead, other, table = (seat_table(postgres, name) for name in "acb")
    for one in (dead, other, table):
        one.open()
    for one in (dead, other, table):
        one.claim(ROYAL)
    postgres.save()
    dead.cancel()
    dead.close()
    other.agree()
    table.agree()
    table.beat()
    before = postgres.total
    restore(postgres, table, without=("a", "c"))
    return table, before


def test_of_two_left_out_the_operators_say_who_was_paid(postgres: PostgresCentre) -> None:
    """Three share; one of the two left out cancelled, the other was final: nobody knows which."""
    table, before = leave_out_one_that_cancelled(postgres)
    assert differences(postgres) == []
    assert (state_of(postgres, "a"), state_of(postgres, "c")) == ("in-doubt", "in-doubt")
    reading = table.card.awards_seen[table.award].reading
    assert postgres.total.paid + postgres.total.pending <= reading * 10_000
    table.close()
    assert postgres.approve("settings", {"terms": {}, "base": 1, "tie": "split"}) == "AWARD_PENDING"
    assert end(postgres, "finish", "c") is None
    assert (state_of(postgres, "a"), state_of(postgres, "c")) == ("cancelled", "final")
    assert postgres.total == before
    assert end(postgres, "finish", "a") == "AWARD_FINAL"
    assert differences(postgres) == []


def test_who_must_have_had_it_cannot_be_cancelled(postgres: PostgresCentre) -> None:
    _, before = leave_out_one_that_cancelled(postgres)
    assert end(postgres, "cancel", "a") is None
    assert (state_of(postgres, "a"), state_of(postgres, "c")) == ("cancelled", "final")
    assert end(postgres, "cancel", "c") == "AWARD_FINAL"
    assert postgres.total == before
    assert differences(postgres) == []


def leave_two_out(postgres: PostgresCentre, cancels: str) -> None:
    """Tables a, with two winners, and c are left out; b knows that one of them had cancelled."""
    tables = {name: seat_table(postgres, name) for name in "acb"}
    for one in tables.values():
        one.open(stakes=2)
    for one in tables.values():
        one.claim(ROYAL)
    tables["a"].claim(ROYAL, winners=2)
    postgres.save()
    tables[cancels].cancel()
    tables[cancels].close()
    for name in {"a", "b", "c"} - {cancels}:
        tables[name].agree()
    table = tables["b"]
    table.beat()
    assert table.card.awards_seen[table.award].state is AwardState.FINAL
    restore(postgres, table, without=("a", "c"))
    assert differences(postgres) == []


def test_who_had_more_winners_than_are_left_is_not_finished(postgres: PostgresCentre) -> None:
    leave_two_out(postgres, "a")
    before = postgres.total
    assert end(postgres, "finish", "a") == "AWARD_FINAL"
    assert postgres.total == before
    assert end(postgres, "finish", "c") is None
    assert (state_of(postgres, "a"), state_of(postgres, "c")) == ("cancelled", "final")
    assert differences(postgres) == []


def test_who_alone_had_as_many_winners_is_not_cancelled(postgres: PostgresCentre) -> None:
    leave_two_out(postgres, "c")
    before = postgres.total
    assert end(postgres, "cancel", "a") == "AWARD_FINAL"
    assert postgres.total == before
    assert end(postgres, "finish", "a") is None
    assert (state_of(postgres, "a"), state_of(postgres, "c")) == ("final", "cancelled")
    assert differences(postgres) == []


def test_the_last_part_in_doubt_gets_what_is_left_and_no_more(postgres: PostgresCentre) -> None:
    """They finish the one that had cancelled: two winners are left for two, and it took one."""
    leave_two_out(postgres, "c")
    before = postgres.total
    assert end(postgres, "finish", "c") is None
    assert (state_of(postgres, "a"), state_of(postgres, "c")) == ("final", "final")
    assert postgres.total == replace(before, paid=before.paid + before.pending, pending=0)
    assert postgres.one("SELECT winners FROM link.winner WHERE member = 'a'") == 1
    assert differences(postgres) == []


def test_what_a_cancelled_part_had_is_kept_for_the_others_in_doubt(
    postgres: PostgresCentre,
) -> None:
    """Four are left out, of whom two were paid: nothing returns to the jackpot."""
    tables = {name: seat_table(postgres, name) for name in "acdeb"}
    for one in tables.values():
        one.open()
    for one in tables.values():
        one.claim(ROYAL)
    postgres.save()
    for name in "ae":
        tables[name].cancel()
        tables[name].close()
    for name in "cdb":
        tables[name].agree()
    table = tables["b"]
    table.beat()
    restore(postgres, table, without=("a", "c", "d", "e"))
    before = postgres.total
    assert end(postgres, "cancel", "a") is None
    assert postgres.total == before
    assert [state_of(postgres, name) for name in "cde"] == ["in-doubt"] * 3
    assert end(postgres, "cancel", "e") is None
    assert [state_of(postgres, name) for name in "cd"] == ["final"] * 2
    seen = table.card.awards_seen[table.award]
    assert postgres.total.paid == 3 * seen.each * 10_000
    assert differences(postgres) == []


def test_the_schema_refuses_parts_that_exceed_their_award(
    postgres: PostgresCentre, tables: tuple[LinkedTable, LinkedTable]
) -> None:
    assert tables
    with pytest.raises(psycopg.errors.CheckViolation, match="award stud/1: its tables would get"):
        postgres.superuser.execute(
            "UPDATE link.winner SET paying = paying + 10000 WHERE member = 'a'"
        )


def test_each_recover_is_an_act(
    postgres: PostgresCentre, tables: tuple[LinkedTable, LinkedTable]
) -> None:
    """LINK 3.13.7: the first was not over when the second came: one died meanwhile."""
    _, table = tables
    postgres.save()
    table.agree()
    postgres.set_back(None)
    postgres.recover()
    postgres.recover(without=["a"])
    assert differences(postgres) == []
    table.hello()
    assert differences(postgres) == []
    query = "SELECT count(*) FROM link.act WHERE kind = 'recover'"
    assert postgres.one(query) == 2
    postgres.recover(without=["a"])
    table.hello()
    assert postgres.one(query) == 3
    assert differences(postgres) == []
