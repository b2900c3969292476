"""What an act changes in a table's part of an award, and what its ledger books of it."""

from console.rules.link import AwardState, Change, LinkedAward
from console.simulation.centre.rows import AwardPart, SharedAward
from jackpot import movements
from jackpot.accounts import Transaction
from jackpot.amounts import Units, to_units


def describe_part(award: SharedAward, part: AwardPart) -> LinkedAward:
    """The award as this part's member sees it. A cancelled part has no winners."""
    cancelled = part.state is AwardState.CANCELLED
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
    )


def divide_anew(award: SharedAward, part: AwardPart, act: int, claims: bool) -> Transaction:
    """What the part's ledger books now that each gets another amount.

    `claims`: this part's own claim is the cause.
    """
    amount = to_units(award.each) * part.winners
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


def change_of(act: int, award: SharedAward, part: AwardPart, books: Transaction | None) -> Change:
    """The act's change for this part's member."""
    return Change(act, describe_part(award, part), books)
