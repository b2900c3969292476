"""`selftest` of a cabinet with a fault: each fails its own part and no other."""

from collections.abc import Callable
from pathlib import Path

import pytest

from console.simulation.cabinet import SimulatedCabinet
from devices.device import Device
from devices.roles import Button, KeyPosition
from tests.console.technician.commands.robot_technician import RobotTechnician
from tests.console.technician.commands.selftest_records import (
    last_record,
    list_failures,
    list_untested,
    read_recorded_test,
    results,
)
from tests.console.technician.commands.technician_bench import open_bench

Break = Callable[[SimulatedCabinet], None]

FAULTS: dict[str, tuple[Break, str, str]] = {
    "a stuck button": (
        lambda cabinet: cabinet.panel.weld(Button.GAME_OVER),
        "button GAME_OVER",
        "HELD",
    ),
    "a stuck combination button": (
        lambda cabinet: cabinet.panel.weld(Button.COMBINATION_5),
        "button FLUSH",
        "HELD",
    ),
    "a dead sensor": (lambda cabinet: cabinet.rail.kill_sensor(3), "seat 3", "SENSOR_BLIND"),
    "a dead lamp": (lambda cabinet: cabinet.rail.kill_lamp(5), "slot lamp 5", "DRAWS_NOTHING"),
    "a gate that sticks": (lambda cabinet: cabinet.rail.stick_gate(2), "seat 2", "GATE_STICKS"),
    "a token that jams": (lambda cabinet: cabinet.rail.jam(7, True), "seat 7", "GATE_STICKS"),
    "a board that resets": (
        lambda cabinet: cabinet.rail.reset_every(7.0),
        "line rail",
        "RESTARTED",
    ),
    "a card left on a slot": (
        lambda cabinet: cabinet.rail.cover(1),
        "",
        "",
    ),  # he is asked to clear it
    "a display unplugged": (lambda cabinet: cabinet.unplug(Device.DISPLAY), "display", "LOST"),
    "a shuffler unplugged": (lambda cabinet: cabinet.unplug(Device.SHUFFLER), "shuffler", "LOST"),
    "a rail unplugged": (lambda cabinet: cabinet.unplug(Device.RAIL), "rail", "LOST"),
    "a panel unplugged": (lambda cabinet: cabinet.unplug(Device.PANEL), "plug", "OPEN"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_fails_exactly_its_part(tmp_path: Path, fault: str) -> None:
    broken, part, found = FAULTS[fault]
    with open_bench(tmp_path, "inspector fitted") as bench:
        broken(bench.cabinet)
        bench.wait(2)
        RobotTechnician(bench).run("selftest")
        failed = list_failures(bench)
        assert list(failed) == ([part] if part else [])
        assert all(text.split()[0] == found for text in failed.values())
        assert not bench.is_driven()


def test_what_hangs_on_a_device_that_is_away_is_not_tested(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.unplug(Device.RAIL)
        bench.wait(2)
        RobotTechnician(bench).run("selftest")
        away = [part for part, found in list_untested(bench).items() if found == "AWAY"]
        assert {f"seat {seat}" for seat in range(1, 8)} < set(away)
        assert {f"slot lamp {seat}" for seat in range(1, 8)} < set(away)
        assert "line rail" in away
        assert list_untested(bench)["tray"] == "NO_TOKEN"


GREEN = ("game texas-holdem", "shuffler deck")


@pytest.mark.parametrize(
    ("presses", "found"),
    [
        ((), (False, "NOT_MOVED")),
        (("GREEN",), (True, "COUNTED_ONCE")),
        (("GREEN", "GREEN"), (False, "MOVED_OFTEN times=2")),
        (("JPOT",), (False, "OTHER_MOVED other=JPOT")),
        (("GREEN", "HAND"), (False, "ALSO_MOVED other=HAND")),
    ],
)
def test_a_press_of_the_green_button_is_counted_once(
    tmp_path: Path, presses: tuple[str, ...], found: tuple[bool, str]
) -> None:
    with open_bench(tmp_path, *GREEN) as bench:
        bench.type_command("selftest button GREEN")
        for name in presses:
            bench.rig.play(f"press {name}")
        bench.wait(21)
        bench.type("\r")  # not again
        assert results(bench) == {"button GREEN": found}
        bench.rig.play("key R", "press GAME_OVER", "expect phase betting", "expect hand 0")


def test_the_green_button_of_a_shuffler_that_is_away_is_not_tested(tmp_path: Path) -> None:
    with open_bench(tmp_path, *GREEN) as bench:
        bench.cabinet.unplug(Device.SHUFFLER)
        bench.wait(2)
        RobotTechnician(bench).run("selftest button GREEN")
        assert list_untested(bench) == {"button GREEN": "AWAY"}


@pytest.mark.parametrize("position", [KeyPosition.R, KeyPosition.JPL, KeyPosition.JPH])
def test_a_welded_key_contact_fails_the_key_and_lets_no_output_be_driven(
    tmp_path: Path, position: KeyPosition
) -> None:
    with open_bench(tmp_path, lines=()) as bench:
        bench.cabinet.panel.weld(position)
        bench.cabinet.turn_key(KeyPosition.S)
        bench.wait(2)
        RobotTechnician(bench).run("selftest")
        assert list_failures(bench) == {"key": f"WELDED contacts={position.value}"}
        assert {found for part, found in list_untested(bench).items() if "lamp" in part} == {
            "NOT_DRIVEN"
        }
        assert results(bench)["button COIN_IN"][0] is True


def test_a_key_contact_that_welds_in_service_fails_the_key_alone(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.panel.weld(KeyPosition.S)
        RobotTechnician(bench).run("selftest")
        assert list_failures(bench) == {"key": "WELDED contacts=S"}
        assert list_untested(bench) == {}


def test_a_welded_key_is_told_also_if_nobody_turns_it(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.panel.weld(KeyPosition.JPL)
        bench.wait(1)
        RobotTechnician(bench, "turn the key").run("selftest key")
        assert list_failures(bench) == {"key": "FAULT codes=KEY_FAULT"}


def test_a_shuffler_with_51_cards_fails_with_its_fault(tmp_path: Path) -> None:
    with open_bench(tmp_path, lines=("deck load red 51", "wait 3m", "key S")) as bench:
        RobotTechnician(bench).run("selftest shuffler")
        assert list_failures(bench) == {"shuffler": "FAULT codes=CARD_COUNT"}


def test_a_full_disk_fails_the_ledger_and_the_report_waits_for_the_ledger(tmp_path: Path) -> None:
    with open_bench(tmp_path, lines=("disk full", "press GAME_OVER", "key S")) as bench:
        printed = RobotTechnician(bench).run("selftest ledger")
        assert "FAIL ledger  LEDGER_FAULT" in printed
        assert "the report goes on record as soon as it can be written" in printed
        assert last_record(bench) is None
        bench.rig.table.machine.disk.full = False
        bench.rig.play("clear LEDGER_FAULT")
        assert read_recorded_test(bench).who == "rossi"


@pytest.mark.parametrize(
    ("lines", "failed"),
    [(("key S",), {}), (("key S", "link off", "wait 5s"), {"link": "FAULT codes=LINK_LOST"})],
)
def test_a_linked_table_tests_its_link(
    tmp_path: Path, lines: tuple[str, ...], failed: dict[str, str]
) -> None:
    with open_bench(tmp_path, "link house", lines=lines) as bench:
        printed = RobotTechnician(bench).run("selftest link")
        assert ("rehearsed, role simulated" in printed) is (not failed)
        assert list_failures(bench) == failed
