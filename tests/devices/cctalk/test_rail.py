"""A ccTalk rail: what is credited, what is returned, and who the acceptors are."""

from collections.abc import Iterator

import pytest

from devices.cctalk.rail import boards_of
from devices.device import Device
from devices.roles import DeviceLost
from tests.devices.cctalk.simulated_rail import CLOSED, OPEN, CcTalkTable, credits


@pytest.fixture
def table() -> Iterator[CcTalkTable]:
    table = CcTalkTable()
    yield table
    table.close()


# Taken, and returned


def test_a_token_is_swallowed_and_credited_within_50_ms(table: CcTalkTable) -> None:
    table.start()
    table.put(3, 3, 7)
    assert table.drops == credits(seat3=2, seat7=1)
    assert table.cabinet.tray_count == 3


def test_a_closed_rail_returns_tokens(table: CcTalkTable) -> None:
    table.start(orders=CLOSED)
    table.put(3)
    assert (table.drops, table.cabinet.tray_count) == (credits(), 0)


def test_it_opens_and_closes_within_50_ms(table: CcTalkTable) -> None:
    rail = table.start(orders=CLOSED)
    rail.show(OPEN)
    table.run()
    table.put(*range(1, 8))
    rail.show(CLOSED)
    table.run()
    table.put(*range(1, 8))
    assert (table.drops, table.cabinet.tray_count) == ((1,) * 7, 7)


def test_a_token_credited_late_is_found_by_the_next_poll(table: CcTalkTable) -> None:
    table.start()
    table.acceptor(2).note(1, 1)
    table.run(0.2)
    assert table.drops == credits(seat2=1)


def test_a_blocked_acceptor_says_so_and_takes_nothing(
    table: CcTalkTable, caplog: pytest.LogCaptureFixture
) -> None:
    table.start()
    table.cabinet.rail.jam(4, True)
    table.run(0.2)
    table.put(4)
    assert "seat 4: sensor blocked" in caplog.text
    assert (table.drops, table.cabinet.tray_count) == (credits(), 0)
    table.cabinet.rail.jam(4, False)
    table.put(4)
    assert table.drops == credits(seat4=1)


def test_a_coin_that_is_no_token_is_not_counted_as_one(table: CcTalkTable) -> None:
    table.start()
    table.acceptor(5).note(2, 1)
    table.run(0.2)
    assert (table.drops, table.rail_seen.credits_lost) == (credits(), 1)


# The counter


def test_five_at_once_are_five(table: CcTalkTable) -> None:
    table.start()
    for _ in range(5):
        table.acceptor(1).note(1, 1)
    table.run(0.2)
    assert (table.drops, table.rail_seen.credits_lost) == (credits(seat1=5), 0)


def test_six_at_once_are_unknown_and_never_five(table: CcTalkTable) -> None:
    table.start()
    for _ in range(6):
        table.acceptor(1).note(1, 1)
    table.run(0.2)
    assert (table.drops, table.rail_seen.credits_lost) == (credits(), 1)
    table.put(1)
    assert (table.drops, table.rail_seen.credits_lost) == (credits(seat1=1), 1)


def test_a_thousand_tokens_are_a_thousand(table: CcTalkTable) -> None:
    table.start()
    table.put(*[6] * 1000)
    assert (table.drops, table.rail_seen.credits_lost) == (credits(seat6=1000), 0)


def test_one_reset_while_it_may_take_tokens_is_unknown_and_opened_again(
    table: CcTalkTable,
) -> None:
    table.start()
    table.put(2)
    table.physics.reset(2)
    table.run(0.6)
    assert (table.drops, table.rail_seen.credits_lost) == (credits(seat2=1), 1)
    table.put(2)
    assert table.drops == credits(seat2=2)
    assert not table.events_of(DeviceLost)


def test_one_reset_while_it_was_closed_has_lost_nothing(table: CcTalkTable) -> None:
    rail = table.start()
    table.put(2)
    rail.show(CLOSED)
    table.run(0.5)
    table.physics.reset(2)
    table.run(0.6)
    rail.show(OPEN)
    table.run()
    table.put(2)
    assert (table.drops, table.rail_seen.credits_lost) == (credits(seat2=2), 0)


def test_one_reset_that_has_reached_its_old_counter_is_seen(table: CcTalkTable) -> None:
    table.start()
    table.put(2)
    table.physics.reset(2)
    table.acceptor(2).note(0, 40)
    table.run(0.6)
    table.put(2)
    assert (table.drops, table.rail_seen.credits_lost) == (credits(seat2=2), 1)


def test_one_reset_that_leaves_no_trace_is_opened_with_the_next_round(table: CcTalkTable) -> None:
    rail = table.start()
    table.physics.reset(2)
    table.run(0.6)
    rail.show(CLOSED)
    table.run()
    rail.show(OPEN)
    table.run()
    table.put(2)
    assert table.drops == credits(seat2=1)


# Who it is


def test_it_says_who_answers_so_that_it_can_be_enrolled(table: CcTalkTable) -> None:
    rail = table.start()
    acceptors = boards_of(None, rail.acceptors)
    assert [one.serial for one in acceptors] == [str(number) for number in range(1001, 1008)]
    assert rail.acceptors[0].identity.manufacturer == "SIM"
    assert rail.acceptors[0].identity.product == "TOKEN"


def test_the_enrolled_are_no_change(table: CcTalkTable) -> None:
    table.start((1001, 1002, 1003, 1004, 1005, 1006, 1007))
    table.put(2)
    assert (table.rail_seen.changed, table.drops) == (frozenset(), credits(seat2=1))


def test_another_than_the_enrolled_is_told_and_stays_closed(table: CcTalkTable) -> None:
    table.start((1001, 5555, None, None, None, None, None))
    assert table.is_up(Device.RAIL)
    assert table.rail_seen.changed == frozenset((2,))
    table.put(2, 3)
    table.run(2)
    assert (table.drops, table.cabinet.tray_count) == (credits(seat3=1), 1)


def test_one_changed_while_it_has_no_power_is_found_out(table: CcTalkTable) -> None:
    table.start((1001, 1002, 1003, 1004, 1005, 1006, 1007))
    table.put(6, 6)
    table.physics.reset(6)
    table.acceptor(6).serial = 666
    table.run(1)
    assert table.rail_seen.changed == frozenset((6,))
    table.put(6)
    assert (table.drops, table.cabinet.tray_count) == (credits(seat6=2), 2)
    table.physics.reset(6)
    table.acceptor(6).serial = 1006
    table.run(1)
    assert table.rail_seen.changed == frozenset()
    table.put(6)
    assert table.drops == credits(seat6=3)
