"""What needs two people, each with a role of their own.

docs/reference/link-rules.md, 3.7 to 3.12.
"""

import json
from collections.abc import Callable

import msgspec
import pytest
from psycopg import Connection
from psycopg.errors import InvalidParameterValue

from console.link.centre.books import find_broken_links
from console.link.centre.membership import create_jackpot
from console.link.centre.status import read_status
from console.rules.codes import Phase
from console.rules.link import AwardState, Barred, CentreBars, CentreRefusal
from jackpot.money.accounts import Account
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import MONEY, TERMS, LinkedTable

ROYAL = Combination.ROYAL_FLUSH
WHY = "counted twice on the 3rd"
Arguments = dict[str, object]
Ask = Callable[[str, Arguments], str | None]


def propose(
    operator: Connection, what: str, arguments: Arguments, of_jackpot: str | None = JACKPOT
) -> int:
    """Propose; the proposal's number."""
    query = "SELECT link.propose(%s, %s, %s::jsonb)"
    row = operator.execute(query, (of_jackpot, what, json.dumps(arguments))).fetchone()
    assert row is not None
    number: int = row[0]
    return number


def approve(operator: Connection, number: int, what: str, arguments: Arguments) -> str | None:
    """Approve what was proposed; why not, or None."""
    query = "SELECT link.approve(%s, %s, %s::jsonb)"
    row = operator.execute(query, (number, what, json.dumps(arguments))).fetchone()
    assert row is not None
    refusal: str | None = row[0]
    return refusal


@pytest.fixture
def ask(postgres: PostgresCentre, olga: Connection, piero: Connection) -> Ask:
    """Olga proposes, Piero approves; why not, or None."""

    def both(what: str, arguments: Arguments) -> str | None:
        refusal = approve(piero, propose(olga, what, arguments), what, arguments)
        assert find_broken_links(postgres.superuser) == []
        return refusal

    return both


def correction(source: Account, target: Account, cents: int) -> Arguments:
    """A correction's arguments."""
    return {
        "source": source.value,
        "target": target.value,
        "amount": cents * 10_000,
        "reason": WHY,
    }


def test_a_correction_moves_the_centres_money(postgres: PostgresCentre, ask: Ask) -> None:
    assert ask("correct", correction(Account.HOUSE, Account.JACKPOT, 500)) is None
    assert ask("correct", correction(Account.JACKPOT, Account.RESERVE, 200)) is None
    assert postgres.reading == 1_000_300
    assert postgres.total.reserve == 200 * 10_000


def test_who_proposed_does_not_approve(postgres: PostgresCentre, olga: Connection) -> None:
    asked = correction(Account.HOUSE, Account.JACKPOT, 500)
    number = propose(olga, "correct", asked)
    assert approve(olga, number, "correct", asked) == "SAME_PERSON"
    assert postgres.reading == 1_000_000


def test_what_was_read_is_approved_once_and_nothing_else(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    asked = correction(Account.HOUSE, Account.JACKPOT, 500)
    number = propose(olga, "correct", asked)
    other = correction(Account.HOUSE, Account.JACKPOT, 900)
    assert approve(piero, number, "correct", other) == "NOT_PROPOSED"
    assert approve(piero, number + 1, "correct", asked) == "NOT_PROPOSED"
    assert approve(piero, number, "correct", asked) is None
    assert approve(piero, number, "correct", asked) == "APPROVED_ALREADY"
    assert postgres.reading == 1_000_500


def test_a_proposal_expires_after_a_day(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    asked = correction(Account.HOUSE, Account.JACKPOT, 500)
    number = propose(olga, "correct", asked)
    life = postgres.one("SELECT expires - at FROM link.proposal WHERE number = %s", number)
    assert abs(life.total_seconds() - 24 * 3600) < 1
    postgres.superuser.execute("SET session_replication_role = replica")  # no trigger is asked
    postgres.superuser.execute("UPDATE link.proposal SET expires = at - interval '1 s'")
    postgres.superuser.execute("RESET session_replication_role")
    assert approve(piero, number, "correct", asked) == "EXPIRED"
    assert postgres.reading == 1_000_000


def set_clock(postgres: PostgresCentre, hours: int) -> None:
    """As if the server's clock stood so many hours after each proposal was made."""
    postgres.superuser.execute("SET session_replication_role = replica")  # no trigger is asked
    postgres.superuser.execute(
        "UPDATE link.proposal SET expires = clock_timestamp() + make_interval(hours => 24 - %s)",
        (hours,),
    )
    postgres.superuser.execute("RESET session_replication_role")


@pytest.mark.parametrize("seen_by", ["approve", "propose", "status"])
def test_what_was_seen_expired_stays_so_though_the_clock_is_set_back(
    postgres: PostgresCentre, olga: Connection, piero: Connection, seen_by: str
) -> None:
    asked = correction(Account.HOUSE, Account.JACKPOT, 500)
    number = propose(olga, "correct", asked)
    set_clock(postgres, 25)
    if seen_by == "approve":
        assert approve(piero, number, "correct", asked) == "EXPIRED"
    elif seen_by == "propose":
        propose(olga, "correct", asked)
    else:
        assert [one.expired for one in read_status(piero).proposals] == [True]
    set_clock(postgres, 1)
    assert approve(piero, number, "correct", asked) == "EXPIRED"
    assert read_status(piero).proposals[0].expired
    assert postgres.reading == 1_000_000


def test_to_answer_alone_is_an_act_of_every_jackpot(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    create_jackpot(postgres.superuser, "poker", TERMS, MONEY.base, MONEY.opening, "order")
    asked: Arguments = {"standbys": ""}
    number = propose(olga, "alone", asked, of_jackpot=None)
    assert approve(piero, number, "alone", asked) is None
    acts = postgres.superuser.execute(
        "SELECT jackpot_id, details ->> 'standbys', details ->> 'proposer', details ->> 'approver' "
        "FROM link.act WHERE kind = 'alone' ORDER BY jackpot_id"
    ).fetchall()
    assert acts == [(jackpot, "", "olga", "piero") for jackpot in ("poker", JACKPOT)]
    assert find_broken_links(postgres.superuser) == []


def test_alone_is_of_the_centre_and_a_correction_of_a_jackpot(olga: Connection) -> None:
    with pytest.raises(InvalidParameterValue, match="alone is of the whole centre"):
        propose(olga, "alone", {"standbys": ""})
    with pytest.raises(InvalidParameterValue, match="correct is of one jackpot"):
        propose(olga, "correct", correction(Account.HOUSE, Account.JACKPOT, 500), of_jackpot=None)


def test_the_jackpot_is_not_lowered_while_a_staked_round_is_open(
    postgres: PostgresCentre, ask: Ask
) -> None:
    """LINK 3.9.2"""
    table = seat_table(postgres, "a")
    lower = correction(Account.JACKPOT, Account.HOUSE, 500)
    table.open(stakes=0)
    assert ask("correct", lower) is None
    table.stake()
    assert ask("correct", lower) == "ROUNDS_OPEN"
    assert ask("correct", correction(Account.HOUSE, Account.JACKPOT, 500)) is None
    table.close()
    assert ask("correct", lower) is None
    assert postgres.reading == 999_640


def test_no_correction_takes_more_than_there_is(postgres: PostgresCentre, ask: Ask) -> None:
    more = correction(Account.JACKPOT, Account.HOUSE, 1_000_001)
    assert ask("correct", more) == "NOT_COVERED"
    assert ask("correct", correction(Account.RESERVE, Account.HOUSE, 1)) == "NOT_COVERED"
    assert postgres.reading == 1_000_000


@pytest.mark.parametrize(
    ("what", "changed", "objection"),
    [
        ("gift", {}, "gift is not proposed"),
        ("correct", {"amount": 0}, "amount: more than 0"),
        ("correct", {"source": "paid"}, "two of tray, jackpot, reserve, house"),
        ("correct", {"source": "jackpot"}, "two of tray, jackpot, reserve, house"),
        ("correct", {"reason": "so"}, "reason: 10 characters"),
        ("rejoin", {}, "rejoin needs member"),
        ("round-over", {"member": "nobody"}, "nobody is no member of stud"),
    ],
)
def test_what_is_not_right_is_not_proposed(
    olga: Connection, what: str, changed: Arguments, objection: str
) -> None:
    asked = correction(Account.HOUSE, Account.JACKPOT, 500) | changed
    with pytest.raises(InvalidParameterValue, match=objection):
        propose(olga, what, asked)


def share_award(postgres: PostgresCentre) -> tuple[LinkedTable, LinkedTable]:
    """Two tables in one award, the first agreed."""
    one, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    other.claim(ROYAL)
    one.agree()
    return one, other


@pytest.mark.parametrize("what", ["finish", "cancel"])
def test_a_dead_tables_part_ends_and_its_epoch(
    postgres: PostgresCentre, ask: Ask, what: str
) -> None:
    """LINK 3.10"""
    one, other = share_award(postgres)
    assert ask(what, {"member": "b", "identity": other.award}) is None
    final = one.beat().changes[-1].award
    assert final.state is AwardState.FINAL
    assert final.winners == (2 if what == "finish" else 1)
    assert final.each == 1_000_280 // final.winners
    with pytest.raises(CentreBars) as barred:
        other.hello()
    assert barred.value.barred is Barred.FORKED
    assert ask(what, {"member": "b", "identity": other.award}) == "AWARD_FINAL"


def test_back_by_rejoin_in_a_new_epoch_the_award_stands(postgres: PostgresCentre, ask: Ask) -> None:
    _, other = share_award(postgres)
    ask("finish", {"member": "b", "identity": other.award})
    head = msgspec.to_builtins(other.card.head)
    known = msgspec.to_builtins(postgres.know("b"))
    listed = {"epoch": 1, "head": head, "transactions": [], "handled": [], "known": known, "act": 0}
    assert ask("rejoin", {"member": "b"} | listed) is None
    assert other.start().n == 1
    final = other.beat().changes[-1].award
    assert final.state is AwardState.FINAL
    assert other.open().n == 3
    assert other.card.balances.paid == final.each * 10_000


def test_a_round_that_holds_an_award_is_ended(postgres: PostgresCentre, ask: Ask) -> None:
    """LINK 3.7.2"""
    one, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    one.agree()
    assert ask("round-over", {"member": "b"}) is None
    assert one.beat().changes[-1].award.state is AwardState.FINAL
    assert other.claim(ROYAL).refusal is CentreRefusal.ROUND_CLOSED


def test_two_operators_award_the_claim_of_a_round_ended_meanwhile(
    postgres: PostgresCentre, ask: Ask
) -> None:
    """LINK 3.11"""
    table = seat_table(postgres, "a")
    table.open(stakes=2)
    ask("round-over", {"member": "a"})
    table.claim(ROYAL)
    asked: Arguments = {
        "member": "a",
        "round": 1,
        "identity": table.award,
        "combination": ROYAL.value,
        "winners": 3,
    }
    assert ask("award", asked) == "NOBODY_ELIGIBLE"
    assert ask("award", asked | {"winners": 2}) is None
    pending, final = (change.award for change in table.beat().changes)
    assert (pending.state, final.state) == (AwardState.PENDING, AwardState.FINAL)
    assert final.each == 500_140
    assert table.card.balances.paid == 2 * 500_140 * 10_000
    assert postgres.reading == 500_000
    assert ask("award", asked | {"winners": 2}) == "AWARD_FINAL"


def test_settings_wait_until_every_table_is_paused(postgres: PostgresCentre, ask: Ask) -> None:
    """LINK 3.9.2"""
    first, second = seat_table(postgres, "a"), seat_table(postgres, "b")
    terms: Arguments = postgres.one("SELECT link.describe_terms(%s)", JACKPOT)
    asked: Arguments = {"terms": terms | {"token": 500}, "base": 7, "tie": "order"}
    first.beat(Phase.PAUSED)
    second.beat(Phase.BETTING)
    assert ask("settings", asked) == "NOT_PAUSED"
    assert postgres.one("SELECT token FROM link.jackpot WHERE id = %s", JACKPOT) == 200
    second.beat(Phase.SERVICE)
    assert ask("settings", asked) is None


def test_a_table_off_the_link_does_not_hinder_settings(postgres: PostgresCentre, ask: Ask) -> None:
    seat_table(postgres, "a").beat(Phase.BETTING)
    terms: Arguments = postgres.one("SELECT link.describe_terms(%s)", JACKPOT)
    asked: Arguments = {"terms": terms | {"token": 500}, "base": 7, "tie": "order"}
    heard = "UPDATE link.presence SET heard = clock_timestamp() - make_interval(secs => %s)"
    postgres.superuser.execute(heard, (8,))
    assert ask("settings", asked) == "NOT_PAUSED"
    postgres.superuser.execute(heard, (11,))
    assert ask("settings", asked) is None


def test_settings_wait_for_every_round_and_bar_who_has_others(
    postgres: PostgresCentre, ask: Ask
) -> None:
    """LINK 3.9.2, 3.9.3"""
    table = seat_table(postgres, "a")
    terms: Arguments = postgres.one("SELECT link.describe_terms(%s)", JACKPOT)
    asked: Arguments = {"terms": terms | {"token": 500}, "base": 7, "tie": "order"}
    table.open(stakes=0)
    assert ask("settings", asked) == "ROUNDS_OPEN"
    table.close()
    assert ask("settings", asked) is None
    with pytest.raises(CentreBars) as barred:
        table.hello()
    assert barred.value.barred is Barred.SETTINGS


def test_a_session_under_the_settings_before_is_ended_between_rounds(
    postgres: PostgresCentre, ask: Ask
) -> None:
    """LINK 3.9.3

    Else it would open a round, stake its old token, and be taken for a liar.
    """
    table, same = seat_table(postgres, "a"), seat_table(postgres, "b")
    terms: Arguments = postgres.one("SELECT link.describe_terms(%s)", JACKPOT)
    asked: Arguments = {"terms": terms | {"token": 500}, "base": 7, "tie": "order"}
    assert ask("settings", asked) is None
    for act in (table.open, same.beat):
        with pytest.raises(CentreBars) as barred:
            act()
        assert barred.value.barred is Barred.FENCED
    with pytest.raises(CentreBars) as barred:
        table.hello()
    assert barred.value.barred is Barred.SETTINGS
    assert ask("settings", asked | {"terms": terms}) is None
    table.start()
    assert table.send().refusal is None
    assert table.stake().refusal is None
    assert not postgres.one("SELECT doubted FROM link.member WHERE name = 'a'")
