"""The board's time, and which lamps are lit in it."""

from itertools import pairwise

import pytest

from firmware_bridge.board.clock import TickClock
from firmware_bridge.board.lamps import ALERT, DARK, INVITE, ON, lit_lamps

PERIOD = 1 << 30


def test_the_time_goes_on_where_the_chip_s_counter_wraps() -> None:
    clock = TickClock(PERIOD - 5, PERIOD)
    assert [clock.read(ticks % PERIOD) for ticks in range(PERIOD - 5, PERIOD + 5)] == [*range(10)]
    assert clock.read(PERIOD - 1) == PERIOD + 4
    assert clock.read(4) == PERIOD + 9, "it never wraps itself"


def lit_ms(order: int, begin: int, end: int) -> int:
    return sum(lit_lamps(order << 6, now) == 0b1000 for now in range(begin, end))


@pytest.mark.parametrize(("order", "lit"), [(DARK, 0), (INVITE, 2048), (ON, 4096), (ALERT, 2048)])
def test_a_lamp_is_lit_for_its_share_of_the_time(order: int, lit: int) -> None:
    assert lit_ms(order, 0, 4096) == lit


def test_an_invitation_pulses_slowly_and_an_alert_blinks_fast() -> None:
    def changes(order: int) -> int:
        levels = [lit_lamps(order, now) for now in range(4096 + 1)]
        return sum(one != other for one, other in pairwise(levels))

    assert changes(INVITE) == 4
    assert changes(ALERT) == 32
