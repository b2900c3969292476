"""The facts of a table on its sign: its ladder of prizes, limits, a token's price, blinds."""

from collections.abc import Iterable
from typing import Any

from console.web.messages import PagesOpening
from jackpot.money.amounts import format_cents
from jackpot.money.prizes import Prize

CASH = "cash"


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


def describe_facts(opening: PagesOpening) -> list[dict[str, Any]]:
    """Each with its name in `[limits]` of console/texts/pages/sign.toml, amounts as `12345.67`."""
    return [
        {"fact": fact, "amounts": amounts}
        for fact, amounts in (
            ("stake", [one for one in (opening.sign.lowest, opening.sign.highest) if one]),
            ("token", [opening.token] if opening.combinations else []),
            ("blinds", _blinds_of(opening)),
        )
        if amounts
    ]


def _blinds_of(opening: PagesOpening) -> list[str]:
    poker = opening.poker
    if poker is None or poker.form != CASH:
        return []
    return [f"{blind}.00" for blind in poker.blinds.split("/")]
