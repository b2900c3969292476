"""The legends of the lit buttons that count at the moment (docs/poker-rules.md, section 13)."""

from console.rules.codes import Phase
from console.rules.poker.state import PokerState
from console.rules.state import Rules, TableState

BETWEEN_HANDS = ("HAND", "FEWER", "MORE", "DEALER", "DECK")
IN_HAND = ("HAND", "FLOP", "TURN", "RIVER", "TIME")
DEAL_AWAITED = (*IN_HAND[:-1], "DECK")
COUNTING = ("CHIP_1", "CHIP_2", "CHIP_3", "CHIP_4", "CHIP_5")


def legends(state: TableState, _rules: Rules) -> tuple[str, ...]:
    """From the left; while the table is closed or in service, those of its phase."""
    if state.phase is Phase.AWARDING:
        return COUNTING
    if state.phase is not Phase.PLAYING:
        return BETWEEN_HANDS
    hand = state.poker.hand if isinstance(state.poker, PokerState) else None
    return DEAL_AWAITED if hand is not None and hand.awaited else IN_HAND
