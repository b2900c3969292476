"""The exit statuses of the readings, and balances as they print them."""

from jackpot.accounts import Balances
from jackpot.amounts import Units, format_cents, to_cents

IN_ORDER, FAILED, UNUSABLE = 0, 1, 2
"""In order; not in order; it cannot be read."""


class NotAsked(ValueError):
    """What was asked for cannot be; the text says what can."""


def print_balances(balances: Balances) -> None:
    """Every account: whole cents, and units."""
    for name, units in balances.to_dict().items():
        print(f"{name:8} {format_cents(to_cents(Units(units))):>16}  ({units} units)")
