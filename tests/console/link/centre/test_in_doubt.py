"""Parts of tables that a recovery leaves out are in doubt till two operators say (3.13)."""

import psycopg
import pytest

from console.link.centre.books import find_differences
from console.rules.link import AwardState, Barred, Cancel, CentreBars
from jackpot.prizes import Combination
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.linked_table import LinkedTable

ROYAL = Combination.ROYAL_FLUSH


@pytest.fixture
def tables(postgres: PostgresCentre) -> tuple[LinkedTable, LinkedTable]:
    """Two tables with a round, which share an award."""
    dead, table = postgres.table("a"), postgres.table("b")
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
    return list(find_differences(centre.superuser))


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
    dead, table = postgres.table("a"), postgres.table("b")
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


def test_of_two_left_out_the_operators_say_who_was_paid(postgres: PostgresCentre) -> None:
    """Three share; one of the two left out cancelled, the other was final: nobody knows which."""
    dead, other, table = (postgres.table(name) for name in "acb")
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
    dead, other, table = (postgres.table(name) for name in "acb")
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
    assert end(postgres, "cancel", "a") is None
    assert (state_of(postgres, "a"), state_of(postgres, "c")) == ("cancelled", "final")
    assert end(postgres, "cancel", "c") == "AWARD_FINAL"
    assert postgres.total == before
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
    """LINK 3.13.5: the first was not over when the second came: one died meanwhile."""
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
