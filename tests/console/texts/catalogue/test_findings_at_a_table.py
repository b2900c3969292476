"""What is noticed at a whole table: in order, nothing; with a prepared fault, what points to it."""

from pathlib import Path

import pytest

from console.configuration.table_plan import TablePlan
from console.rules.acts import OutputsDriven
from console.rules.drive import Drive
from console.simulation.cabinet import prepare
from console.simulation.scenario.simulated_machine import SimulatedMachine, machine_in_virtual_time
from console.texts.catalogue.findings import find
from tests.console.table import Table

ROUND = ("wait 2s", "press game_over", "token 2 4 6", "press coin_in", "wait 70s")


def find_at(table: Table, machine: SimulatedMachine) -> list[tuple[str, str, str]]:
    parts = table.simulated_table.service.drivers
    health = {"disk_free_mb": float(machine.disk.free_mb())}
    findings = find(
        parts.inputs(), parts.figures(), dict.fromkeys(table.state.seats.stuck, 1), health
    )
    return [(one.code, one.where, one.detail) for one in findings]


@pytest.mark.sampled
@pytest.mark.parametrize(
    "plan",
    [
        TablePlan(),
        TablePlan(game="tre-card-stud"),
        TablePlan(game="mini-punto-banco"),
        TablePlan(game="black-jack"),
    ],
    ids=lambda plan: plan.game,
)
def test_a_sound_table_has_nothing_to_notice(plan: TablePlan, tmp_path: Path) -> None:
    with machine_in_virtual_time(plan, tmp_path) as machine:
        table = Table(plan, machine)
        table.play("press game_over", "press coin_in", "key JPL", "key R", "wait 1h")
        assert find_at(table, machine) == []


@pytest.mark.parametrize(
    ("fault", "findings"),
    [
        (1, [("BOARD_RESTARTS", "rail", "10")]),
        (2, []),  # DISPLAY_LOST says it all
        (3, [("KEY_CONTACTS", "key", "R JPL")]),
        (4, []),  # a seat that nobody uses looks the same: only a token put in tells
        (6, [("GATE_STICKS", "seat 6", "once")]),
        (7, [("BUTTON_HELD", "GAME_OVER", "72 s")]),
        (8, []),  # CARD_COUNT
        (9, [("DISK_FILLS", "disk", "0 MB")]),
        (10, [("LAMP_DEAD", "seat 2", "")]),
    ],
)
def test_a_prepared_fault_is_pointed_to(
    fault: int, findings: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    plan = TablePlan()
    with machine_in_virtual_time(plan, tmp_path) as machine:
        prepare(fault, machine.loop, machine.cabinet, machine.disk)
        table = Table(plan, machine)
        table.play(*ROUND)
        assert find_at(table, machine) == findings


def test_a_dead_sensor_is_noticed_when_its_gate_was_driven_by_hand(tmp_path: Path) -> None:
    plan = TablePlan()
    with machine_in_virtual_time(plan, tmp_path) as machine:
        prepare(4, machine.loop, machine.cabinet, machine.disk)
        table = Table(plan, machine)
        table.play(*ROUND, "press game_over", "press coin_in", "expect phase PAUSED", "key S")
        table.simulated_table.service.report(OutputsDriven("anna", Drive(gates=frozenset({4}))))
        machine.pass_time(3000)
        assert find_at(table, machine) == [("SENSOR_DEAD", "seat 4", "1")]


def test_a_sensor_that_is_covered_for_half_an_hour(tmp_path: Path) -> None:
    plan = TablePlan()
    with machine_in_virtual_time(plan, tmp_path) as machine:
        table = Table(plan, machine)
        table.play("cover 5", "wait 30m")
        assert find_at(table, machine) == [("SENSOR_COVERED", "seat 5", "30 min")]
        table.play("uncover 5")
        assert find_at(table, machine) == []


def test_an_unplugged_panel_is_one_fault_and_nothing_more(tmp_path: Path) -> None:
    plan = TablePlan()
    with machine_in_virtual_time(plan, tmp_path) as machine:
        table = Table(plan, machine)
        table.play("unplug panel", "wait 1m", "expect fault PANEL_LOST")
        assert find_at(table, machine) == []
