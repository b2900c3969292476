"""The exit statuses of the ledger commands; balances and problems as they print them."""

import sys
from collections.abc import Iterable

from console.service.supervision.process_end import fit_terminal
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Units, format_cents, to_cents

IN_ORDER, FAILED, UNUSABLE = 0, 1, 2
"""The ledger is in order; it is not; it cannot be read."""


def print_balances(balances: Balances) -> None:
    """Print every account, in whole cents and in units."""
    for name, units in balances.to_dict().items():
        print(f"{name:8} {format_cents(to_cents(Units(units))):>16}  ({units} units)")


def print_problems(problems: Iterable[str]) -> None:
    """Print what is not in order, a line each; on a terminal the first ones."""
    text = "\n".join(f"NOT IN ORDER: {problem}" for problem in problems)
    print(fit_terminal(text, sys.stdout))
