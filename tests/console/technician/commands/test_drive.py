"""`lamp`, `display`, `gate`, `walk`: nothing stays lit, and what is missing is said."""

from collections.abc import Callable
from pathlib import Path

import pytest

from console.line.act_reporter import ANSWER_S
from console.rules.codes import Duty
from console.texts.language import Language
from devices.roles import KeyPosition, Lamp
from tests.console.service.test_table_service import HeldDiskWriter
from tests.console.technician.commands.lit_lamps import combinations_lit, leds_lit, slots_lit
from tests.console.technician.commands.technician_bench import TechnicianBench, open_bench

WIDEST = 79

STAKED = ("press GAME_OVER", "token 1", "key S")


# Whatever ends it, the outputs are let go


def end_with_a_key(bench: TechnicianBench) -> None:
    bench.type("x")


def end_with_ctrl_c(bench: TechnicianBench) -> None:
    bench.type("\x03")


def end_by_pulling_the_cable(bench: TechnicianBench) -> None:
    bench.typist.unplug()


def end_by_waiting(bench: TechnicianBench) -> None:
    bench.wait(130)


def end_by_turning_the_key(bench: TechnicianBench) -> None:
    bench.cabinet.turn_key(KeyPosition.R)
    assert "no longer driven" in bench.wait(2)


ENDS: list[Callable[[TechnicianBench], None]] = [
    end_with_a_key,
    end_with_ctrl_c,
    end_by_pulling_the_cable,
    end_by_waiting,
    end_by_turning_the_key,
]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("command", ["lamp all", "display HELLO", "walk"])
def test_however_it_ends_the_outputs_are_the_tables_again(
    tmp_path: Path, command: str, end: Callable[[TechnicianBench], None]
) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command(command)
        assert bench.is_driven()
        end(bench)
        if command == "walk" and bench.is_driven():
            bench.type("q")  # a key goes on, q ends
        assert not bench.is_driven()
        assert (slots_lit(bench), leds_lit(bench), combinations_lit(bench)) == ({}, {}, [])
        bench.wait(3)
        assert bench.cabinet.display.lines()[0].strip() == "JACKPOT"


def test_a_power_cut_ends_it_and_the_next_start_drives_nothing(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("lamp all")
        bench.rig.table.simulated_table.do(bench.rig.table.parse_act("power off"))
        assert "NO_POWER" in bench.wait(1)
        bench.rig.table.simulated_table.do(bench.rig.table.parse_act("power on"))
        bench.wait(1)
        assert not bench.is_driven()
        assert slots_lit(bench) == {}


def test_outputs_that_the_table_does_not_release_in_time_are_told(tmp_path: Path) -> None:
    disk = HeldDiskWriter()
    with open_bench(tmp_path, disk=disk) as bench:
        bench.type_command("lamp all")
        disk.held = True
        bench.type("x")
        printed = bench.wait(ANSWER_S + 1)
        assert "they may still be driven" in printed
        assert "NO_ANSWER" in printed
        assert "outputs released" not in bench.printed
        assert bench.is_driven()
        disk.held = False
        disk.go_on()
        bench.wait(1)
        assert not bench.is_driven()


def test_outputs_that_the_table_has_released_itself_are_no_failure(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("lamp all")
        end_by_turning_the_key(bench)
        assert "outputs released" in bench.printed
        assert "NOT_ENTERED" not in bench.printed


# What is missing is said


def test_who_has_not_entered_is_asked_to(tmp_path: Path) -> None:
    with open_bench(tmp_path, enters=False) as bench:
        assert "Name:" in bench.type_command("lamp 3")
        assert "PIN:" in bench.type_command("rossi")
        bench.type("271828\r")
        assert "slot lamp of seat 3: on" in bench.wait(1) + bench.printed
        assert slots_lit(bench) == {3: Lamp.ON}


def test_who_does_not_enter_drives_nothing(tmp_path: Path) -> None:
    with open_bench(tmp_path, enters=False) as bench:
        bench.type_command("lamp 3")
        assert "NOT_ENTERED: nobody has entered: enter" in bench.type_command("")
        assert not bench.is_driven()


def test_a_floor_manager_drives_nothing(tmp_path: Path) -> None:
    with open_bench(tmp_path, enters=False) as bench:
        bench.rig.enter("bianchi", Duty.FLOOR_MANAGER)
        assert "NOT_YOUR_DUTY" in bench.type_command("lamp 3")
        assert not bench.is_driven()


def test_with_a_key_that_cannot_be_read_nobody_is_sent_to_s(tmp_path: Path) -> None:
    with open_bench(tmp_path, lines=()) as bench:
        bench.cabinet.panel.weld(KeyPosition.JPL)
        bench.cabinet.turn_key(KeyPosition.S)
        bench.wait(2)
        printed = bench.type_command("lamp 1") + bench.wait(1)
    assert "NOT_IN_SERVICE" in printed
    assert "the key cannot be read (closed: JPL S), not even at S: mend KEY_FAULT first" in printed
    assert "Close the table" not in printed


@pytest.mark.parametrize(
    ("lines", "stands"),
    [((), "key at R, table PAUSED"), (STAKED, "key at S, table BETTING")],
)
@pytest.mark.parametrize("command", ["lamp 3", "display", "gate 3", "walk"])
def test_a_table_not_in_service_is_told_with_how_it_stands(
    tmp_path: Path, command: str, lines: tuple[str, ...], stands: str
) -> None:
    with open_bench(tmp_path, lines=lines) as bench:
        printed = bench.type_command(command) + bench.wait(1)
        assert "NOT_IN_SERVICE" in printed
        assert f"Now: {stands}." in printed
        assert not bench.is_driven()


# What is printed


@pytest.mark.parametrize("language", list(Language))
def test_it_is_plain_ascii_on_79_columns(tmp_path: Path, language: Language) -> None:
    with open_bench(tmp_path, language=language) as bench:
        bench.cabinet.rail.kill_lamp(1)
        bench.type_command("walk")
        while not bench.at_the_prompt:
            bench.wait(1)
            bench.type("n")
        for command in ("lamp", "gate", "gate 3", "lamp FOUR_OF_A_KIND alert"):
            bench.type_command(command)
            bench.wait(4)
            bench.type("x")
        assert bench.printed.isascii()
        assert max(map(len, bench.printed.splitlines())) <= WIDEST
