"""Envy that a linked jackpot pays (docs/reference/prizes.md, 2.5 and 2.20)."""

import pytest

from console.link.centre.books import find_book_differences
from console.link.centre.proposals import ProposalText, TwoPeopleAct
from console.link.centre.room_reading import read_room
from console.link.centre.status import read_status
from console.office.link.centre import render_status
from console.office.link.proposal_words import describe_proposal
from console.rules.link import AwardState, CentreRefusal
from console.web.serving.record import EnvyPaid
from console.web.serving.room_signs import describe_wins
from jackpot.money.amounts import Cents
from jackpot.money.awards import Envy
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centres import AnyCentre, MakeCentre, seat_table
from tests.console.link.linked_table import read_terms
from tests.console.link.member_calls.expected import (
    FLUSH,
    ROYAL,
    STRAIGHT,
    check_audited,
    only,
    send_all_again,
)

PRIZES = """
limit = "600.00"
[[prize]]
combination = "ROYAL_FLUSH"
share = "100"
key = "JPH"
[[prize]]
combination = "STRAIGHT_FLUSH"
share = "10"
envy = "5.00"
key = "JPH"
[[prize]]
combination = "FOUR_OF_A_KIND"
amount = "500.00"
envy = "25.00"
key = "JPL"
[[prize]]
combination = "FLUSH"
amount = "50.00"
from = "house"
envy = "1.00"
key = "JPL"
"""
QUADS = "FOUR_OF_A_KIND"

ENVIED = read_terms(PRIZES)


@pytest.fixture
def house(make_centre: MakeCentre) -> AnyCentre:
    """A centre with 600.00 in the jackpot, its limit, and no base."""
    return make_centre(terms=ENVIED, opening=Cents(60_000), base=Cents(0))


def test_prizes_first_then_each_other_seat_from_what_is_left(house: AnyCentre) -> None:
    """PRIZES 2.5: case 4 of the law, 600.00 and 7 seats"""
    table = seat_table(house, "a", ENVIED)
    table.open(stakes=7)
    award = only(table.claim(QUADS, others=6)).award
    assert (award.each, award.others, award.envy) == (50_000, 6, 1_666)
    assert house.reading == 4
    assert table.card.balances.pending == (50_000 + 6 * 1_666) * 10_000
    check_audited(house, table)
    award = only(table.agree()).award
    assert (award.state, award.envy) == (AwardState.FINAL, 1_666)
    check_audited(house, table)
    assert house.reading == 4, "it is not at its base"


def test_one_winner_more_divides_envy_anew(house: AnyCentre) -> None:
    table = seat_table(house, "a", ENVIED)
    table.open(stakes=4)
    assert only(table.claim(STRAIGHT, others=3)).award.envy == 500
    award = only(table.claim(STRAIGHT, 2, others=2)).award
    assert (award.each, award.own, award.others, award.envy) == (6_000, 2, 2, 1_000)
    check_audited(house, table)
    award = only(table.claim(STRAIGHT, 3, others=0)).award
    assert (award.others, award.envy) == (0, 0)
    check_audited(house, table)


def test_a_cancelled_award_returns_its_envy(house: AnyCentre) -> None:
    table = seat_table(house, "a", ENVIED)
    table.open(stakes=3)
    before = house.total
    table.claim(QUADS, others=2)
    award = only(table.cancel()).award
    assert (award.own, award.others, award.envy) == (0, 0, 0)
    assert house.total == before
    check_audited(house, table)


@pytest.mark.parametrize(
    ("combination", "others"), [(QUADS, 3), (QUADS, 10**12), (ROYAL, 1), (ROYAL, 0), (FLUSH, 1)]
)
def test_more_seats_than_stakes_or_envy_where_there_is_none_are_not_the_terms(
    house: AnyCentre, combination: str, others: int
) -> None:
    """PRIZES 2.20, LINK 2.4"""
    table = seat_table(house, "a", ENVIED)
    table.open(stakes=3)
    before = house.total
    assert table.claim(combination, others=others).refusal is CentreRefusal.NOT_THE_TERMS
    assert house.total == before


def test_two_tables_at_once_are_paid_one_after_the_other(house: AnyCentre) -> None:
    """PRIZES 2.20: each from what the other has left, at the limit"""
    one, other = seat_table(house, "a", ENVIED), seat_table(house, "b", ENVIED)
    one.open(stakes=3)
    other.open(stakes=3)
    assert only(one.claim(QUADS, others=2)).award.envy == 2_500
    award = only(other.claim(QUADS, others=2)).award
    assert (award.number, award.reading, award.each, award.envy) == (2, 5_000, 5_000, 0)
    check_audited(house, one, other)
    one.cancel()
    assert house.reading == 55_000
    other.agree()
    check_audited(house, one, other)


def test_a_claim_that_names_no_seats_pays_no_envy(house: AnyCentre) -> None:
    table = seat_table(house, "a", ENVIED)
    table.open(stakes=3)
    award = only(table.claim(QUADS)).award
    assert (award.others, award.envy) == (0, 0)
    check_audited(house, table)


def test_a_table_does_not_leave_while_its_envy_is_pending(house: AnyCentre) -> None:
    table = seat_table(house, "a", ENVIED)
    table.open(stakes=3)
    table.claim(QUADS, others=2)
    house.ask_to_leave("a")
    assert table.leave().refusal is CentreRefusal.AWARD_PENDING
    table.agree()
    assert table.leave().refusal is None
    check_audited(house, table)


def test_a_dead_table_s_award_is_ended_with_its_envy(house: AnyCentre) -> None:
    """Two operators, the table unplugged"""
    one, other = seat_table(house, "a", ENVIED), seat_table(house, "b", ENVIED)
    one.open(stakes=3)
    other.open(stakes=3)
    before = house.total
    one.claim(QUADS, others=2)
    assert house.approve("cancel", {"member": "a", "identity": one.award}) is None
    assert house.total == before
    other.claim(QUADS, others=2)
    assert house.approve("finish", {"member": "b", "identity": other.award}) is None
    assert house.total.paid == (50_000 + 2 * 2_500) * 10_000
    assert house.total.pending == 0


@pytest.mark.parametrize("agreed", [False, True])
def test_after_the_centre_was_set_back_it_is_as_it_was(house: AnyCentre, agreed: bool) -> None:
    """A pending one is not divided anew"""
    table, other = seat_table(house, "a", ENVIED), seat_table(house, "b", ENVIED)
    table.open(stakes=4)
    saved = house.save()
    table.claim(QUADS, others=3)
    if agreed:
        table.agree()
    other.open(stakes=2)
    other.claim(STRAIGHT, others=1)
    before = house.total
    house.set_back(saved)
    house.recover()
    send_all_again(other, table)
    for one in (table, other):
        assert one.beat().changes == ()
    assert house.total == before
    other.cancel()
    if not agreed:
        table.cancel()
    check_audited(house, table, other)


def test_a_table_left_out_of_a_recovery_has_its_envy_in_doubt(house: AnyCentre) -> None:
    """Two operators say what became of it"""
    table, other = seat_table(house, "a", ENVIED), seat_table(house, "b", ENVIED)
    table.open(stakes=3)
    table.claim(QUADS, others=2)
    saved = house.save()
    before = house.total
    other.open(stakes=1)
    house.set_back(saved)
    house.recover(without=["a"])
    send_all_again(other)
    assert house.total.pending == before.pending
    assert house.approve("finish", {"member": "a", "identity": table.award}) is None
    assert house.total.paid == (50_000 + 2 * 2_500) * 10_000


def test_an_award_given_late_has_its_envy(house: AnyCentre) -> None:
    """PRIZES 2.20, LINK 3.11"""
    table = seat_table(house, "a", ENVIED)
    table.open(stakes=3)
    table.close()
    assert table.claim(QUADS, others=2).refusal is CentreRefusal.ROUND_CLOSED
    asked = {"member": "a", "round": 1, "identity": table.award, "winners": 1}
    asked |= {"combination": QUADS}
    before = house.total
    assert house.approve("award", asked | {"others": 3}) == "NOBODY_ELIGIBLE"
    assert house.approve("award", asked | {"combination": ROYAL, "others": 2}) == "NOT_THE_TERMS"
    assert house.total == before
    assert house.approve("award", asked | {"others": 2}) is None
    table.beat()
    award = table.card.awards_seen[table.award]
    assert (award.state, award.each, award.others) == (AwardState.FINAL, 50_000, 2)
    assert award.envy == 2_500
    assert house.total.paid == table.card.balances.paid == (50_000 + 2 * 2_500) * 10_000
    check_audited(house, table)


def test_operators_and_the_room_see_the_envy(make_postgres: MakeCentre) -> None:
    """PRIZES 2.20"""
    centre = make_postgres(terms=ENVIED, opening=Cents(60_000), base=Cents(0))
    assert isinstance(centre, PostgresCentre)
    table = seat_table(centre, "a", ENVIED)
    table.open(stakes=3)

    def describe(what: TwoPeopleAct, **facts: object) -> str:
        text = ProposalText(JACKPOT, what, {"member": "a", "identity": table.award, **facts})
        return " ".join(describe_proposal(centre.superuser, text))

    late = describe(TwoPeopleAct.AWARD, round=1, combination=QUADS, winners=1, others=2)
    assert "Envy: 2 x 25.00 EUR, to the other seats, from the jackpot." in late
    table.claim(QUADS, others=2)
    assert "1 x 500.00 EUR and envy 2 x 25.00 EUR" in describe(TwoPeopleAct.FINISH)
    assert "550.00 EUR return" in describe(TwoPeopleAct.CANCEL)
    status = "\n".join(render_status(read_status(centre.superuser)))
    assert "1 x 500.00 EUR and envy 2 x 25.00 EUR, at a" in status
    (jackpot,) = read_room(centre.superuser).jackpots
    assert jackpot.awards[0].envy == Envy(2, Cents(2_500))
    assert jackpot.awards[0].total == 55_000
    table.agree()
    (jackpot,) = read_room(centre.superuser).jackpots
    (win,) = describe_wins(jackpot)["wins"]
    assert win.envy == EnvyPaid(2, "25.00")


DAMAGE = {
    "UPDATE link.winner SET envy = envy + 1, paying = paying + 20000": "award stud/1: final",
    "UPDATE link.winner SET paying = paying - 10000": "award stud/1: final",
    "UPDATE link.winner SET others = 6, envy = 1666, paying = 599960000": "of 3 stakes",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_the_audit_reckons_envy_and_its_seats(make_postgres: MakeCentre, damage: str) -> None:
    """PRIZES 2.20"""
    centre = make_postgres(terms=ENVIED, opening=Cents(60_000), base=Cents(0))
    assert isinstance(centre, PostgresCentre)
    table = seat_table(centre, "a", ENVIED)
    table.open(stakes=3)
    table.claim(QUADS, others=2)
    table.agree()
    check_audited(centre, table)
    centre.superuser.execute("SET session_replication_role = replica")
    assert centre.superuser.execute(damage.encode()).rowcount == 1
    assert [one for one in find_book_differences(centre.superuser) if DAMAGE[damage] in one]
