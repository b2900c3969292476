"""Dead lamps, from what shows behind each lamp that is dark."""

from firmware_bridge.board.lamps import ALL_LAMPS, DEAD_SETTLE_MS, LampCheck
from firmware_bridge.board.rail import SlotRail

LAMP_3 = 0b100


def show(check: LampCheck, lit: int, whole: int, begin_ms: int) -> int:
    """For as long as a check takes; when it ends."""
    for now in range(begin_ms, begin_ms + DEAD_SETTLE_MS + 1):
        check.read(lit, whole & ~lit, now)
    return begin_ms + DEAD_SETTLE_MS + 1


def test_a_lamp_whose_wire_shows_no_supply_while_it_is_dark_is_dead_until_it_does() -> None:
    rail = SlotRail(1)
    check = LampCheck(rail)
    now = show(check, 0, ALL_LAMPS, 0)
    assert rail.dead_lamps == 0
    now = show(check, 0, ALL_LAMPS & ~LAMP_3, now)
    assert rail.dead_lamps == LAMP_3
    now = show(check, LAMP_3, ALL_LAMPS & ~LAMP_3, now)
    assert rail.dead_lamps == LAMP_3, "it stays dead while it should be lit"
    now = show(check, LAMP_3, ALL_LAMPS, now)
    show(check, 0, ALL_LAMPS, now)
    assert rail.dead_lamps == 0


def test_a_lamp_that_is_lit_is_not_taken_for_dead() -> None:
    rail = SlotRail(1)
    check = LampCheck(rail)
    now = 0
    for lit in (ALL_LAMPS, 0, LAMP_3, 0b1010101):
        now = show(check, lit, ALL_LAMPS, now)
        assert rail.dead_lamps == 0


def test_a_wire_that_has_just_changed_is_not_believed() -> None:
    rail = SlotRail(1)
    check = LampCheck(rail)
    for now in range(10 * DEAD_SETTLE_MS):
        check.read(0, ALL_LAMPS if now % DEAD_SETTLE_MS else 0, now)
    assert rail.dead_lamps == 0
