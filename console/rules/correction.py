"""A correction of the accounts, and what makes one invalid (docs/reference/ledger.md)."""

from msgspec import Struct

from jackpot.money.accounts import Account

CORRECTABLE = (Account.TRAY, Account.JACKPOT, Account.RESERVE, Account.HOUSE)
"""The accounts of a correction. Pending and paid follow from awards: a wrong award is corrected on
other accounts, not rewritten."""

MOST_CENTS = 99_999_999_999
"""999,999,999.99 EUR: the most that an amount on the line can be."""

SHORTEST_REASON, LONGEST_REASON = 10, 200
"""Characters."""


class Corrected(Struct, frozen=True):
    """Two cashiers move `cents` from one account to another, for a reason.

    `number` counts the table's corrections from 1. It makes the identity, so a correction sent
    twice moves money once. Raises ValueError for an invalid correction.
    """

    number: int
    source: Account
    target: Account
    cents: int
    reason: str
    who: str
    second: str

    def __post_init__(self) -> None:
        """Check it. Raises ValueError."""
        objection = _objection(self)
        if objection:
            raise ValueError(objection)


def _objection(it: Corrected) -> str:
    """Why this correction is invalid; "" if it is valid."""
    named = ", ".join(account.value for account in CORRECTABLE)
    if it.number < 1:
        return "a correction has a number, as the table has told it beforehand"
    if it.source not in CORRECTABLE or it.target not in CORRECTABLE:
        return f"only between {named}; pending and paid are what awards were"
    if it.source is it.target:
        return f"from {it.source.value} to itself"
    if not 0 < it.cents <= MOST_CENTS:
        return "an amount over 0.00 and under 1000000000.00"
    if not it.who or not it.second or it.who == it.second:
        return "two different people correct, each with a PIN"
    return _objection_to_reason(it.reason)


def _objection_to_reason(reason: str) -> str:
    if not reason.isprintable():
        return "the reason has a character that cannot be printed"
    if len(reason.strip()) < SHORTEST_REASON or len(reason) > LONGEST_REASON:
        return f"the reason has {SHORTEST_REASON} to {LONGEST_REASON} characters"
    return ""
