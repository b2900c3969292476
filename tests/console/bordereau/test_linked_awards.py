"""Awards that the centre of a linked jackpot tells a table of, on its bordereau."""

import msgspec

from console.bordereau.figures import AwardStatus
from console.bordereau.step import RecordStep
from console.bordereau.tally import MoneyTally
from console.rules.link import AwardState, Change, LinkedAward, Shown
from console.rules.link_state import (
    LinkShown,
)
from jackpot.ledger.journal import Record
from jackpot.money import movements
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents, to_units
from jackpot.money.prizes import Combination

AMOUNT = Cents(5_000)


def change(act: int, state: AwardState) -> Change:
    identity = "a/round-7/award-1"
    award = LinkedAward(
        identity, 3, Combination.FLUSH, state, Cents(500_000), AMOUNT, 1, 1, tables=1, awaited=0
    )
    units = to_units(AMOUNT)
    moved = (
        movements.award_pending(f"{identity}/pending", units)
        if state is AwardState.PENDING
        else movements.award_final(f"{identity}/final", units)
    )
    return Change(act, award, moved)


def test_an_award_that_begins_and_ends_in_one_record_has_its_figures() -> None:
    """As after a rejoin, or when two operators give it: no award is in hand at the table."""
    changes = (change(1, AwardState.PENDING), change(2, AwardState.FINAL))
    act = LinkShown(Shown(Cents(495_000), changes))
    transactions = tuple(one.transaction for one in changes if one.transaction is not None)
    record = Record(
        kind="link-shown",
        round=9,
        at_ms=0,
        wall="",
        settings_version=1,
        body={"act": msgspec.to_builtins(act), "outcome": "done"},
        transactions=transactions,
        seq=5,
        boot=1,
        previous="",
        hash="",
    )
    tally = MoneyTally(Balances())
    tally.add(RecordStep(record, {}, {"award": None}))
    (entry,) = tally.awards
    assert (entry.status, entry.combination) == (AwardStatus.FINAL, Combination.FLUSH)
    assert (entry.winners, entry.each, entry.total) == (1, AMOUNT, AMOUNT)
    assert tally.balances.paid == to_units(AMOUNT)
