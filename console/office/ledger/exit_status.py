"""The exit statuses of the ledger commands, and balances as they print them."""

from jackpot.money.accounts import Balances
from jackpot.money.amounts import Units, format_cents, to_cents

IN_ORDER, FAILED, UNUSABLE = 0, 1, 2
"""The ledger is in order; it is not; it cannot be read."""


def print_balances(balances: Balances) -> None:
    """Print every account, in whole cents and in units."""
    for name, units in balances.to_dict().items():
        print(f"{name:8} {format_cents(to_cents(Units(units))):>16}  ({units} units)")
