"""The facts of a table on its sign: a player's limits, a token's price, a cash table's blinds."""

from typing import Any

from console.web.messages import PagesOpening

CASH = "cash"


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
