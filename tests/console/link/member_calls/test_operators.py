"""What two operators do to the calls of the tables (docs/reference/link-rules.md, 3.7 to 3.11)."""

import pytest

from console.rules.link import AwardState, Barred, CentreRefusal
from jackpot.money.amounts import to_units
from tests.console.link.centres import AnyCentre, seat_table
from tests.console.link.linked_table import LinkedTable
from tests.console.link.member_calls.expected import (
    FLUSH,
    OPENING,
    ROYAL,
    check_books,
    last_of,
    why_barred,
)


def correct(centre: AnyCentre, source: str, target: str, cents: int) -> str | None:
    """A correction of so many cents."""
    amount = to_units(cents)
    reason = "counted twice on the 3rd"
    return centre.approve(
        "correct", {"source": source, "target": target, "amount": amount, "reason": reason}
    )


def name_award(table: LinkedTable) -> dict[str, str]:
    """The table's last award, as a proposal names it."""
    return {"member": table.name, "identity": table.award}


def test_a_correction_is_in_the_next_reading(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    assert correct(centre, "house", "jackpot", 500) is None
    assert table.beat().reading == OPENING + 500
    assert correct(centre, "jackpot", "reserve", 200) is None
    assert table.beat().reading == OPENING + 300
    check_books(centre, table)


def test_the_jackpot_is_not_lowered_in_a_staked_round(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    assert correct(centre, "jackpot", "house", 1) == "ROUNDS_OPEN"
    table.close()
    assert correct(centre, "jackpot", "house", 1) is None
    assert correct(centre, "jackpot", "house", OPENING * 2) == "NOT_COVERED"


def test_a_round_that_is_over_is_not_ended_instead_of_the_next(centre: AnyCentre) -> None:
    """LINK 3.7.2"""
    table = seat_table(centre, "a")
    table.open()
    table.close()
    table.open()
    assert centre.approve("round-over", {"member": "a", "round": 1}) == "ROUND_CLOSED"
    assert centre.approve("round-over", {"member": "a", "round": 2}) is None
    assert table.claim(ROYAL).refusal is CentreRefusal.ROUND_CLOSED
    assert centre.approve("round-over", {"member": "a", "round": 2}) == "ROUND_CLOSED"


def test_a_round_that_is_over_is_awaited_no_longer(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    table.open()
    other.open()
    table.claim(ROYAL)
    assert table.agree().awaited == 1
    assert centre.approve("round-over", {"member": "b"}) is None
    assert last_of(table.beat().changes).award.state is AwardState.FINAL
    assert other.claim(ROYAL).refusal is CentreRefusal.ROUND_CLOSED
    check_books(centre, table, other)


def test_a_claim_that_came_too_late_is_awarded(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    centre.approve("round-over", {"member": "a"})
    assert table.claim(FLUSH).refusal is CentreRefusal.ROUND_CLOSED
    asked = {**name_award(table), "round": 1, "combination": FLUSH.value, "winners": 1}
    assert centre.approve("award", {**asked, "winners": 2}) == "NOBODY_ELIGIBLE"
    assert centre.approve("award", asked) is None
    assert centre.approve("award", asked) == "AWARD_FINAL"
    assert last_of(table.beat().changes).award.state is AwardState.FINAL
    check_books(centre, table)


def test_no_award_is_given_beside_the_claims_of_a_round_that_is_open(centre: AnyCentre) -> None:
    """LINK 3.11: one stake would win twice"""
    table = seat_table(centre, "a")
    table.open(stakes=1)
    asked = {**name_award(table), "round": 1, "combination": FLUSH.value, "winners": 1}
    other = asked | {"identity": "a/round-1/award-9"}
    assert centre.approve("award", other) == "ROUNDS_OPEN"
    assert table.claim(FLUSH).refusal is None
    table.agree()
    table.close()
    assert centre.approve("award", other) == "NOBODY_ELIGIBLE"
    check_books(centre, table)


@pytest.mark.parametrize("identity", ["b/round-1/award-1", "a/round-2/award-1", "a/award-1", "x"])
def test_an_award_has_the_name_of_its_table_and_round(centre: AnyCentre, identity: str) -> None:
    """Under another's its ledger would not know it."""
    table = seat_table(centre, "a")
    table.open()
    table.close()
    asked = {"member": "a", "round": 1, "combination": FLUSH.value, "winners": 1}
    assert centre.approve("award", asked | {"identity": identity}) == "NOT_THE_TERMS"


def test_a_dead_tables_part_is_finished_and_its_epoch_ends(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    table.open()
    other.open()
    table.claim(ROYAL)
    other.claim(ROYAL)
    other.agree()
    assert centre.approve("finish", name_award(table)) is None
    assert centre.approve("finish", name_award(table)) == "AWARD_FINAL"
    assert last_of(other.beat().changes).award.state is AwardState.FINAL
    assert why_barred(table) is Barred.FORKED


def test_a_dead_tables_part_is_cancelled_and_the_others_rise(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    table.open()
    other.open()
    table.claim(ROYAL)
    before = last_of(other.claim(ROYAL).changes).award.each
    assert centre.approve("cancel", name_award(table)) is None
    after = last_of(other.beat().changes).award
    assert (after.each // 2, after.awaited) == (before, 0)
    assert centre.total.pending == other.card.balances.pending
