"""From levels to counts: bounce, flicker, tokens that pass, and what lies there at the boot."""

from firmware_bridge.board.rail import SlotRail
from firmware_bridge.board.sensors import MaskDebouncer, RailSensors

LONGEST_DEBOUNCE_MS = 20
"""docs/reference/wire-protocol.md, "Timing"."""


def test_a_level_is_accepted_when_it_has_been_stable_for_the_settling_time() -> None:
    contacts = MaskDebouncer(0, 3, settle_ms=5)
    assert contacts.read(0b101, 100) == 0
    assert contacts.next_wake(100) == 105
    assert contacts.read(0b101, 104) == 0
    assert contacts.read(0b101, 105) == 0b101
    assert (contacts.level, contacts.next_wake(105)) == (0b101, None)
    assert contacts.read(0b101, 106) == 0, "it has risen once"


def test_each_contact_settles_by_itself() -> None:
    contacts = MaskDebouncer(0, 2, settle_ms=5)
    contacts.read(0b01, 0)
    contacts.read(0b11, 3)
    assert contacts.read(0b11, 5) == 0b01
    assert contacts.next_wake(5) == 8
    assert contacts.read(0b11, 8) == 0b10


def test_a_contact_that_chatters_is_not_accepted_until_it_is_quiet() -> None:
    contacts = MaskDebouncer(0, 1, settle_ms=5)
    for now in range(0, 100, 2):
        assert contacts.read(now // 2 & 1, now) == 0
    assert contacts.level == 0
    contacts.read(1, 100)
    assert contacts.read(1, 105) == 1


def test_a_late_reading_accepts_first_what_was_stable_before_it() -> None:
    contacts = MaskDebouncer(0, 1, settle_ms=5)
    contacts.read(1, 0)
    assert contacts.read(0, 50) == 1, "it saw something for 50 ms"
    assert contacts.read(0, 55) == 0
    assert contacts.level == 0


def test_a_seat_s_sensor_is_reported_within_20_ms() -> None:
    rail = SlotRail(1)
    sensors = RailSensors(rail, 0b1000000)
    assert rail.occupied == 0b1000000, "as it was at the boot"
    now = 0
    while rail.occupied != 0b1000001:
        sensors.read(0b1000001, now)
        now += 1
    assert now - 1 <= LONGEST_DEBOUNCE_MS
