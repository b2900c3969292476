"""The ladder of prizes on a sign: what each combination pays."""

from collections.abc import Iterable
from typing import Any

from jackpot.money.amounts import format_cents
from jackpot.money.prizes import Prize


def describe_ladder(prizes: Iterable[Prize]) -> list[dict[str, Any]]:
    """A rung for each prize; what it pays now the page reckons, as the amount it shows creeps.

    Amounts are written `12345.67`; a `share` is in basis points. `always`: whatever the jackpot
    has. Not which key it needs.
    """
    return [
        {
            "combination": prize.combination,
            "share": prize.share,
            "amount": format_cents(prize.amount),
            "always": prize.by_house,
            "envy": format_cents(prize.envy) if prize.envy else None,
        }
        for prize in prizes
    ]
