"""What people must see of a table, and how one that was killed must come back (rules 2 and 7)."""

from typing import Any

from console.rules.codes import LOST, Fault, Phase
from console.rules.observation import format_accounts
from console.rules.state import TableState
from console.rules.structs import replace
from devices.roles import NO_COUNTS, SEATS
from jackpot.money import movements
from jackpot.money.amounts import format_cents
from jackpot.money.settings import MoneySettings
from tests.console.running_table import Seen

MONEY = MoneySettings()


def look_of(state: TableState) -> Seen:
    """What people must see of a table in this state."""
    seats, award = state.seats, state.award
    playing = seats.accepted - seats.void
    in_round = state.shown_phase not in (Phase.PAUSED, Phase.BETTING, Phase.SERVICE)
    return {
        "phase": state.shown_phase.value,
        "slots": _slots_of(state),
        "seats": {
            str(seat): "ALERT" if seat in seats.changed else "ON"
            for seat in sorted(playing if in_round else ())
        },
        "lamps": [state.choice] if state.choice else [],
        "award": award
        and {
            "combination": award.combination,
            "winners": award.winners,
            "each": format_cents(award.each),
        },
        "faults": {fault.value for fault in state.faults},
        **format_accounts(state.balances),
    }


def _slots_of(state: TableState) -> dict[str, str]:
    if state.shown_phase in (Phase.PAUSED, Phase.SERVICE):
        return {}
    seats = state.seats
    betting = state.phase is Phase.BETTING
    lamps = dict.fromkeys(SEATS, "INVITE") if betting else {}
    lit = seats.occupied if betting else (seats.accepted - seats.void) | seats.collecting
    lamps |= dict.fromkeys(lit, "ON")
    lamps |= dict.fromkeys(seats.stuck | seats.reminded, "ALERT")
    return {str(seat): lamp for seat, lamp in sorted(lamps.items())}


def after_restart(dead: TableState, cabinet: dict[str, Any]) -> TableState:
    """How a table killed in this state must come back, with the cabinet as it then is.

    Its devices are there: what a starved processor took for a lost one has cleared itself.
    """
    if dead.settings is None:
        dead = replace(dead, balances=dead.balances.after(movements.opening(MONEY)))
    lies = frozenset(cabinet["tokens"]) | frozenset(cabinet["cards"])
    seats = dead.seats
    counted = dead.rail.seen.drops if dead.rail.seen else NO_COUNTS
    fallen = {seat for seat in seats.awaited if cabinet["drops"][seat - 1] != counted[seat - 1]}
    waiting = seats.awaited - fallen
    balances = dead.balances
    for seat in fallen:
        balances = balances.after(movements.stake(MONEY, f"seat-{seat}"))
    faults = set(dead.faults) - {Fault.TOKEN_STUCK, *LOST.values()}
    if waiting & lies or (waiting and Fault.TOKEN_STUCK in dead.faults):
        faults.add(Fault.TOKEN_STUCK)
    return replace(
        dead,
        phase=Phase.PLAYING if dead.phase is Phase.COLLECTING and not waiting else dead.phase,
        seats=replace(
            seats,
            occupied=lies,
            accepted=seats.accepted | fallen,
            collecting=frozenset(),
            stuck=waiting,
            reminded=seats.reminded & lies,
        ),
        balances=balances,
        faults=tuple(faults),
    )
