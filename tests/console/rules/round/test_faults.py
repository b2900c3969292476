"""Faults and power: docs/reference/rules.md, section 7, row by row."""

from pathlib import Path

import pytest

from console.rules.acts import Cleared, Started
from console.rules.codes import CLEARED_BY_TECHNICIAN, CLEARED_BY_TWO, LEDGER_FAULTS, Fault, Refusal
from console.rules.round.card_outputs import rail_orders
from console.rules.structs import replace
from console.service.table_ledger import LOCK_FILE
from devices.device import Device
from devices.roles import Button, ButtonPressed, DeviceLost, KeyMoved, KeyPosition, RailSeen
from tests.console.table import OPEN, STUCK, TO_PHASE, PureTable, Table, rules_of, table_in

SERVICE_STEPS = ("press GAME_OVER", "press COIN_IN", "key S")


def clear_in_service(table: Table, fault: str) -> None:
    table.play("key S", f"clear {fault}", "expect refused none", "expect fault none", "key R")


# A device that is silent or unplugged


@pytest.mark.parametrize("device", ["rail", "display"])
def test_a_link_is_lost_after_a_second_of_silence(device: str, tmp_path: Path) -> None:
    """TABLE 7.1: raised, and cleared by itself when it is back"""
    fault = f"{device.upper()}_LOST"
    with table_in(tmp_path) as table:
        table.play(*OPEN, f"unplug {device}", "wait 600ms", "expect fault none")
        table.play("wait 600ms", f"expect fault {fault}", f"plug {device}", "wait 5s")
        table.play("expect fault none")
        raised, gone = table.decisions("fault-raised"), table.decisions("fault-cleared")
        assert [d["fault"] for d in raised + gone] == [fault, fault]


@pytest.mark.parametrize("device", ["rail", "display", "panel"])
def test_what_is_back_shows_what_is_now(device: str, tmp_path: Path) -> None:
    """TABLE 7.1, 7.13: its outputs are written again, within 5 s of an hour's absence"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["PLAYING"], f"unplug {device}", "wait 1h", f"plug {device}")
        table.play("wait 5s", "expect fault none", "expect slots 1 2", "expect seats 1 2")
        table.play("expect lamps FLUSH", "expect display JACKPOT", "expect display 10.002,80 EUR")


@pytest.mark.parametrize("device", ["rail", "display", "panel"])
def test_one_that_comes_in_time_after_a_start_leaves_no_trace(device: str, tmp_path: Path) -> None:
    """TABLE 7.13.1"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["BETTING"], "token 1", "power off", f"unplug {device}", "power on")
        table.play("wait 4s", "expect fault none", f"plug {device}", "wait 5s", "expect fault none")
        table.play("press COIN_IN", "expect seats 1")
        assert table.decisions("fault-raised") == []


def test_what_needs_an_awaited_rail_is_refused_as_if_it_were_lost(tmp_path: Path) -> None:
    """TABLE 7.13.1: and after 5 s it is lost"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["BETTING"], "token 1", "power off", "unplug rail", "power on")
        table.play("wait 2s", "press COIN_IN", "expect refused LOCKED", "expect phase BETTING")
        table.play("wait 2s", "expect fault none", "expect slots none")
        table.play("wait 2s", "expect fault RAIL_LOST")
        assert [one["fault"] for one in table.decisions("fault-raised")] == ["RAIL_LOST"]


def test_a_loss_from_before_the_start_stands_until_the_device_is_back(tmp_path: Path) -> None:
    """TABLE 7.13.1: it was on record, and stays there"""
    with table_in(tmp_path) as table:
        table.play("unplug rail", "wait 2s", "power off", "power on", "wait 10s")
        table.play("expect fault RAIL_LOST", "plug rail", "wait 5s", "expect fault none")
        assert len(table.decisions("fault-raised")) == 1


def test_an_unplugged_panel_has_no_key_to_be_faulty(tmp_path: Path) -> None:
    """TABLE 7.1: its presence contact, 200 ms, and then no KEY_FAULT"""
    with table_in(tmp_path) as table:
        table.play("unplug panel", "wait 100ms", "expect fault none", "wait 100ms")
        assert table.state.faults == (Fault.PANEL_LOST,)
        table.play("wait 10s")
        assert table.state.faults == (Fault.PANEL_LOST,)
        table.play("plug panel", "wait 1s", "expect fault none")
        assert {d["fault"] for d in table.decisions("fault-raised")} == {"PANEL_LOST"}


def test_a_key_fault_goes_with_the_panel(tmp_path: Path) -> None:
    """TABLE 7.1: an unplugged panel shows no key, right or wrong"""
    with table_in(tmp_path) as table:
        table.play("key between", "wait 1s", "expect fault KEY_FAULT", "unplug panel", "wait 300ms")
        assert table.state.faults == (Fault.PANEL_LOST,)


def test_a_loose_plug_of_150_ms_is_no_loss(tmp_path: Path) -> None:
    """TABLE 7.1"""
    with table_in(tmp_path) as table:
        table.play("unplug panel", "wait 100ms", "plug panel", "wait 1s", "expect fault none")
        assert table.decisions("fault-raised") == []


# The key, the tokens


def test_key_fault(tmp_path: Path) -> None:
    """TABLE 6.14, 7.2: no contact for 500 ms, until exactly one is closed"""
    with table_in(tmp_path) as table:
        table.play("key between", "wait 400ms", "expect fault none", "wait 100ms")
        table.play("expect fault KEY_FAULT", "key JPH", "expect fault none")


def test_token_stuck(tmp_path: Path) -> None:
    """TABLE 2.15, 7.3: until a COIN IN leaves no token stuck"""
    with table_in(tmp_path) as table:
        table.play(*STUCK, "expect fault TOKEN_STUCK", "press COIN_IN", "expect fault TOKEN_STUCK")
        table.play("wait 2s", "expect fault TOKEN_STUCK", "expect blinking 2", "unjam 2")
        table.play("press COIN_IN", "expect fault none", "expect seats 1 2")


def collecting(*seats: int) -> PureTable:
    """Gates open for these seats' tokens."""
    pure_table = PureTable.start(rules_of())
    pure_table.press(ButtonPressed(Button.GAME_OVER))
    pure_table.rail(*seats)
    pure_table.press(ButtonPressed(Button.COIN_IN))
    return pure_table


def settle(pure_table: PureTable, drops: dict[int, int], tray: int) -> tuple[Fault, ...]:
    """The faults a second after the counters have come to this."""
    pure_table.rail(drops=drops, tray=tray)
    pure_table.now += 1_000
    pure_table.rail(drops=drops, tray=tray)
    return pure_table.state.faults


@pytest.mark.parametrize(
    ("drops", "tray", "faults"),
    [
        ({1: 1, 3: 1}, 2, ()),
        ({1: 1, 3: 1}, 1, (Fault.TRAY_COUNT,)),  # one hangs between drop sensor and tray
        ({1: 1, 3: 1}, 3, (Fault.TRAY_COUNT,)),  # one came past the drop sensors
        ({1: 2, 3: 1}, 3, (Fault.TRAY_COUNT,)),  # two fell through one gate
        ({1: 1, 3: 1, 5: 1}, 3, (Fault.TRAY_COUNT,)),  # one fell at a seat whose gate is closed
    ],
)
def test_the_tray_must_agree(drops: dict[int, int], tray: int, faults: tuple[Fault, ...]) -> None:
    """TABLE 2.18, 7.4: whatever it says, each seat's one token is accepted"""
    pure_table = collecting(1, 3)
    assert settle(pure_table, drops, tray) == faults
    assert pure_table.state.seats.accepted == {1, 3}
    assert -pure_table.state.balances.tray == 2 * 200 * 10_000


def test_a_token_on_its_way_to_the_tray_is_no_difference() -> None:
    """TABLE 2.18"""
    pure_table = collecting(1)
    pure_table.rail(drops={1: 1}, tray=0)
    assert pure_table.state.faults == ()
    assert pure_table.due is not None
    pure_table.now = pure_table.due - 1
    pure_table.rail(drops={1: 1}, tray=1)
    pure_table.now += 10_000
    assert pure_table.rail(drops={1: 1}, tray=1).state.faults == ()


def test_a_tray_counted_by_hand_is_the_new_beginning() -> None:
    """TABLE 2.18, 7.4: after the technician has cleared it, the old difference is forgiven"""
    pure_table = collecting(1)
    assert settle(pure_table, {1: 1}, 0) == (Fault.TRAY_COUNT,)
    pure_table.press(ButtonPressed(Button.GAME_OVER), ButtonPressed(Button.COIN_IN))
    pure_table.do(KeyMoved(KeyPosition.S))
    assert pure_table.do(Cleared(Fault.TRAY_COUNT, "Anna")).refusal is None
    assert settle(pure_table, {1: 1}, 0) == ()
    pure_table.do(KeyMoved(KeyPosition.R))
    pure_table.press(ButtonPressed(Button.GAME_OVER))
    assert settle(pure_table, {1: 1}, 1) == (Fault.TRAY_COUNT,)


def test_a_seat_found_empty_after_a_cut(tmp_path: Path) -> None:
    """TABLE 2.19, 7.4"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["COLLECTING"], "power off", "take 2", "power on", "wait 2s")
        table.play("expect fault TRAY_COUNT", "expect phase COLLECTING", "expect seats 1")
        table.play("clear TRAY_COUNT", "expect fault TRAY_COUNT", "press COIN_IN")
        table.play("expect phase PLAYING", "expect seats 1", *SERVICE_STEPS)
        table.play("clear TRAY_COUNT", "expect refused none", "expect fault none", "key R")


def test_a_board_that_boots_while_collecting_keeps_its_gates_closed() -> None:
    """TABLE 2.20: until COIN IN is pressed again, and then each token is tried again"""
    pure_table = collecting(1, 3)
    pure_table.do(RailSeen(2, frozenset({1})))
    assert pure_table.state.seats.collecting == frozenset()
    assert pure_table.state.seats.stuck == {1, 3}
    assert Fault.TRAY_COUNT in pure_table.state.faults
    pure_table.press(ButtonPressed(Button.COIN_IN))
    assert pure_table.state.seats.collecting == {1}
    assert pure_table.rail(drops={1: 1}, tray=1, boot=2).state.seats.accepted == {1}


def test_a_tray_counted_while_the_rail_is_away_stays_counted() -> None:
    """TABLE 7.4"""
    pure_table = collecting(1)
    assert settle(pure_table, {1: 1}, 0) == (Fault.TRAY_COUNT,)
    pure_table.press(ButtonPressed(Button.GAME_OVER), ButtonPressed(Button.COIN_IN))
    pure_table.do(DeviceLost(Device.RAIL, "silent"), KeyMoved(KeyPosition.S))
    pure_table.do(Cleared(Fault.TRAY_COUNT, "Anna"), KeyMoved(KeyPosition.R))
    assert settle(pure_table, {1: 1}, 0) == (Fault.RAIL_LOST,)


def test_a_service_that_starts_anew_keeps_the_gates_closed() -> None:
    """TABLE 2.20, 7.12: what dropped meanwhile its counter proves, the rest waits for COIN IN"""
    pure_table = collecting(1, 3)
    pure_table.do(Started())
    assert rail_orders(pure_table.state).gates == frozenset()
    pure_table.rail(3, drops={1: 1}, tray=1)
    assert rail_orders(pure_table.state).gates == frozenset()
    assert pure_table.state.seats.accepted == {1}
    assert pure_table.state.faults == (Fault.TOKEN_STUCK,)
    pure_table.press(ButtonPressed(Button.COIN_IN))
    assert rail_orders(pure_table.state).gates == {3}


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault not in LEDGER_FAULTS])
def test_what_the_technician_clears_he_clears_in_service(fault: Fault) -> None:
    """TABLE 7.4: and no fault that clears by itself"""
    pure_table = PureTable.start(rules_of())
    pure_table.state = pure_table.with_fault(fault)
    assert pure_table.do(Cleared(fault, "Anna")).refusal is Refusal.NOT_IN_SERVICE
    pure_table.do(KeyMoved(KeyPosition.S))
    pure_table.state = replace(pure_table.state, faults=(fault,))  # a key fault went with the turn
    if fault in CLEARED_BY_TWO:
        assert pure_table.do(Cleared(fault, "Anna")).refusal is Refusal.NOT_CLEARABLE
    step = pure_table.do(Cleared(fault, "Anna", second="Berta"))
    if fault in CLEARED_BY_TECHNICIAN:
        assert (step.refusal, step.state.faults) == (None, ())
    else:
        assert (step.refusal, step.state.faults) == (Refusal.NOT_CLEARABLE, (fault,))


# A ledger that cannot be written


def test_a_full_disk_locks_and_clearing_is_on_record(tmp_path: Path) -> None:
    """TABLE 7.7, 7.14, 7.18: nothing more is accepted; cleared in SERVICE, with the name"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["PLAYING"])
        before = table.state
        table.play("disk full", "press FLUSH", "expect fault LEDGER_FAULT", "token 5", "wait 5s")
        assert table.state.seats.accepted == before.seats.accepted
        assert (table.state.rail.seen, table.state.balances) == (before.rail.seen, before.balances)
        table.play("disk ok", "clear LEDGER_FAULT", "expect fault LEDGER_FAULT", "key S")
        table.play("clear LEDGER_FAULT", "expect fault none", "key R", "expect phase PLAYING")
        table.play("expect lamps FLUSH")
        (record,) = [r for r in table.records if r.kind == "cleared" and "refusal" not in r.body]
        assert record.body["act"] == {"fault": "LEDGER_FAULT", "who": "capotavolo", "mended": True}


def test_a_disk_that_is_still_full_is_not_cleared(tmp_path: Path) -> None:
    """TABLE 7.7"""
    with table_in(tmp_path) as table:
        table.play("disk full", "press GAME_OVER", "key S", "clear LEDGER_FAULT")
        table.play("expect refused STILL_FAULTY", "expect fault LEDGER_FAULT", "key R")
        table.play("press GAME_OVER", "expect refused LOCKED", "expect phase PAUSED")


@pytest.mark.parametrize("phase", TO_PHASE)
def test_a_locked_table_accepts_service_in_any_phase(phase: str, tmp_path: Path) -> None:
    """TABLE 6.19: cleared, R gives the phase back; uncleared, it stays locked there"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[phase], "disk full", "press JPOT", "expect refused LOCKED")
        table.play("key S", "expect refused none", "expect phase SERVICE", "expect slots none")
        table.play("key R", f"expect phase {phase}", "expect fault LEDGER_FAULT")
        locked = table.state
        table.play("disk ok", "key S", "clear LEDGER_FAULT", "key R", f"expect phase {phase}")
        assert Fault.LEDGER_FAULT not in table.state.faults
        assert table.state.seats.accepted == locked.seats.accepted
        assert (table.state.award, table.state.choice) == (locked.award, locked.choice)
        assert table.state.balances == locked.balances


def test_the_lock_outlives_the_power_on_a_full_disk(tmp_path: Path) -> None:
    """TABLE 7.15: a small file beside the ledger, made before, overwritten in place"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["AWARDING"])
        size = (table.machine.disk.folder / LOCK_FILE).stat().st_size
        table.play("disk full", "press JPOT", "power off", "power on", "wait 2s")
        table.play("expect fault LEDGER_FAULT", "expect phase AWARDING", "expect winners 1")
        table.play("press JPOT", "expect refused LOCKED", "power off", "disk ok", "power on")
        table.play("wait 2s", "press JPOT", "expect refused LOCKED")
        assert (table.machine.disk.folder / LOCK_FILE).stat().st_size == size > 0
        clear_in_service(table, "LEDGER_FAULT")
        table.play("power off", "power on", "wait 2s", "expect fault none", "press JPOT")
        table.play("expect phase AWARDING", "expect pending 100.02")


def test_what_was_refused_while_locked_is_recorded_afterwards(tmp_path: Path) -> None:
    """TABLE 7.16: in its order, and each once"""
    with table_in(tmp_path) as table:
        table.play("disk full", "press GAME_OVER", "press JPOT", "press COIN_IN", "disk ok")
        assert [r for r in table.records if "refusal" in r.body] == []
        clear_in_service(table, "LEDGER_FAULT")
        refused = [r for r in table.records if r.body.get("refusal") == "LOCKED"]
        assert [r.body["act"] for r in refused] == [
            {"button": name} for name in ("GAME_OVER", "JPOT", "COIN_IN")
        ]


def drop_while_locked(table: Table) -> None:
    table.play(*TO_PHASE["COLLECTING"], "disk full", "unjam 2", "expect fault LEDGER_FAULT")
    table.play("expect seats 1", "expect jackpot 10001.40", "wait 1m", "disk ok")
    assert table.machine.cabinet.tray_count == 2


def test_a_token_that_dropped_meanwhile_is_proved_by_its_counter(tmp_path: Path) -> None:
    """TABLE 7.17"""
    with table_in(tmp_path) as table:
        drop_while_locked(table)
        clear_in_service(table, "LEDGER_FAULT")
        table.play("expect phase PLAYING", "expect seats 1 2", "expect jackpot 10002.80")


def test_a_counter_read_later_proves_it_as_well(tmp_path: Path) -> None:
    """TABLE 7.11, 7.17: the rail is unplugged while the technician clears"""
    with table_in(tmp_path) as table:
        drop_while_locked(table)
        table.play("unplug rail", "wait 2s", "key S", "clear LEDGER_FAULT", "key R")
        table.play("expect seats 1", "plug rail", "wait 5s", "expect fault none")
        table.play("expect phase PLAYING", "expect seats 1 2", "expect jackpot 10002.80")


def test_without_proof_the_tray_is_counted(tmp_path: Path) -> None:
    """TABLE 7.17"""
    with table_in(tmp_path) as table:
        drop_while_locked(table)
        table.play("power off", "power on", "wait 2s", "key S", "clear LEDGER_FAULT")
        table.play("expect fault TRAY_COUNT", "expect jackpot 10001.40", "key R", "expect seats 1")


def test_what_was_seen_free_while_locked_is_free_though_the_rail_is_lost(tmp_path: Path) -> None:
    """TABLE 6.7: key to S was refused for a token that had been taken away"""
    with table_in(tmp_path, "game tre-card-stud") as table:
        table.play(*OPEN, "token 1 2", "disk full", "press COIN_IN", "expect refused LOCKED")
        table.play("take 1 2", "token 2", "unplug rail", "wait 2s", "disk ok", "key S")
        table.play("clear LEDGER_FAULT", "key R", "expect phase BETTING")
        assert table.state.seats.tokens == {2}
        table.play("key S", "expect refused ALREADY_OPEN", "key R", "plug rail", "take 2")
        table.play("wait 5s", "key S", "expect refused none")


def test_a_ledger_that_cannot_be_read_at_start_hides_no_free_sensor(tmp_path: Path) -> None:
    """TABLE 6.7: the locked table did not know that a token had lain there"""
    with table_in(tmp_path, "game tre-card-stud") as table:
        table.play(*OPEN, "token 1 2", "power off", "take 1")
        ledger = table.machine.disk.folder / "ledger.db"
        sound = {path: path.read_bytes() for path in ledger.parent.glob("ledger.db*")}
        for path in sound:
            path.write_bytes(b"no database" * 1_000)
        table.play("power on", "wait 2s", "expect fault LEDGER_CORRUPT", "unplug rail", "wait 2s")
        for path, content in sound.items():
            path.write_bytes(content)
        table.play("key S", "clear LEDGER_CORRUPT", "expect refused none", "key R")
        assert table.state.seats.tokens == {2}


def test_a_rail_that_the_locked_table_never_saw_is_as_it_was_on_record(tmp_path: Path) -> None:
    with table_in(tmp_path, "game tre-card-stud") as table:
        table.play(*OPEN, "token 1", "disk full", "press COIN_IN", "unplug rail", "power off")
        table.play("power on", "wait 2s", "disk ok", "key S", "clear LEDGER_FAULT", "key R")
        assert table.state.seats.tokens == {1}
        table.play("key S", "expect refused ALREADY_OPEN")


def test_a_ledger_that_does_not_verify(tmp_path: Path) -> None:
    """TABLE 7.8: locked at start; clearing it unrepaired is refused, repaired it plays on"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["PLAYING"], "power off")
        ledger = next(table.machine.disk.folder.glob("ledger.db"))
        sound = {path: path.read_bytes() for path in ledger.parent.glob("ledger.db*")}
        for path in sound:
            path.write_bytes(b"no database" * 1_000)
        table.play("power on", "wait 2s", "expect fault LEDGER_CORRUPT", "press GAME_OVER")
        table.play("expect refused LOCKED", "key S", "clear LEDGER_CORRUPT")
        table.play("expect refused STILL_FAULTY", "expect fault LEDGER_CORRUPT")
        for path, content in sound.items():
            path.write_bytes(content)
        table.play("clear LEDGER_CORRUPT", "expect refused none", "expect fault none", "key R")
        table.play("expect phase PLAYING", "expect seats 1 2", "expect jackpot 10002.80")
