"""Boards: only enrolled ones are believed (docs/reference/rules.md, section 13)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.configuration.table_plan import TablePlan
from console.rules import records
from console.rules.acts import Adopted, Cleared
from console.rules.board_marks import BoardEnrolled, BoardMarks, FirstSight
from console.rules.codes import Fault, Refusal
from console.rules.game_modules import advance
from console.rules.games import RailKind
from console.rules.records import act_of
from console.rules.state import TableState
from console.service.table_ledger import TableLedger
from console.simulation.cabinet import SimulatedDisk
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from console.texts.catalogue.findings import find
from console.texts.language import Language
from console.texts.record_texts import act_words
from devices.boards import BoardFound, BoardLabel
from devices.device import Device
from devices.sim.rail import do_nothing
from firmware_bridge.board.rail import SlotRail
from firmware_bridge.board.shuffler import DeckShufflerBoard, ShufflerBoard
from tests.console.table import OPEN, TO_PHASE, Table, table_in

BLACK_JACK = TablePlan(game="black-jack", rail=None)


@contextmanager
def real_table(folder: Path, plan: TablePlan | None = None) -> Iterator[Table]:
    """A table that enrols nothing by itself."""
    plan = plan or TablePlan()
    with machine_in_virtual_time(plan, folder) as machine:
        machine.simulated = False
        yield Table(plan, machine)


def marks_of(table: Table) -> BoardMarks:
    marks = table.state.boards
    assert isinstance(marks, BoardMarks)
    return marks


def exchange_rail(table: Table, serial: str, drops: int = 0) -> None:
    """Another board is fitted; it says that it has counted so many tokens more."""
    table.play("unplug rail", "wait 2s")
    cabinet = table.machine.cabinet
    cabinet.state.drops = tuple(count + drops for count in cabinet.state.drops)
    cabinet.rail.fit_board(lambda boot: SlotRail(boot, serial), do_nothing)
    table.play("plug rail", "wait 2s")


def enrol(table: Table, device: Device = Device.RAIL) -> None:
    """The technician does, by the table's line."""
    found = marks_of(table).found[device.value]
    table.simulated_table.service.report(BoardEnrolled(device, found, "anna"))
    table.play("wait 1s")


def test_a_simulation_enrols_what_it_finds(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("expect fault none", *OPEN, "expect slots 1 2 3 4 5 6 7")
        assert marks_of(table).believes(Device.RAIL)
        assert table.decisions("board-enrolled") == [
            {"decision": "board-enrolled", "device": "rail", "serial": "RAIL-001"},
            {"decision": "board-enrolled", "device": "shuffler", "serial": "SHUFFLER"},
        ]


def test_serial_and_firmware_are_on_record_at_each_link(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("unplug rail", "wait 2s", "plug rail", "wait 2s")
        acts = [act_of(one.kind, one.body) for one in table.records if one.kind == "board"]
    rail = BoardFound(Device.RAIL, (BoardLabel("slot rail", "RAIL-001", "1.0.0"),))
    assert [act for act in acts if act == rail] == [rail, rail]


def test_an_exchanged_board_is_not_believed(tmp_path: Path) -> None:
    """No token, no lamp, no round; the old one is believed again at once."""
    with table_in(tmp_path) as table:
        table.play(*OPEN, "token 1")
        before = table.state.balances
        exchange_rail(table, "STRANGER")
        table.play("expect fault BOARD_CHANGED", "expect slots none", "token 2", "wait 1s")
        assert table.state.seats.occupied == {1}
        table.play("press COIN_IN", "expect refused LOCKED", "expect slots none")
        exchange_rail(table, "RAIL-001")
        table.play("expect fault BOARD_CHANGED", "expect slots 1 2 3 4 5 6 7", "press COIN_IN")
        table.play("wait 1s", "expect seats 1 2", "press JPOT", "expect refused NO_COMBINATION")
        assert table.state.balances != before


def test_gates_shut_and_stay_shut(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["COLLECTING"])
        assert table.machine.cabinet.open_gates() == {2}
        exchange_rail(table, "STRANGER")
        table.play("unjam 2", "wait 3s", "expect fault BOARD_CHANGED")
        assert table.machine.cabinet.open_gates() == frozenset()
        assert table.state.seats.accepted == {1}


@pytest.mark.parametrize("phase", ["BETTING", "COLLECTING", "PLAYING", "AWARDING"])
def test_a_technician_enrols_it_in_any_phase(phase: str, tmp_path: Path) -> None:
    """R gives back the phase; what the board counted before proves nothing."""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[phase])
        before = table.state
        exchange_rail(table, "SPARE-01", drops=9)
        enrol(table)
        assert table.records[-1].body["refusal"] == "NOT_IN_SERVICE"
        table.play("key S", "expect phase SERVICE", "expect slots none")
        enrol(table)
        assert Fault.BOARD_CHANGED not in table.state.faults
        table.play("key R", f"expect phase {phase}")
        after = table.state
        assert (after.balances, after.award) == (before.balances, before.award)
        assert after.seats.accepted == before.seats.accepted
        assert table.machine.cabinet.slot_lamps() != {}
        act = next(
            act_of(one.kind, one.body)
            for one in table.records
            if one.kind == "board-enrolled" and one.body["outcome"] == "done"
        )
        assert isinstance(act, BoardEnrolled)
        assert act.who == "anna"


def test_with_the_spare_board_the_round_is_played_to_its_end(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["PLAYING"])
        exchange_rail(table, "SPARE-01")
        table.play("key S")
        enrol(table)
        table.play("key R", "expect slots 1 2", "press GAME_OVER", "token 3", "press COIN_IN")
        table.play("wait 1s", "expect phase PLAYING", "expect seats 3", "expect fault none")
        table.play("expect jackpot 10004.20")


def test_the_fault_survives_a_restart(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        exchange_rail(table, "STRANGER")
        table.play("power off", "power on", "wait 2s", "expect fault BOARD_CHANGED")
        assert not marks_of(table).believes(Device.RAIL)
        table.play("press GAME_OVER", "expect refused LOCKED", "key S")
        enrol(table)
        table.play("key R", "power off", "power on", "wait 2s", "expect fault none")
        table.play("press GAME_OVER", "expect slots 1 2 3 4 5 6 7")


def test_the_fault_is_cleared_only_when_the_board_is_gone(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        exchange_rail(table, "STRANGER")
        table.play("key S", "clear BOARD_CHANGED", "expect refused STILL_FAULTY")
        exchange_rail(table, "RAIL-001")
        table.play("expect fault BOARD_CHANGED", "clear BOARD_CHANGED", "expect fault none")


def test_a_new_table_believes_no_board_until_it_is_enrolled(tmp_path: Path) -> None:
    with real_table(tmp_path) as table:
        assert marks_of(table).first_sight is FirstSight.REFUSE
        table.play("expect fault BOARD_CHANGED", "press GAME_OVER", "expect refused LOCKED")
        table.play("key S")
        enrol(table)
        table.play("expect fault BOARD_CHANGED")
        enrol(table, Device.SHUFFLER)
        table.play("expect fault none", "key R", "press GAME_OVER", "expect phase BETTING")


def test_an_earlier_table_plays_on_and_asks(tmp_path: Path) -> None:
    """Its first start after the upgrade puts the boards on record; any other is foreign."""
    plan = TablePlan()
    with machine_in_virtual_time(plan, tmp_path) as machine:
        begin_earlier(machine.disk, plan)
        machine.simulated = False
        table = Table(plan, machine)
        table.play("expect fault none", *OPEN, "expect slots 1 2 3 4 5 6 7", "press COIN_IN")
        assert marks_of(table).asked == {"rail", "shuffler"}
        noticed = find((), (), {}, {}, marks_of(table).asked)
        assert [one.where for one in noticed] == ["rail", "shuffler"]
        exchange_rail(table, "STRANGER")
        table.play("expect fault BOARD_CHANGED")
        exchange_rail(table, "RAIL-001")
        table.play("key S", "clear BOARD_CHANGED")
        enrol(table)
        assert marks_of(table).asked == {"shuffler"}
        assert marks_of(table).first_sight is FirstSight.REFUSE


def begin_earlier(disk: SimulatedDisk, plan: TablePlan) -> None:
    """A ledger as earlier versions begin one: its state knows nothing of boards."""
    ledger = TableLedger(disk.folder, connect=disk.connect, durable=False, begins=True)
    ledger.open()
    act = Adopted(plan.settings())
    step = advance(TableState(), act, plan.rules(None), 0)
    ledger.commit([records.entry_of(act, TableState(), step, 0, "2000-01-01T00:00:00+00:00", 1)])
    ledger.close()


def test_a_foreign_shuffler_deals_nothing_and_counts_nothing(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("deck load red", "wait 5m", *OPEN, "token 1", "press COIN_IN", "wait 1s")
        before = table.state.deck
        shuffler = table.machine.cabinet.shuffler
        table.play("unplug shuffler", "wait 2s")
        shuffler.fit_board(lambda boot: ShufflerBoard(boot, "STRANGER"), do_nothing)
        table.play("plug shuffler", "wait 2s", "expect fault BOARD_CHANGED")
        table.play("packet take 2", "wait 1s", "expect dealt 0")
        assert table.state.deck == before
        table.play("key S")
        enrol(table, Device.SHUFFLER)
        table.play("key R", "expect fault none", "expect phase PLAYING")


def test_an_exchanged_deck_shuffler_s_counter_proves_nothing(tmp_path: Path) -> None:
    """A press of a stranger's green button does nothing, before it is enrolled and by being so."""
    with table_in(tmp_path, "game texas-holdem", "shuffler deck") as table:
        table.play("deck load red", "deck load blue", "wait 3m", "press GAME_OVER", "press GREEN")
        table.play("expect hand 1", "unplug shuffler", "wait 2s")
        machine = table.machine.cabinet
        machine.state.shuffler.presses += 9
        machine.shuffler.fit_board(lambda boot: DeckShufflerBoard(boot, "STRANGER"), do_nothing)
        table.play("plug shuffler", "wait 2s", "expect fault BOARD_CHANGED", "press GREEN")
        table.play("expect hand 1", "expect deck red", "key S")
        enrol(table, Device.SHUFFLER)
        table.play("key R", "expect fault none", "expect hand 1", "press GREEN")
        table.play("expect hand 2", "expect deck blue")


def test_only_what_answers_now_is_enrolled(tmp_path: Path) -> None:
    """The board was exchanged once more while the technician read its number."""
    with table_in(tmp_path) as table:
        exchange_rail(table, "SPARE-01")
        seen = (BoardLabel("slot rail", "SPARE-01", "1.0.0"),)
        exchange_rail(table, "STRANGER")
        table.play("key S")
        service = table.simulated_table.service
        service.report(BoardEnrolled(Device.RAIL, seen, "anna"))
        table.play("wait 1s", "expect fault BOARD_CHANGED")
        assert not marks_of(table).believes(Device.RAIL)


def test_an_exchanged_acceptor_stops_the_rail(tmp_path: Path) -> None:
    """Where no serial numbers stand in the configuration the ledger has them."""
    with table_in(tmp_path, "rail cctalk") as table:
        table.play(*OPEN, "token 1", "expect slots 1 2 3 4 5 6 7")
        assert table.state.rail.seen is not None
        cctalk = table.machine.cabinet.cctalk
        assert cctalk is not None
        table.play("unplug rail", "wait 2s")
        cctalk.acceptors[3].serial = 666
        table.play("plug rail", "wait 3s", "expect fault BOARD_CHANGED", "expect slots none")
        table.play("token 2", "wait 1s", "key S")
        enrol(table)
        assert Fault.BOARD_CHANGED not in table.state.faults
        assert Fault.TOKENS_UNKNOWN in table.state.faults, "who knows what the other one took?"


def test_a_ledger_fault_hides_no_exchange(tmp_path: Path) -> None:
    """What answered while nothing could be written is not believed afterwards."""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["PLAYING"], "disk full", "press FLUSH", "expect fault LEDGER_FAULT")
        exchange_rail(table, "STRANGER", drops=3)
        before = table.state.balances
        table.play(
            "disk ok", "key S", "clear LEDGER_FAULT", "wait 1s", "expect fault BOARD_CHANGED"
        )
        assert table.state.balances == before
        enrol(table)
        table.play("key R", "expect phase PLAYING", "expect fault none")
        service = table.simulated_table.service
        service.report(Cleared(Fault.BOARD_CHANGED, "anna"))
        table.play("wait 1s")
        assert table.records[-1].body["refusal"] == Refusal.NOT_IN_SERVICE.value


def test_another_kind_of_rail_in_a_simulation_is_another_first_sight(tmp_path: Path) -> None:
    for rail in (RailKind.SLOT, RailKind.CCTALK):
        plan = TablePlan(rail=rail)
        with machine_in_virtual_time(plan, tmp_path) as machine:
            table = Table(plan, machine)
            table.play("expect fault none")
            assert marks_of(table).believes(Device.RAIL)


def test_a_board_stands_in_words_on_record(tmp_path: Path) -> None:
    with real_table(tmp_path) as table:
        table.play("wait 2s")
        found = [one for one in table.records if one.kind == "board"]
        texts = {act_words(one, Language.EN) for one in found}
        assert "rail: board slot rail RAIL-001, firmware 1.0.0" in texts
