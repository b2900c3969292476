"""What must hold of a deck shuffler's green button: each press counts once, with its deck.

docs/reference/poker-rules.md, sections 14 and 17; docs/reference/deck-shuffler-protocol.md.
"""

from collections import Counter
from typing import Any

import msgspec

from console.rules.codes import Fault
from console.rules.poker_settings import CARDS
from console.rules.poker_state import PokerState
from console.rules.state import TableState
from devices.card_reports import Back, DeckState
from jackpot.ledger.journal import Record

Decision = dict[str, Any]

TOLD = ("green-pressed", "green-too-late")
DEALS = ("hand-begun", "dealt")


class DeckBooks:
    """The presses and decks of one table, counted from its records into `counts`.

    Checks raise AssertionError.
    """

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self._presses = 0

    def count(self, record: Record, before: TableState, state: TableState) -> None:
        """One record more: what GREEN did, and the deck of the hand in play."""
        decisions = msgspec.convert(record.body.get("decisions", ()), list[Decision])
        presses = [one for one in decisions if one["decision"] in TOLD]
        for one in presses:
            self._presses += one["presses"]
            self._counts["green presses"] += one["presses"]
        deals = [one for one in decisions if one["decision"] in DEALS]
        if presses:
            self._has_one_effect(record, presses[-1], len(deals))
        self._is_latched(record, before, state, deals)

    def _has_one_effect(self, record: Record, press: Decision, deals: int) -> None:
        """A press that is heard begins or deals one hand, or is refused and does neither."""
        granted = record.body.get("refusal") is None and press["decision"] == "green-pressed"
        assert deals == int(granted), f"{record} deals {deals} times"
        self._counts["green granted"] += granted

    @staticmethod
    def _is_latched(
        record: Record, before: TableState, state: TableState, deals: list[Decision]
    ) -> None:
        """The deck of a deal is one that was ready then, and it stays that of the deal."""
        was, now = _deal_in(before), _deal_in(state)
        if deals:
            back = now[2]
            assert (back and back.value) == deals[0]["deck"]
            seen = state.deck.seen
            if back is not None:
                assert record.kind == "shuffler", "only GREEN brings a deck"
                assert seen is not None
                ready = seen.preparing is DeckState.READY and seen.counted == CARDS
                assert back in (seen.playing_back, seen.prepared_back if ready else None)
        elif was[:2] == now[:2] and now[2] is not None:
            assert was[2] is now[2], f"{record} exchanges the deck"

    def add_up(self, state: TableState) -> None:
        """Each press that the journal has seen has been told in it, once."""
        assert self._presses == _presses_in(state)

    @staticmethod
    def has_heard(state: TableState, machine: int) -> bool:
        """Whether the table knows of all presses at the machine."""
        return _presses_in(state) == machine

    @staticmethod
    def is_heard(state: TableState, machine: int) -> None:
        """A machine that is connected has told all its presses."""
        if Fault.SHUFFLER_LOST not in state.faults:
            assert _presses_in(state) == machine


def _presses_in(state: TableState) -> int:
    seen = state.deck.seen
    return seen.presses if seen is not None and isinstance(seen.presses, int) else 0


def _deal_in(state: TableState) -> tuple[int, int, Back | None]:
    """The hand, its deal, and the deck; (0, 0, None) between hands."""
    poker = state.poker
    if not isinstance(poker, PokerState) or poker.hand is None:
        return 0, 0, None
    return state.round, poker.hand.deal, poker.hand.back
