"""`gate`: a token drops and is counted, or what is wrong with the gate is told."""

from pathlib import Path

import pytest

from console.technician.gate_drops import Drops, describe_drops
from console.texts.language import Language
from tests.console.technician.commands.technician_bench import open_bench


def test_a_token_drops_and_is_counted(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.rail.put_token(3)
        printed = bench.type_command("gate 3") + bench.wait(1)
        assert "drop sensor 1, tray 1, sensor free" in printed
        assert "the token dropped and is counted" in printed
        assert bench.cabinet.tray_count == 1
        assert bench.at_the_prompt
        assert not bench.is_driven()


@pytest.mark.parametrize("broken", ["stick_gate", "jam"])
def test_a_gate_that_sticks_is_told(tmp_path: Path, broken: str) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.rail.put_token(3)
        if broken == "jam":
            bench.cabinet.rail.jam(3, True)
        else:
            bench.cabinet.rail.stick_gate(3)
        printed = bench.type_command("gate 3") + bench.wait(5)
        assert "drop sensor 0, tray 0, sensor covered" in printed
        assert "the board opened gate 3; the token did NOT drop:\n  coil, plug" in printed
        assert not bench.is_driven()


def test_a_gate_that_the_board_does_not_open_is_told() -> None:
    bench = Drops(covered=frozenset({3}))
    assert describe_drops(3, True, bench, Language.EN)[-1] == "  the board did NOT open gate 3"
    it = describe_drops(3, True, bench, Language.IT)
    assert it[-1] == "  la scheda NON ha aperto lo sportello 3"


def test_what_is_typed_while_a_gate_is_open_is_the_next_command(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.rail.put_token(3)
        bench.cabinet.rail.stick_gate(3)
        bench.type_command("gate 3")
        bench.type("rail\r")
        assert "did NOT drop" not in bench.printed
        bench.wait(5)
        assert "did NOT drop" in bench.printed
        assert "occupied 3" in bench.printed


def test_a_letter_that_ends_a_lamp_begins_the_next_command(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("lamp 3")
        bench.type("gate 9\r")
        assert "which seat? 1-7" in bench.printed


def test_a_dead_sensor_shows_by_a_token_that_drops_unseen(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.rail.kill_sensor(3)
        bench.cabinet.rail.put_token(3)
        assert "a token dropped that the seat's sensor had not seen" in bench.type_command("gate 3")


def test_without_a_token_nothing_is_said_of_the_gate(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        assert "nothing dropped: put a token in" in bench.type_command("gate 3") + bench.wait(5)


def test_each_opening_is_one_token(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        for tokens in (1, 2):
            bench.cabinet.rail.put_token(3)
            bench.type_command("gate 3")
            bench.wait(1)
            assert bench.cabinet.tray_count == tokens
            assert bench.cabinet.open_gates() == frozenset()


@pytest.mark.parametrize("settings", ["game tre-card-stud", "rail cctalk", "game black-jack"])
def test_a_rail_without_gates_says_so(tmp_path: Path, settings: str) -> None:
    with open_bench(tmp_path, settings) as bench:
        assert "this table's rail has no gates" in bench.type_command("gate 3")


@pytest.mark.parametrize("typed", ["gate", "gate 0", "gate 3 4", "gate all"])
def test_a_gate_is_that_of_one_seat(tmp_path: Path, typed: str) -> None:
    with open_bench(tmp_path) as bench:
        assert "which seat? 1-7" in bench.type_command(typed)
