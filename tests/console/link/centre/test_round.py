"""A round at the centre in PostgreSQL, from joining to closing (docs/link-rules.md, section 3)."""

from console.rules.link import AwardState
from jackpot.accounts import Reason
from jackpot.prizes import Combination
from tests.console.link.centre.postgres_centre import PostgresCentre, euros


def test_a_round_from_joining_to_closing(centre: PostgresCentre) -> None:
    table = centre.table("tavolo-1")
    assert table.open(stakes=2).reading == euros(10_000) + 280
    (change,) = table.claim(Combination.ROYAL_FLUSH).changes
    assert change.award.fixed
    assert change.award.each == euros(10_000) + 280
    assert change.transaction is not None
    assert change.transaction.reason is Reason.AWARD_PENDING
    assert table.beat().reading == euros(5_000)
    (final,) = table.agree().changes
    assert final.award.state is AwardState.FINAL
    assert table.close().changes == ()
    assert table.balances.paid == final.award.each * 10_000
