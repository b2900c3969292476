"""The money of a stretch: what moved, the awards, the tray, the corrections (section 4)."""

from dataclasses import replace

import msgspec

from console.office.bordereau.figures import (
    AwardEntry,
    AwardStatus,
    CorrectionEntry,
    TrayEntry,
)
from console.office.bordereau.step import RecordStep
from console.office.money_totals import MoneyTotals
from console.rules.acts import KINDS, TrayCounted
from jackpot.accounts import Balances, Reason, Transaction
from jackpot.amounts import Units
from jackpot.awards import Award

TRAY_COUNTED = KINDS[TrayCounted]


class MoneyTally:
    """Transactions are added up one by one; nothing is taken from a balance on record."""

    def __init__(self, opening: Balances) -> None:
        self.balances = opening
        self.awards: list[AwardEntry] = []
        self.corrections: list[CorrectionEntry] = []
        self.trays: list[TrayEntry] = []
        self.totals = MoneyTotals()
        self._staked: set[int] = set()

    def take(self, seen: RecordStep) -> None:
        """Add one record."""
        for transaction in seen.record.transactions:
            self.balances = self.balances.after(transaction)
            self.totals = self.totals.after(transaction)
            self._follow(seen, transaction)
        if seen.record.kind == TRAY_COUNTED and seen.done:
            self._tray(seen)

    @property
    def rounds_staked(self) -> int:
        """In how many rounds a token was accepted."""
        return len(self._staked)

    def _follow(self, seen: RecordStep, transaction: Transaction) -> None:
        match transaction.reason:
            case Reason.STAKE:
                self._staked.add(seen.record.round)
            case Reason.AWARD_PENDING:
                self.awards.append(_begun(seen))
            case Reason.AWARD_RAISED if self.awards:
                self._raised(_award(seen))
            case Reason.AWARD_FINAL if self.awards:
                self._ended(seen, AwardStatus.FINAL)
            case Reason.AWARD_CANCELLED if self.awards:
                self._ended(seen, AwardStatus.CANCELLED)
            case Reason.CORRECTION:
                self._corrected(seen, transaction)

    def _raised(self, award: Award) -> None:
        self.awards[-1] = replace(
            self.awards[-1], winners=award.winners, each=award.each, total=award.total
        )

    def _ended(self, seen: RecordStep, fate: AwardStatus) -> None:
        self.awards[-1] = replace(self.awards[-1], ended=seen.when, fate=fate)

    def _corrected(self, seen: RecordStep, transaction: Transaction) -> None:
        moved = {posting.account: Units(posting.amount) for posting in transaction.postings}
        who, second, reason = (str(seen.act.get(name, "")) for name in ("who", "second", "reason"))
        self.corrections.append(CorrectionEntry(seen.when, who, second, reason, moved))

    def _tray(self, seen: RecordStep) -> None:
        told = seen.decided("tray-counted") or {}
        counted, expected, difference = (
            int(told[name]) for name in ("counted", "expected", "difference")
        )
        who = str(seen.act.get("who", ""))
        self.trays.append(TrayEntry(seen.when, who, counted, expected, difference))


def _begun(seen: RecordStep) -> AwardEntry:
    fitted = bool((seen.after.get("settings") or {}).get("inspector_fitted"))
    award = _award(seen)
    return AwardEntry(
        begun=seen.when,
        ended=None,
        fate=AwardStatus.PENDING,
        combination=award.combination,
        winners=award.winners,
        reading=award.reading,
        each=award.each,
        total=award.total,
        inspector=bool(seen.after.get("inspector")) if fitted else None,
    )


def _award(seen: RecordStep) -> Award:
    return msgspec.convert(seen.after["award"], Award)
