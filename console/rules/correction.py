"""A correction of the accounts: who, what, why, and what none may be (docs/ledger.md)."""

from dataclasses import dataclass

from jackpot.accounts import Account

CORRECTABLE = (Account.TRAY, Account.JACKPOT, Account.RESERVE, Account.HOUSE)
"""Pending and paid are what awards were: a wrong award is corrected beside it, not rewritten."""

MOST_CENTS = 99_999_999_999
"""999,999,999.99: what an amount on the line can say."""

SHORTEST_REASON, LONGEST_REASON = 10, 200
"""Characters."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """Two cashiers move `cents` from one account to another, for a reason.

    `number` counts the table's corrections, 1 first: it makes the identity, so that the same one
    sent twice moves nothing twice. Raises ValueError for what no correction may be.
    """

    number: int
    source: Account
    target: Account
    cents: int
    reason: str
    who: str
    second: str

    def __post_init__(self) -> None:
        """Refuse what no record may hold."""
        objection = _objection(self)
        if objection:
            raise ValueError(objection)


def _objection(it: Corrected) -> str:
    """Why there can be no such correction; "" where there can be."""
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
