"""Transactions added up by their reason."""

from console.bordereau.money_totals import MoneyTotals
from jackpot.money.accounts import Account, Posting, Reason, Transaction
from jackpot.money.amounts import Units


def moving(reason: Reason, source: Account, target: Account, units: int) -> Transaction:
    postings = (Posting(source, Units(-units)), Posting(target, Units(units)))
    return Transaction(f"{reason.value} {units}", reason, postings)


def test_tokens_awards_and_what_each_account_gained() -> None:
    totals = MoneyTotals()
    for transaction in (
        moving(Reason.AWARD_FINAL, Account.PENDING, Account.PAID, 70),
        moving(Reason.STAKE, Account.TRAY, Account.JACKPOT, 200),
        moving(Reason.STAKE, Account.TRAY, Account.JACKPOT, 200),
        moving(Reason.TOKEN_RETURNED, Account.JACKPOT, Account.TRAY, 200),
        moving(Reason.AWARD_FINAL, Account.PENDING, Account.PAID, 30),
    ):
        totals = totals.after(transaction)
    assert (totals.tokens_taken, totals.tokens_returned, totals.tokens_left) == (2, 1, 1)
    assert (totals.awards, totals.paid) == (2, 100)
    assert totals.contribution(Account.JACKPOT) == 200
    assert totals.contribution(Account.TRAY) == -200
    assert totals.of(Reason.STAKE).of(Account.HOUSE) == 0
    assert [reason for reason, _ in totals.rows()] == [
        one for one in Reason if one in totals.by_reason
    ]


def test_nothing_moved() -> None:
    totals = MoneyTotals()
    assert (totals.tokens_left, totals.awards, totals.paid) == (0, 0, 0)
    assert list(totals.rows()) == []
