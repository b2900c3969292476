"""What a linked table pays itself of a prize file (docs/reference/prizes.md, 2.16 to 2.18).

It is the house's money: the centre is not asked for it, and has no movement of these names.
"""

from collections.abc import Iterator

from jackpot.money.accounts import Account, Transaction
from jackpot.money.prizes import PrizeTable

HOUSE = "house-"
"""An award wholly from the house: TABLE/round-R/award-K/house-pending, and so on."""

ENVY = "envy-"
"""The envy that the house pays for an award of the jackpot: TABLE/round-R/award-K/envy-pending."""

OWN_ACCOUNTS = frozenset({Account.HOUSE, Account.PENDING, Account.PAID})


def is_paid_by_table(one: Transaction) -> bool:
    """Whether the table pays it itself: by its name, and by the accounts that it moves."""
    named = _name_of(one.identity).startswith((HOUSE, ENVY))
    return named and all(posting.account in OWN_ACCOUNTS for posting in one.postings)


def is_envy(identity: str) -> bool:
    """Whether it is the envy of an award that has a transaction of its own."""
    return _name_of(identity).startswith(ENVY)


def _name_of(identity: str) -> str:
    return identity.rpartition("/")[2]


def find_unlinked_envy(prizes: PrizeTable) -> Iterator[str]:
    """The combinations whose envy the centre does not divide.

    The highest share may be won at several tables, whose envy could not all be from one rest.
    """
    highest = max((prize.share for prize in prizes.prizes), default=0)
    for prize in prizes.prizes:
        if prize.envy and not prize.by_house and 0 < prize.share == highest:
            yield prize.combination
