"""A slot rail's gates, counters and tray, through the board's firmware and its session."""

from collections.abc import Iterator

import pytest

from devices.board_device import BOARD_NUMBERS
from devices.board_rail import BoardRail
from devices.device import Device
from devices.roles import Lamp, RailOrders, RailSeen
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.board_session.rail_messages import RailState
from tests.devices.table import Table

BOOT = 1
"""A new cabinet's board has booted once."""


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table("slot")
    yield table
    table.close()


def orders(turn: int, *seats: int, boot: int | None = BOOT) -> RailOrders:
    return RailOrders(gates=frozenset(seats), turn=turn, boot=boot)


def drops(*seats: int) -> tuple[int, ...]:
    return tuple(int(seat in seats) for seat in range(1, 8))


def test_tokens_drop_and_are_counted_within_50_ms(table: Table) -> None:
    rail = table.start_rail()
    table.cabinet.rail.put_token(1)
    table.cabinet.rail.put_token(3)
    table.run()
    rail.show(orders(1, 1, 3))
    table.run(0.05)
    seen = table.rail_seen
    assert (seen.drops, seen.tray, seen.occupied) == (drops(1, 3), 2, frozenset())
    assert table.cabinet.tray_count == 2
    assert table.cabinet.open_gates() == frozenset()


def test_a_jammed_token_lies_there_and_drops_when_it_is_free(table: Table) -> None:
    rail = table.start_rail()
    table.cabinet.rail.put_token(2)
    table.cabinet.rail.jam(2, True)
    rail.show(orders(1, 2))
    table.run(1)
    assert table.rail_seen.occupied == frozenset((2,))
    table.cabinet.rail.jam(2, False)
    table.run(0.05)
    assert table.rail_seen.drops == drops(2)


def test_a_gate_closes_after_2_s_and_opens_again_with_the_next_turn(table: Table) -> None:
    rail = table.start_rail()
    table.cabinet.rail.jam(2, True)
    table.cabinet.rail.put_token(2)
    rail.show(orders(1, 2))
    table.run(2.1)
    table.cabinet.rail.jam(2, False)
    table.run(1)
    assert table.rail_seen.drops == drops()
    rail.show(orders(2, 2))
    table.run()
    assert table.rail_seen.drops == drops(2)


def test_a_token_put_in_over_an_open_gate_drops_through(table: Table) -> None:
    rail = table.start_rail()
    rail.show(orders(1, 4))
    table.run()
    table.cabinet.rail.put_token(4)
    table.run()
    assert table.rail_seen.drops == drops(4)


def test_a_gate_that_opens_and_closes_is_no_news(table: Table) -> None:
    rail = table.start_rail()
    before = len(table.events)
    rail.show(orders(1, 4))
    table.run(3)
    assert len(table.events) == before


def test_a_token_snatched_from_the_opening_gate_is_not_counted(table: Table) -> None:
    rail = table.start_rail()
    table.cabinet.rail.put_token(4)
    rail.show(orders(1, 4))
    table.run(0.005)
    table.cabinet.rail.take_token(4)
    table.run()
    assert (table.rail_seen.drops, table.cabinet.tray_count) == (drops(), 0)


def test_power_off_closes_the_gates_and_the_token_stays(table: Table) -> None:
    rail = table.start_rail()
    table.cabinet.rail.put_token(4)
    rail.show(orders(1, 4))
    table.run(0.005)
    table.cabinet.cut_power()
    table.run(1)
    assert table.cabinet.tray_count == 0
    assert table.cabinet.state.tokens == {4}


def test_after_a_reboot_no_gate_opens_for_the_old_turn(table: Table) -> None:
    """The board no longer knows what it has served (docs/reference/rules.md, section 2)."""
    rail = table.start_rail()
    rail.show(orders(9, 1))
    table.run()
    table.cabinet.rail.put_token(2)
    reboot(table)
    assert table.cabinet.open_gates() == frozenset()
    rail.show(orders(9, 1, 2))
    table.run(1)
    assert table.cabinet.open_gates() == frozenset()
    assert table.rail_seen.drops == drops()
    rail.show(orders(10, 2, boot=table.rail_seen.boot))
    table.run()
    assert table.rail_seen.drops == drops(2)


def test_a_turn_ordered_before_the_board_is_known_opens_nothing(table: Table) -> None:
    table.cabinet.unplug(Device.RAIL)
    rail = table.start_rail()
    rail.show(orders(9, 1, boot=None))
    table.cabinet.plug(Device.RAIL)
    table.run(1)
    assert table.is_up(Device.RAIL)
    assert table.cabinet.open_gates() == frozenset()


def test_a_turn_that_the_board_served_for_another_ledger_is_told(table: Table) -> None:
    table.cabinet.state.served = (5, 0, 5, 0, 0, 0, 0)
    table.cabinet.rail._wake_board()
    rail = table.start_rail()
    for seat in (1, 2):
        table.cabinet.rail.put_token(seat)
    rail.show(orders(5, 1, 2))
    table.run()
    assert (table.rail_seen.drops, table.rail_seen.served) == (drops(2), 5)
    rail.show(orders(6, 1))
    table.run()
    assert (table.rail_seen.drops, table.rail_seen.served) == (drops(1, 2), 0)


def test_a_turn_of_ours_is_never_told_as_served(table: Table) -> None:
    """Whatever closes a gate: a token, two seconds, a cable, a lamp that changes meanwhile."""
    rail = table.start_rail()
    table.cabinet.rail.jam(2, True)
    for seat in (1, 2):
        table.cabinet.rail.put_token(seat)
    rail.show(orders(1, 1, 2))
    table.run(1)
    table.cabinet.unplug(Device.RAIL)
    table.run(0.3)
    table.cabinet.plug(Device.RAIL)
    table.run(1)
    rail.show(RailOrders((Lamp.ALERT,) * 7, frozenset((2,)), 1, boot=BOOT))
    table.run(3)
    rail.show(orders(2, 2))
    table.run(3)
    rail.show(orders(3, 1, 2))
    table.run(3)
    assert {seen.served for seen in table.events_of(RailSeen)} == {0}


def reboot(table: Table) -> None:
    """The rail's board loses its power for a moment; its cable and its host do not."""
    rail = table.cabinet.rail
    rail.power(False)
    rail.power(True)
    table.run()


def test_counters_that_run_backwards_are_another_boot(table: Table) -> None:
    rail = BoardRail(table.loop, table.cabinet.rail.cable.line(), BoardKind.SLOT_RAIL)
    rail.start(table.events.append)
    rail.board_state(7, RailState(drops=(3,) * 7, tray=21))
    rail.board_state(7, RailState(drops=(2,) * 7, tray=21))
    rail.board_state(7, RailState(drops=(2,) * 7, tray=22))
    assert [seen.boot for seen in table.events_of(RailSeen)] == [
        7,
        7 + BOARD_NUMBERS,
        7 + BOARD_NUMBERS,
    ]


def test_counters_that_run_over_are_the_same_boot(table: Table) -> None:
    rail = BoardRail(table.loop, table.cabinet.rail.cable.line(), BoardKind.SLOT_RAIL)
    rail.start(table.events.append)
    rail.board_state(7, RailState(drops=(65535,) * 7, tray=65535))
    rail.board_state(7, RailState(drops=(0,) * 7, tray=2))
    assert [seen.boot for seen in table.events_of(RailSeen)] == [7, 7]
