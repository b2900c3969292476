"""What the page of the tournament jackpots is shown (docs/link-rules.md, section 6)."""

from typing import Any

from console.configuration.room_file import RoomConfiguration
from console.link.centre.tournament import TournamentJackpot
from console.room.clock_messages import describe_shared_clock
from console.room.describe import DASHES_AFTER_S
from console.room.room_state import RoomState
from jackpot.amounts import format_cents, format_percent


def describe_tournaments(state: RoomState, room: RoomConfiguration, now: float) -> dict[str, Any]:
    """All tournament jackpots, and the clocks; no amount and no time where it is not known.

    Not who has won.
    """
    known = state.is_known(now, DASHES_AFTER_S)
    found = state.room.tournaments if state.room is not None else ()
    return {
        "kind": "tournaments",
        "language": room.language.value,
        "simulated": room.simulated,
        "clocks": [describe_shared_clock(state, clock, now) for clock in room.clocks],
        "jackpots": [_describe_jackpot(one, known=known) for one in found],
    }


def _describe_jackpot(jackpot: TournamentJackpot, *, known: bool) -> dict[str, Any]:
    win = jackpot.win
    return {
        "jackpot": jackpot.jackpot,
        "amount": format_cents(jackpot.amount) if known else None,
        "fee": format_cents(jackpot.fee),
        "day": jackpot.day,
        "fees": jackpot.fees,
        "win": win and {"tournament": win.tournament, "amount": format_cents(win.amount)},
        "tournaments": [
            {
                "tournament": one.tournament,
                "level": one.level,
                "share": format_percent(one.share),
                "fees": one.fees,
            }
            for one in jackpot.tournaments
        ],
    }
