"""The table as a person at it sees it and as the ledger has it, at one instant."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from console.codes import Fault, Phase, Refusal
from devices.roles import Lamp
from jackpot.accounts import Balances
from jackpot.amounts import Units, format_cents, to_cents
from jackpot.awards import Award

SHOWN_ACCOUNTS = ("jackpot", "reserve", "house", "pending", "paid")


@dataclass(frozen=True, slots=True)
class Observation:
    """`slots` and `seats`: the lamps that are not dark. `lamps`: lit combinations.

    `accounts`: whole cents, rounded towards minus infinity, written `12345.67`.
    """

    phase: Phase
    slots: Mapping[int, Lamp]
    seats: Mapping[int, Lamp]
    lamps: tuple[str, ...]
    display: tuple[str, str]
    accounts: Mapping[str, str]
    award: Award | None
    faults: tuple[Fault, ...]
    refused: Refusal | None

    def to_json(self) -> dict[str, Any]:
        """The fields of `banco play --json`."""
        return {
            "phase": self.phase.value,
            "slots": {str(seat): lamp.value for seat, lamp in sorted(self.slots.items())},
            "seats": {str(seat): lamp.value for seat, lamp in sorted(self.seats.items())},
            "lamps": list(self.lamps),
            "display": list(self.display),
            **self.accounts,
            "award": _award_json(self.award),
            "faults": [fault.value for fault in self.faults],
            "refused": self.refused.value if self.refused else None,
        }


def accounts_shown(balances: Balances) -> dict[str, str]:
    """Each account's whole cents."""
    return {name: format_cents(to_cents(Units(getattr(balances, name)))) for name in SHOWN_ACCOUNTS}


def _award_json(award: Award | None) -> dict[str, Any] | None:
    if award is None:
        return None
    return {
        "combination": award.combination.value,
        "winners": award.winners,
        "each": format_cents(award.each),
    }
