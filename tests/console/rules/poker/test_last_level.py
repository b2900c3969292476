"""The last level's clock: at 00:00 nothing is due any more."""

import pytest

from console.rules.acts import Adopted, Elapsed
from console.rules.game_modules import advance, next_deadline
from console.rules.poker_acts import ClockSet, ClockSwitched
from console.rules.poker_settings import Form, PokerHouse
from console.rules.settings import Settings
from console.rules.state import TableState
from jackpot.money.settings import MoneySettings
from tests.console.rules.poker.test_random_hands import rules_at
from tests.soak.poker_books import poker_in

LAST = 3


@pytest.mark.parametrize("left_s", [1, 9, 10, 11, 25])
def test_its_end_is_due_once(left_s: int) -> None:
    """POKER 16.4"""
    rules = rules_at(PokerHouse.SANREMO, Form.TOURNAMENT)
    settings = Settings("poker-1", "texas-holdem", None, MoneySettings(), poker=rules.poker)
    state = advance(TableState(), Adopted(settings), rules, 0).state
    state = advance(state, ClockSet(LAST, left_s * 1000, "rossi"), rules, 0).state
    state = advance(state, ClockSwitched(True, "rossi"), rules, 0).state
    looked_at: list[int] = []
    while (due := next_deadline(state, rules)) is not None:
        assert not looked_at or due > looked_at[-1]
        looked_at.append(due)
        state = advance(state, Elapsed(), rules, due).state
    assert looked_at[-1] == left_s * 1000
    poker = poker_in(state)
    assert poker is not None
    assert poker.clock is not None
    assert (poker.clock.left_ms, poker.clock.running) == (0, True)
