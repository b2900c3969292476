"""Gates driven by hand: how long they are open, and what becomes of a token that falls."""

from pathlib import Path

from console.rules.acts import Elapsed
from console.rules.codes import Fault
from console.rules.round.card_outputs import rail_orders
from console.rules.round.tokens import STUCK_AFTER_MS
from console.rules.structs import replace
from devices.device import Device
from devices.roles import SEATS, DeviceLost, RailSeen
from tests.console.rules.round.driven_outputs import SHOWN, drive, drive_outputs, gates, in_service
from tests.console.table import table_in

# Gates


def test_gates_close_after_two_seconds() -> None:
    pure_table = in_service()
    drive_outputs(pure_table, replace(SHOWN, gates=frozenset({2, 5})))
    assert rail_orders(pure_table.state).gates == {2, 5}
    assert pure_table.due == pure_table.now + STUCK_AFTER_MS
    pure_table.now += STUCK_AFTER_MS - 1
    pure_table.do(Elapsed())
    assert rail_orders(pure_table.state).gates == {2, 5}
    pure_table.now += 1
    pure_table.do(Elapsed())
    assert rail_orders(pure_table.state).gates == frozenset()
    assert pure_table.state.drive == SHOWN
    assert pure_table.due is None


def test_each_drive_with_gates_is_a_turn_of_its_own() -> None:
    pure_table = in_service()
    turns = []
    for what in (gates(1), gates(1), SHOWN, gates(2), None, gates(2)):
        drive_outputs(pure_table, what)
        turns.append(rail_orders(pure_table.state).turn)
    assert turns == [1, 2, 2, 3, 3, 4]


def test_a_gate_opens_once_a_turn(tmp_path: Path) -> None:
    """The board closes it behind the first token; the second falls when it is driven again"""
    with table_in(tmp_path) as table:
        cabinet = table.machine.cabinet
        table.play("key S", "token 3")
        assert drive(table, gates(3, 4)) is None
        table.play("wait 500ms")
        assert cabinet.open_gates() == {4}
        assert cabinet.tray_count == 1
        table.play("token 3", "wait 500ms")
        assert cabinet.tray_count == 1
        table.play("wait 1s")
        assert cabinet.open_gates() == frozenset()
        assert drive(table, gates(3)) is None
        table.play("wait 500ms")
        assert cabinet.tray_count == 2


def test_gates_close_on_the_cabinet_after_two_seconds(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("key S")
        assert drive(table, gates(*SEATS)) is None
        table.play("wait 1800ms")
        assert table.machine.cabinet.open_gates() == set(SEATS)
        table.play("wait 300ms")
        assert table.machine.cabinet.open_gates() == frozenset()


def test_a_board_that_boots_meanwhile_opens_them_no_more() -> None:
    """TABLE 2: when the board's boot number has changed meanwhile, the gates stay closed"""
    pure_table = in_service()
    drive_outputs(pure_table, replace(SHOWN, gates=frozenset({2})))
    pure_table.do(RailSeen(2, frozenset()))
    assert rail_orders(pure_table.state).gates == frozenset()
    assert pure_table.state.drive == SHOWN


# A token that falls meanwhile


def test_a_token_that_drops_in_service_is_on_record_and_moves_no_money(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("key S", "token 3 7")
        before = table.state.balances
        assert drive(table, gates(3, 7)) is None
        table.play("wait 3s", "expect fault none")
        assert table.machine.cabinet.tray_count == 2
        assert table.state.balances == before
        dropped = [(one["seat"], one["tokens"]) for one in table.decisions("drop-in-service")]
        assert sorted(dropped) == [(3, 1), (7, 1)]
        table.play("key R", "wait 2s", "expect fault none", "expect phase PAUSED")
        table.play("press GAME_OVER", "token 1", "press COIN_IN", "expect jackpot 10001.40")
        table.play("expect fault none", "expect seats 1")


def test_a_drop_nobody_saw_is_not_the_technicians() -> None:
    """Counted while the rail was away: TRAY_COUNT, also in SERVICE"""
    pure_table = in_service()
    pure_table.do(DeviceLost(Device.RAIL, "silent"))
    step = pure_table.rail(drops={3: 1}, tray=1)
    assert [decision.what for decision in step.decisions][:1] == ["drop-unexplained"]
    assert Fault.TRAY_COUNT in pure_table.state.faults
    step = pure_table.rail(drops={3: 2}, tray=2)
    assert [decision.what for decision in step.decisions] == ["drop-in-service"]
