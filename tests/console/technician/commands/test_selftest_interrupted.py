"""`selftest` broken off: whatever ends it, the outputs are let go."""

from collections.abc import Callable
from pathlib import Path

import pytest

from console.line.act_reporter import ANSWER_S
from devices.roles import KeyPosition
from tests.console.service.test_table_service import HeldDiskWriter
from tests.console.technician.commands.selftest_records import (
    last_record,
    list_failures,
    list_untested,
    read_recorded_test,
    results,
)
from tests.console.technician.commands.technician_bench import TechnicianBench, open_bench


def by_ctrl_c(bench: TechnicianBench) -> None:
    assert "interrupted" in bench.type("\x03")


def by_the_cable_pulled(bench: TechnicianBench) -> None:
    bench.typist.unplug()


def by_a_power_cut(bench: TechnicianBench) -> None:
    rig = bench.rig.table
    rig.simulated_table.do(rig.parse_act("power off"))
    assert "NO_POWER" in bench.wait(1)
    rig.simulated_table.do(rig.parse_act("power on"))
    bench.wait(1)


@pytest.mark.parametrize("end", [by_ctrl_c, by_the_cable_pulled, by_a_power_cut])
def test_a_test_that_is_broken_off_leaves_nothing_lit_and_no_report(
    tmp_path: Path, end: Callable[[TechnicianBench], None]
) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("selftest lamps")
        bench.wait(1)
        bench.type("y")
        bench.wait(1)
        assert bench.is_driven()
        end(bench)
        assert not bench.is_driven()
        assert not any(lamp.value != "DARK" for lamp in bench.cabinet.slot_lamps().values())
        assert last_record(bench) is None


def test_when_the_key_leaves_s_what_is_left_is_not_tested(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("selftest lamps")
        bench.wait(1)
        bench.type("y")
        bench.wait(1)
        bench.cabinet.turn_key(KeyPosition.R)
        assert "Name:" in bench.wait(3), "the key at R ends every login"
        bench.type("rossi\r")
        bench.type("271828\r")
        bench.wait(3)
        assert "NOT_IN_SERVICE" in bench.printed
        assert "Now: key at R, table PAUSED." in bench.printed
        assert results(bench)["slot lamp 1"] == (True, "LIT")
        assert {found for _, found in list_untested(bench).items()} == {"NOT_DRIVEN"}
        assert list_failures(bench) == {}


def test_when_the_ten_minutes_are_over_name_and_pin_are_asked_again(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.wait(595)
        bench.type_command("selftest slot lamp 4")
        assert "Name:" in bench.wait(10)
        bench.type("rossi\r")
        bench.type("271828\r")
        bench.wait(1)
        assert "on record" in bench.printed
        assert read_recorded_test(bench).who == "rossi"
        assert list_untested(bench) == {"slot lamp 4": "NOT_DRIVEN"}


def test_outputs_not_released_at_the_end_are_told_and_the_report_is_still_shown(
    tmp_path: Path,
) -> None:
    disk = HeldDiskWriter()
    with open_bench(tmp_path, disk=disk) as bench:
        bench.type_command("selftest slot lamp 4")
        bench.wait(1)
        assert bench.is_driven()
        disk.held = True
        bench.type("y")
        printed = bench.wait(2 * ANSWER_S + 2)
        assert "they may still be driven" in printed
        assert "NOT on record" in printed
        assert "slot lamp 4" in printed
        assert bench.at_the_prompt
        disk.held = False
        disk.go_on()
        bench.wait(1)
        assert not bench.is_driven()


def test_outputs_not_released_between_two_parts_are_told_and_the_test_goes_on(
    tmp_path: Path,
) -> None:
    disk = HeldDiskWriter()
    with open_bench(tmp_path, disk=disk) as bench:
        bench.type_command("selftest")
        for _ in range(30):
            bench.wait(1)
            if "] lamp FLUSH" in bench.printed:
                break
            bench.type("s")
        disk.held = True
        bench.type("y")
        printed = bench.wait(ANSWER_S + 2)
        assert "they may still be driven" in printed
        assert "press COIN_IN" in printed
        disk.held = False
        disk.go_on()
        bench.type("q")
        bench.wait(2)
        assert not bench.is_driven()
        assert read_recorded_test(bench).who == "rossi"
