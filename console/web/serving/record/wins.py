"""The last wins, of the records about awards in their order."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from console.bordereau.step import RecordStep
from console.texts.record_texts import clock_of, day_of
from jackpot.failures import LedgerCorrupt
from jackpot.ledger.journal import Record
from jackpot.money.accounts import Reason
from jackpot.money.amounts import format_cents
from jackpot.value_mistakes import describe_mistake

MOST_WINS = 8

PENDING, PAID = "pending", "paid"

AWARD_DECISIONS = '"decision":"award-'
"""The body of a record about an award, as it is stored."""


class Win(msgspec.Struct, frozen=True):
    """An award: pending, or paid. `each` and `total`: EUR, written `12345.67`.

    `seq`, `wall`: of the record that made it what it is; `day` and `clock` are its time at the
    table. `whole`: the jackpot has started again from its base.
    """

    seq: int
    wall: str
    day: str
    clock: str
    round: int
    combination: str
    winners: int
    each: str
    total: str
    state: str
    whole: bool = False


class Wins(Struct, frozen=True):
    """Follows awards from record to record; the first may be in the middle of one."""

    pending: Win | None = None
    paid: tuple[Win, ...] = ()

    @property
    def newest_first(self) -> tuple[Win, ...]:
        """At most eight, without cancelled awards."""
        pending = (self.pending,) if self.pending is not None else ()
        return (*pending, *self.paid)[:MOST_WINS]

    def after(self, record: Record) -> "Wins":
        """Add a record, newer than those before. Raises LedgerCorrupt."""
        wins = self
        for decision in RecordStep(record, {}, {}).decisions:
            match decision.get("decision"):
                case "award-pending":
                    wins = Wins(_win(record, decision, PENDING), wins.paid)
                case "award-final":
                    paid = (_win(record, decision, PAID), *wins.paid)
                    wins = Wins(None, paid[:MOST_WINS])
                case "award-cancelled":
                    wins = Wins(None, wins.paid)
        return wins


class _Award(msgspec.Struct, frozen=True):
    """The facts of a decision about an award; `each` in cents."""

    combination: str
    winners: int
    each: int


def _win(record: Record, decision: Mapping[str, Any], state: str) -> Win:
    try:
        award = msgspec.convert(decision, _Award)
    except msgspec.ValidationError as error:
        raise LedgerCorrupt(
            f"record {record.seq}: its award cannot be read: {describe_mistake(error)}"
        ) from error
    return Win(
        record.seq,
        record.wall,
        day_of(record.wall),
        clock_of(record.wall),
        record.round,
        award.combination,
        award.winners,
        format_cents(award.each),
        format_cents(award.winners * award.each),
        state,
        any(one.reason is Reason.RESEED for one in record.transactions),
    )
