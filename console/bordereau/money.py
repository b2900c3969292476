"""A bordereau's money: movements, awards, tray counts, corrections (docs/reference/rules.md,
section 4).
"""

import msgspec

from console.bordereau.figures import (
    AwardEntry,
    AwardStatus,
    CorrectionEntry,
    TrayEntry,
)
from console.bordereau.money_totals import MoneyTotals
from console.bordereau.step import RecordStep
from console.rules.acts import KINDS, TrayCounted
from console.rules.link import Change
from console.rules.structs import replace
from jackpot.money.accounts import Balances, Reason, Transaction
from jackpot.money.amounts import Cents, Units
from jackpot.money.awards import Award

TRAY_COUNTED = KINDS[TrayCounted]


class MoneyTally:
    """Adds up transactions one by one; it takes no balance from the record."""

    def __init__(self, opening: Balances) -> None:
        self.balances = opening
        self.awards: list[AwardEntry] = []
        self.corrections: list[CorrectionEntry] = []
        self.trays: list[TrayEntry] = []
        self.totals = MoneyTotals()
        self._staked: set[int] = set()

    def add(self, step: RecordStep) -> None:
        """Add one record."""
        for transaction in step.record.transactions:
            self.balances = self.balances.after(transaction)
            self.totals = self.totals.after(transaction)
            self._follow(step, transaction)
        if step.record.kind == TRAY_COUNTED and step.done:
            self._add_tray_count(step)

    @property
    def rounds_staked(self) -> int:
        """In how many rounds a token was accepted."""
        return len(self._staked)

    def _follow(self, step: RecordStep, transaction: Transaction) -> None:
        match transaction.reason:
            case Reason.STAKE:
                self._staked.add(step.record.round)
            case Reason.AWARD_PENDING:
                self.awards.append(_new_award(step, transaction))
            case Reason.AWARD_RAISED if self.awards:
                self._raise_award(_award(step, transaction))
            case Reason.AWARD_FINAL if self.awards:
                self._end_award(step, AwardStatus.FINAL)
            case Reason.AWARD_CANCELLED if self.awards:
                self._end_award(step, AwardStatus.CANCELLED)
            case Reason.CORRECTION:
                self._add_correction(step, transaction)

    def _raise_award(self, award: Award) -> None:
        self.awards[-1] = replace(
            self.awards[-1], winners=award.winners, each=award.each, total=award.total
        )

    def _end_award(self, step: RecordStep, status: AwardStatus) -> None:
        self.awards[-1] = replace(self.awards[-1], ended=step.when, status=status)

    def _add_correction(self, step: RecordStep, transaction: Transaction) -> None:
        moved = {posting.account: Units(posting.amount) for posting in transaction.postings}
        who, second, reason = (str(step.act.get(name, "")) for name in ("who", "second", "reason"))
        self.corrections.append(CorrectionEntry(step.when, who, second, reason, moved))

    def _add_tray_count(self, step: RecordStep) -> None:
        decision = step.find_decision("tray-counted") or {}
        counted, expected, difference = (
            int(decision[name]) for name in ("counted", "expected", "difference")
        )
        who = str(step.act.get("who", ""))
        self.trays.append(TrayEntry(step.when, who, counted, expected, difference))


def _new_award(step: RecordStep, transaction: Transaction) -> AwardEntry:
    fitted = bool((step.after.get("settings") or {}).get("inspector_fitted"))
    award = _award(step, transaction)
    return AwardEntry(
        begun=step.when,
        ended=None,
        status=AwardStatus.PENDING,
        combination=award.combination,
        winners=award.winners,
        reading=award.reading,
        each=award.each,
        total=award.total,
        inspector=bool(step.after.get("inspector")) if fitted else None,
    )


def _award(step: RecordStep, transaction: Transaction) -> Award:
    """The award in hand; at a linked table, the one that the centre's act changed."""
    message = step.act.get("answer") or step.act.get("shown") or {}
    for change in msgspec.convert(message.get("changes", ()), tuple[Change, ...]):
        if change.transaction is not None and change.transaction.identity == transaction.identity:
            award = change.award
            total = Cents(award.each * award.own)
            return Award(
                award.combination, award.own, award.reading, award.each, total, whole=False
            )
    return msgspec.convert(step.after["award"], Award)
