"""What a scenario can expect of a poker table (docs/reference/poker-rules.md, section 21)."""

from console.rules.codes import Phase
from console.rules.poker.declarations import share_of
from console.rules.poker.hand import blinds_of_next_hand, stub_of
from console.rules.poker.poker_outputs import round_up_seconds
from console.rules.poker.poker_shown import PokerSeen
from console.rules.poker.pots import parts_of
from console.rules.poker_clock import level_at
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState
from console.rules.state import TableState
from jackpot.money.accounts import Account
from jackpot.money.amounts import format_cents, to_cents


def see_poker(state: TableState, poker: PokerState, settings: PokerSettings, now: int) -> PokerSeen:
    """The facts at `now` (ms)."""
    hand, steps = poker.hand, settings.structure
    dealt, stub = stub_of(poker, settings.hole)
    level = level_at(steps, poker.clock.step) if poker.clock is not None else 0
    counting = state.phase is Phase.AWARDING and hand is not None
    return PokerSeen(
        hand=state.round,
        deal=hand.deal if hand is not None else 0,
        players=hand.players if hand is not None else poker.players,
        dealt=dealt,
        stub=stub,
        deck=hand.back.value if hand is not None and hand.back is not None else "unknown",
        change="due" if poker.change else "none",
        level=level,
        blinds=str(hand.blinds if hand else blinds_of_next_hand(poker, settings, now)),
        clock=_write_clock(poker, settings, now),
        time=_write_time(poker, now),
        street=hand.street.value if hand is not None and not hand.awaited else "none",
        pot=format_cents(sum(poker.pots[-1]) if counting else 0),
        rake=_write_parts(poker, settings),
        taken=format_cents(to_cents(state.balances.of(Account.RAKE))),
        dispute="open" if poker.last.disputed else "closed",
        share=str(share_of(poker, settings) or "none"),
    )


def _write_clock(poker: PokerState, settings: PokerSettings, now: int) -> str:
    if poker.clock is None:
        return "none"
    left = poker.clock.reckon_left(settings.structure, now)
    minutes, seconds = divmod(round_up_seconds(left), 60)
    return f"{minutes}:{seconds:02}"


def _write_time(poker: PokerState, now: int) -> str:
    call = poker.time_call
    if call is None:
        return "none"
    return str(round_up_seconds(max(0, call.until - now))) if call.until else "expired"


def _write_parts(poker: PokerState, settings: PokerSettings) -> str:
    if poker.hand is None:
        parts = poker.last.parts
    elif poker.pots:
        parts = parts_of(poker, settings, poker.hand.players)
    else:
        parts = None
    return "none" if parts is None else "+".join(map(str, parts))
