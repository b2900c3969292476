"""The facts of a table on its sign: its ladder of prizes, limits, a token's price, blinds."""

from collections.abc import Iterable
from typing import Any

from console.configuration.sign_section import SignSection
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


def describe_house(sign: SignSection) -> dict[str, Any]:
    """What the house has on its sign, as far as its page is not written with it already."""
    return {
        "symbol": sign.currency,
        "languages": sign.languages,
        "messages": sign.messages,
        "sound": sign.sound,
    }


def describe_stakes(sign: SignSection) -> list[dict[str, Any]]:
    """A player's lowest and highest stake, where the house says them."""
    amounts = [one for one in (sign.lowest, sign.highest) if one]
    return [{"fact": "stake", "amounts": amounts}] if amounts else []


def describe_facts(opening: PagesOpening) -> list[dict[str, Any]]:
    """Each with its name in `[limits]` of console/texts/pages/sign.toml, amounts as `12345.67`."""
    own = [
        {"fact": fact, "amounts": amounts}
        for fact, amounts in (
            ("token", [opening.token] if opening.combinations else []),
            ("blinds", _blinds_of(opening)),
        )
        if amounts
    ]
    return [*describe_stakes(opening.sign), *own, *_rake_of(opening)]


def _rake_of(opening: PagesOpening) -> list[dict[str, Any]]:
    """A cash table's rake: its share in basis points, and the most that is taken."""
    rake = opening.poker.rake if opening.poker is not None else None
    return [] if rake is None else [{"fact": "rake", "amounts": [rake.most], "share": rake.share}]


def _blinds_of(opening: PagesOpening) -> list[str]:
    poker = opening.poker
    if poker is None or poker.form != CASH:
        return []
    return [f"{blind}.00" for blind in poker.blinds.split("/")]
