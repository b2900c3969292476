"""The movements of money at a table, as transactions.

docs/reference/rules.md, sections 3 and 4.
"""

from functools import cache

from msgspec import Struct

from jackpot.money.accounts import Account, Balances, Posting, Reason, Transaction
from jackpot.money.amounts import WHOLE, Cents, Units, to_units
from jackpot.money.settings import MoneySettings

NOTHING = Units(0)


def opening(settings: MoneySettings) -> Transaction:
    """The opening value, once: from the house to the jackpot."""
    return _move(
        "opening", Reason.OPENING, to_units(settings.opening), Account.HOUSE, Account.JACKPOT
    )


class Overflow(Struct, frozen=True):
    """What a jackpot's limit keeps out of it: the units, and the account that gets them."""

    units: Units
    account: Account


def count_overflow(settings: MoneySettings, balances: Balances, limit: Cents) -> Units:
    """What of the next token's jackpot part is above the limit, a cap on what tokens bring."""
    part = settings.token * settings.to_jackpot
    there = max(to_units(limit) - balances.jackpot, 0)
    return Units(max(part - there, 0))


def stake(settings: MoneySettings, identity: str, overflow: Overflow | None = None) -> Transaction:
    """One accepted token: its parts to the jackpot, the reserve and the house."""
    if overflow is None:
        return Transaction(identity, Reason.STAKE, _post_token(settings))
    parts = _split_token(settings, overflow)
    return _transaction(identity, Reason.STAKE, parts)


def token_returned(
    settings: MoneySettings, balances: Balances, identity: str, overflow: Overflow | None = None
) -> Transaction:
    """The reverse of a stake made under the same settings (docs/reference/rules.md, section 4).

    What the jackpot lacks comes from the reserve, and what the reserve lacks, from the house:
    neither goes below zero.
    """
    parts = _split_token(settings, overflow)
    from_jackpot = min(parts[Account.JACKPOT], max(balances.jackpot, 0))
    due = parts[Account.JACKPOT] - from_jackpot + parts[Account.RESERVE]
    from_reserve = min(due, max(balances.reserve, 0))
    return _transaction(
        identity,
        Reason.TOKEN_RETURNED,
        {
            Account.TRAY: -parts[Account.TRAY],
            Account.JACKPOT: -from_jackpot,
            Account.RESERVE: -from_reserve,
            Account.HOUSE: from_reserve - due - parts[Account.HOUSE],
        },
    )


def stake_reversed(settings: MoneySettings, identity: str) -> Transaction:
    """The exact reverse of a stake, for a linked table, whose jackpot may be negative.

    docs/reference/link-rules.md, section 2.1.
    """
    parts = {account: -units for account, units in _split_token(settings).items()}
    return _transaction(identity, Reason.TOKEN_RETURNED, parts)


def award_pending(
    identity: str, amount: Units, more: bool = False, by_house: Units = NOTHING
) -> Transaction:
    """An award leaves the jackpot, or the house; with `more`, the difference for one more winner.

    With `more` an amount may be negative: 10.01 for one winner is 10.00 for two, and the cent goes
    back. Raises ValueError for a negative first amount.
    """
    if (amount < 0 or by_house < 0) and not more:
        raise ValueError(f"{identity}: an award of {amount} and {by_house} units")
    reason = Reason.AWARD_RAISED if more else Reason.AWARD_PENDING
    moved = {Account.JACKPOT: -amount, Account.HOUSE: -by_house}
    return _transaction(identity, reason, {**moved, Account.PENDING: amount + by_house})


def award_cancelled(identity: str, amount: Units, by_house: Units = NOTHING) -> Transaction:
    """The whole pending amount returns to the jackpot, and to the house what was its own."""
    moved = {Account.JACKPOT: amount, Account.HOUSE: by_house}
    pending = {Account.PENDING: -amount - by_house}
    return _transaction(identity, Reason.AWARD_CANCELLED, {**pending, **moved})


def award_final(identity: str, amount: Units) -> Transaction:
    """The whole pending amount is paid."""
    return _move(identity, Reason.AWARD_FINAL, amount, Account.PENDING, Account.PAID)


def reseed(identity: str, balances: Balances, base: Cents) -> Transaction | None:
    """Fill the jackpot up to its base: from the reserve, and the rest from the house.

    After an award of the whole jackpot (`finish_award`). None if it has the base already.
    """
    missing = to_units(base) - balances.jackpot
    if missing <= 0:
        return None
    from_reserve = min(missing, max(balances.reserve, 0))
    return _transaction(
        identity,
        Reason.RESEED,
        {
            Account.JACKPOT: missing,
            Account.RESERVE: -from_reserve,
            Account.HOUSE: from_reserve - missing,
        },
    )


def rake(identity: str, cents: Cents) -> Transaction:
    """The rake of a hand (docs/reference/poker-rules.md, section 18)."""
    return _move(identity, Reason.RAKE, to_units(cents), Account.POTS, Account.RAKE)


def rake_returned(identity: str, cents: Cents) -> Transaction:
    """The reverse: the rake was not to be taken, or is taken anew."""
    return _move(identity, Reason.RAKE_RETURNED, to_units(cents), Account.RAKE, Account.POTS)


def correction(identity: str, amount: Units, source: Account, target: Account) -> Transaction:
    """A correction by people; their names and the reason are in its record."""
    return _move(identity, Reason.CORRECTION, amount, source, target)


def departure(identity: str, balances: Balances) -> Transaction:
    """A table leaves a linked jackpot: jackpot and reserve go to the house.

    Both may be below zero, and are 0 then (docs/reference/link-rules.md, section 3.14).
    """
    there = {Account.JACKPOT: -balances.jackpot, Account.RESERVE: -balances.reserve}
    to_house = balances.jackpot + balances.reserve
    return _transaction(identity, Reason.LEFT, {**there, Account.HOUSE: to_house})


def _split_token(settings: MoneySettings, overflow: Overflow | None = None) -> dict[Account, int]:
    """Each one's share of a token: jackpot, reserve and house; the tray gives it.

    Cents times basis points are units, so nothing is rounded and no part of a cent is left over.
    """
    to_house = WHOLE - settings.to_jackpot - settings.to_reserve
    parts = {
        Account.TRAY: -settings.token * WHOLE,
        Account.JACKPOT: settings.token * settings.to_jackpot,
        Account.RESERVE: settings.token * settings.to_reserve,
        Account.HOUSE: settings.token * to_house,
    }
    if overflow is not None:
        parts[Account.JACKPOT] -= overflow.units
        parts[overflow.account] += overflow.units
    return parts


@cache
def _post_token(settings: MoneySettings) -> tuple[Posting, ...]:
    return _postings(_split_token(settings))


def _move(
    identity: str, reason: Reason, amount: Units, source: Account, target: Account
) -> Transaction:
    return _transaction(identity, reason, {source: -amount, target: amount})


def _transaction(identity: str, reason: Reason, amounts: dict[Account, int]) -> Transaction:
    return Transaction(identity, reason, _postings(amounts))


def _postings(amounts: dict[Account, int]) -> tuple[Posting, ...]:
    return tuple(Posting(account, Units(units)) for account, units in amounts.items() if units)
