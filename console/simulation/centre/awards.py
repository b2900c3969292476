"""Awards at the rehearsed centre of scenarios: claim, agree, cancel, what holds them; what of a
call fits the terms.

docs/reference/link-rules.md, 2.4 and 3. No table's word is believed. Real money is divided by
link.divide_award, in console/link/centre/schema/.
"""

import re

from msgspec import UNSET

from console.rules.link import (
    Agree,
    AwardState,
    Cancel,
    CentreRefusal,
    Change,
    Claim,
    Deliver,
    LinkedAward,
    Terms,
)
from console.rules.structs import replace
from console.simulation.centre.books import (
    AwardPart,
    CentreBooks,
    MemberRow,
    SharedAward,
)
from jackpot.money import movements
from jackpot.money.accounts import Transaction
from jackpot.money.amounts import Cents, Units, to_units
from jackpot.money.prizes import Prize
from jackpot.money.settings import MoneySettings

_TOKEN = re.compile(r"(?P<seat>/round-[0-9]{1,15}/seat-[1-7])/(?:stake|returned)")


def fits_terms(row: MemberRow, deliver: Deliver, terms: Terms) -> bool:
    """Whether a delivery is tokens of the terms, each at one seat of a round that was opened, once.

    A return is the exact reverse of a stake of this epoch, once.
    """
    place = f"{row.name}/round-{deliver.round}/seat-"
    there = {
        identity: one
        for (epoch, identity), one in row.movements.items()
        if epoch == row.epoch and identity.startswith(place)
    }
    return row.has_opened(deliver.round) and all(
        one.identity.startswith(place) and fits_token(row.name, one, terms, there)
        for one in deliver.transactions
    )


def is_own_award(name: str, identity: str, round: int | None = None) -> bool:
    """Whether it names an award of this member; of this round, if one is given."""
    number = "[0-9]{1,15}" if round is None else str(round)
    return bool(re.fullmatch(rf"{re.escape(name)}/round-{number}/award-[0-9]{{1,9}}", identity))


def fits_token(name: str, one: Transaction, terms: Terms, there: dict[str, Transaction]) -> bool:
    """Whether it is a token of the terms, or the reverse of one that is there; then it is, too."""
    named = _TOKEN.fullmatch(one.identity.removeprefix(name))
    if named is None or not one.identity.startswith(name) or one.identity in there:
        return False
    stake, returned = (f"{name}{named['seat']}/{what}" for what in ("stake", "returned"))
    settings = MoneySettings(terms.token, terms.to_jackpot, terms.to_reserve)
    fits = _is_same(one, movements.stake(settings, stake)) or (
        stake in there and _is_same(one, movements.stake_reversed(settings, returned))
    )
    there[one.identity] = one
    return fits


def _is_same(one: Transaction, other: Transaction) -> bool:
    """Posting by posting; a ledger has them in another order than a call."""
    return replace(one, postings=()) == replace(other, postings=()) and set(one.postings) == set(
        other.postings
    )


class CentreAwards:
    """What the members' calls do to the awards."""

    def __init__(self, books: CentreBooks) -> None:
        self._books = books

    def claim(self, row: MemberRow, claim: Claim) -> CentreRefusal | None:
        """Freeze a new award, join one, or add a winner."""
        if not is_own_award(row.name, claim.identity, claim.round) or claim.winners < 1:
            return CentreRefusal.NOT_THE_TERMS
        known = self._books.part_of(row.name, claim.identity)
        if known is not None and not known[1].live:
            return CentreRefusal.AWARD_FINAL
        if row.round is None or row.round.number != claim.round:
            return CentreRefusal.ROUND_CLOSED
        if not self._is_prize_of(claim, known[0] if known else None):
            return CentreRefusal.NOT_THE_TERMS
        more = claim.winners - (known[1].winners if known else 0)
        if more < 1:
            return None  # set back, the centre knows the claim from what the member has booked
        if self.count_winners(row.name, claim.round) + more > row.round.stakes:
            return CentreRefusal.NOBODY_ELIGIBLE
        others = 0 if claim.others is UNSET else claim.others
        if claim.winners + others > row.round.stakes:
            return CentreRefusal.NOT_THE_TERMS
        award, part = known or self._take_part(row, claim)
        part.winners, part.others = claim.winners, others
        part.state = AwardState.PENDING
        self.divide(award, part, self._books.record_act("award"))
        return None

    def _is_prize_of(self, claim: Claim, award: SharedAward | None) -> bool:
        """Whether the jackpot pays for it, and envy if the claim tells seats for it."""
        terms = self._books.terms
        if award is not None and claim.combination != award.combination:
            return False
        if claim.combination not in terms.prizes:
            return False
        return claim.others is UNSET or has_envy(terms.prize_of(claim.combination))

    def agree(self, row: MemberRow, agree: Agree) -> CentreRefusal | None:
        """The key is back in R."""
        if not is_own_award(row.name, agree.identity):
            return CentreRefusal.NOT_THE_TERMS
        known = self._books.part_of(row.name, agree.identity)
        if known is None:
            return None
        award, part = known
        if part.state is AwardState.CANCELLED:
            return CentreRefusal.AWARD_FINAL
        if part.state is AwardState.PENDING:
            part.state = AwardState.AGREED
            if not self.settle(award):
                self.book(self._books.record_act("agreed"), award, part, None)
        return None

    def cancel(self, row: MemberRow, cancel: Cancel) -> CentreRefusal | None:
        """The award's amount, or this table's part of it, returns."""
        if not is_own_award(row.name, cancel.identity):
            return CentreRefusal.NOT_THE_TERMS
        known = self._books.part_of(row.name, cancel.identity)
        if known is None:
            return None
        award, part = known
        if part.state is AwardState.FINAL:
            return CentreRefusal.AWARD_FINAL
        if part.live:
            self._cancel_part(award, part)
            self._hold_again(award, row, part)
            self.settle(award)
        return None

    def end_holds(self, member: str) -> None:
        """The member's round can join no award any more."""
        for award in self._books.awards:
            if member in award.holds:
                award.holds.discard(member)
                self.settle(award)

    def settle(self, award: SharedAward) -> bool:
        """The award is final as a whole when all its tables agreed and no hold is left."""
        parts = award.live_parts
        if not parts or award.holds or any(p.state is not AwardState.AGREED for p in parts):
            return False
        act = self._books.record_act("final")
        finals = [(part, finish_part(part)) for part in parts]
        for part, transaction in finals:
            self.book(act, award, part, transaction)
        return True

    def divide(self, award: SharedAward, claims: AwardPart | None, act: int) -> None:
        """Divide the award among all its winners, and tell each table in it.

        `claims`: whose claim is the cause; `act`: which act it is.
        """
        self._books.quote_award(award)
        for part in award.live_parts:
            transaction = divide_anew(award, part, act, claims=part is claims)
            self.book(act, award, part, transaction)
        self._books.add_what_lacks(act)
        self._books.put_base_in(award, act)

    def book(
        self, act: int, award: SharedAward, part: AwardPart, transaction: Transaction | None
    ) -> None:
        """Book what an act changed in a part, and what its ledger books of it."""
        with_envy = has_envy(self._books.terms.prize_of(award.combination))
        self._books.book(part, Change(act, describe_part(award, part, with_envy), transaction))

    def _take_part(self, row: MemberRow, claim: Claim) -> tuple[SharedAward, AwardPart]:
        """In the oldest award that holds this round, or in a new one."""
        part = AwardPart(row.name, claim.round, claim.identity)
        award = self._find_held_award(row, claim) or self._freeze(row, claim)
        award.holds.discard(row.name)
        award.parts[part.identity] = part
        return award, part

    def _find_held_award(self, row: MemberRow, claim: Claim) -> SharedAward | None:
        for award in self._books.awards:
            if row.name in award.holds and award.combination == claim.combination:
                return award
        return None

    def _freeze(self, row: MemberRow, claim: Claim) -> SharedAward:
        books = self._books
        award = SharedAward(books.last_award + 1, claim.combination, books.reading)
        if books.may_be_shared(claim.combination):
            others = (other for other in books.members.values() if other is not row)
            award.holds = {other.name for other in others if other.round is not None}
        books.awards.append(award)
        return award

    def _cancel_part(self, award: SharedAward, part: AwardPart) -> None:
        act = self._books.record_act("cancelled")
        transaction = cancel_part(part)
        self._books.quote_award(award)
        self.book(act, award, part, transaction)
        for other in award.live_parts:
            divided = divide_anew(award, other, act, claims=False)
            self.book(act, award, other, divided)
        self._books.add_what_lacks(act)
        if not award.live_parts:
            award.holds.clear()
        self._books.take_base_back(award, act)

    def _hold_again(self, award: SharedAward, row: MemberRow, part: AwardPart) -> None:
        still_open = row.round is not None and row.round.number == part.round
        if still_open and award.live_parts:
            award.holds.add(row.name)

    def count_winners(self, member: str, number: int) -> int:
        """A round's winners, but those that were cancelled."""
        return sum(
            part.winners
            for award in self._books.awards
            for part in award.uncancelled
            if part.member == member and part.round == number
        )


def has_envy(prize: Prize) -> bool:
    """Whether the jackpot pays envy with it."""
    return bool(prize.envy) and not prize.by_house


def describe_part(award: SharedAward, part: AwardPart, with_envy: bool) -> LinkedAward:
    """The award as this part's member sees it. A cancelled part has no winners."""
    cancelled = part.state is AwardState.CANCELLED
    others = 0 if cancelled else part.others
    return LinkedAward(
        part.identity,
        award.number,
        award.combination,
        part.state,
        award.reading,
        award.each,
        award.winners,
        0 if cancelled else part.winners,
        len({one.member for one in award.uncancelled}),
        award.awaits(part.member) if part.live else 0,
        others if with_envy else UNSET,
        (Cents(0) if cancelled else part.envy) if with_envy else UNSET,
    )


def divide_anew(award: SharedAward, part: AwardPart, act: int, claims: bool) -> Transaction:
    """What the part's ledger books now that each gets another amount.

    `claims`: this part's own claim is the cause.
    """
    amount = to_units(Cents(award.each * part.winners + part.envy * part.others))
    difference = Units(amount - part.paying)
    part.paying = Units(amount)
    if not claims:
        return movements.award_pending(f"{part.identity}/divided-{act}", difference, more=True)
    if part.winners == 1:
        return movements.award_pending(f"{part.identity}/pending", difference)
    identity = f"{part.identity}/winner-{part.winners}"
    return movements.award_pending(identity, difference, more=True)


def finish_part(part: AwardPart) -> Transaction:
    """The part is paid."""
    part.state = AwardState.FINAL
    return movements.award_final(f"{part.identity}/final", part.paying)


def cancel_part(part: AwardPart) -> Transaction:
    """The part's amount returns to the jackpot."""
    part.state = AwardState.CANCELLED
    cancelled = movements.award_cancelled(f"{part.identity}/cancelled", part.paying)
    part.paying = Units(0)
    return cancelled
