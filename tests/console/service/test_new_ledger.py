"""A new ledger beside a board that has stayed powered, and that remembers the turns it served."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from console.configuration.table_plan import TablePlan
from console.simulation.scenario.simulated_machine import SimulatedMachine, machine_in_virtual_time
from tests.console.rules.round.driven_outputs import drive, gates
from tests.console.table import OPEN, Table

ALL = "token 1 2 3 4 5 6 7"
PLAYED = (*OPEN, ALL, "press COIN_IN", "expect phase PLAYING")
CLOSED = ("press GAME_OVER", "press COIN_IN", "expect phase PAUSED")


def begin_anew(machine: SimulatedMachine) -> Table:
    """The service is stopped, the ledger's folder is moved away, the service is started."""
    machine.close()
    folder = machine.disk.folder
    folder.rename(folder.with_name("acceptance"))
    folder.mkdir()
    return Table(machine.plan, machine)


def one_round(table: Table) -> None:
    table.play(*PLAYED, *CLOSED)


def seats_of_different_turns(table: Table) -> None:
    """Seats 1 and 2 have turn 1 behind them, seat 3 turn 2, the others none."""
    table.play(*OPEN, "token 1 2 3", "jam 3", "press COIN_IN", "wait 2s")
    table.play("unjam 3", "press COIN_IN", "expect phase PLAYING", *CLOSED)


@pytest.mark.parametrize("acceptance", [one_round, seats_of_different_turns])
def test_the_first_coin_in_of_a_new_ledger_opens_every_gate(
    acceptance: Callable[[Table], None], tmp_path: Path
) -> None:
    with machine_in_virtual_time(TablePlan(), tmp_path) as machine:
        acceptance(Table(machine.plan, machine))
        in_tray = machine.cabinet.tray_count
        table = begin_anew(machine)
        table.play("expect jackpot 10000.00", *OPEN, ALL, "press COIN_IN", "wait 200ms")
        table.play("expect phase PLAYING", "expect seats 1 2 3 4 5 6 7", "expect fault none")
        table.play("expect jackpot 10009.80", "wait 5s", "expect fault none")
        assert machine.cabinet.tray_count == in_tray + 7
        table.play(*CLOSED, *PLAYED)


def test_a_token_that_sticks_beside_a_gate_that_had_served_its_turn(tmp_path: Path) -> None:
    """Seat 3 is not opened while the gate of seat 5 stands open: nobody's token drops twice."""
    with machine_in_virtual_time(TablePlan(), tmp_path) as machine:
        Table(machine.plan, machine).play(*OPEN, "token 3", "press COIN_IN", *CLOSED)
        table = begin_anew(machine)
        table.play(*OPEN, "token 3 5", "jam 5", "press COIN_IN", "wait 1900ms")
        table.play("expect seats none", "expect phase COLLECTING", "wait 100ms")
        table.play("expect fault TOKEN_STUCK", "unjam 5", "press COIN_IN")
        table.play("expect phase PLAYING", "expect seats 3 5", "expect fault none")


def test_a_gate_driven_in_service_opens_though_its_turn_was_served(tmp_path: Path) -> None:
    with machine_in_virtual_time(TablePlan(), tmp_path) as machine:
        Table(machine.plan, machine).play(*OPEN, "token 3", "press COIN_IN", *CLOSED)
        table = begin_anew(machine)
        table.play("key S", "token 3")
        assert drive(table, gates(3)) is None
        table.play("wait 100ms", "expect fault none")
        assert machine.cabinet.tray_count == 2
        assert table.decisions("turn-served") == [{"decision": "turn-served", "turn": 1}]


def test_a_ledger_put_back_to_an_older_copy_opens_every_gate(tmp_path: Path) -> None:
    """Its turns go on where the copy ends: behind those that the board has served since."""
    with machine_in_virtual_time(TablePlan(), tmp_path) as machine:
        Table(machine.plan, machine).play(*PLAYED, *CLOSED)
        machine.close()
        copy = tmp_path / "copy"
        shutil.copytree(machine.disk.folder, copy)
        Table(machine.plan, machine).play(*PLAYED, *CLOSED)
        machine.close()
        shutil.rmtree(machine.disk.folder)
        copy.rename(machine.disk.folder)
        table = Table(machine.plan, machine)
        table.play(*OPEN, ALL, "press COIN_IN", "wait 200ms", "expect phase PLAYING")
        assert table.decisions("turn-served") == [{"decision": "turn-served", "turn": 2}]
