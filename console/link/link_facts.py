"""What the link knows of the centre, for people who look after the table."""

from console.rules.link_orders import LinkOrders
from console.rules.link_state import OwnAward
from jackpot.money.amounts import format_cents


def describe_orders(orders: LinkOrders | None) -> dict[str, str]:
    """How many calls wait, and the last that was answered; the jackpot, and the own award."""
    if orders is None:
        return {}
    facts = {"calls waiting": str(len(orders.calls)), "last answered": str(orders.answered)}
    if orders.reading is not None:
        facts["jackpot"] = format_cents(orders.reading)
    if orders.award is not None:
        facts |= _describe_award(orders.award)
    return facts


def _describe_award(award: OwnAward) -> dict[str, str]:
    about = {"award": f"{award.combination.value} x {award.winners}"}
    if award.centre is None:
        return {**about, "each": "asked"}
    return {**about, "each": format_cents(award.centre.each), "awaited": str(award.centre.awaited)}
