"""What of a call fits the terms: no table's word is believed.

docs/reference/link-rules.md, 2.4.
"""

import re

from console.rules.link import Deliver, Terms
from console.rules.structs import replace
from console.simulation.centre.books import MemberRow
from jackpot.money import movements
from jackpot.money.accounts import Transaction
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
