"""The ten prepared faults: each leaves a sign in what the devices report."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.configuration.table_plan import TablePlan
from console.rules.codes import Fault
from console.simulation.cabinet import FAULTS, PhysicallyImpossible, prepare
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from devices.figures import DeviceFigures, InputFigures
from tests.console.table import Table

NIGHT = (
    "wait 2s",
    "press game_over",
    "token 2 4 6",
    "press coin_in",
    "wait 70s",
)
"""A round as it is always begun, and the time of a shuffle."""


@contextmanager
def with_fault(number: int, folder: Path, plan: TablePlan | None = None) -> Iterator[Table]:
    plan = plan or TablePlan()
    with machine_in_virtual_time(plan, folder) as machine:
        prepare(number, machine.loop, machine.cabinet, machine.disk)
        yield Table(plan, machine)


def input_of(table: Table, name: str) -> InputFigures:
    inputs = table.simulated_table.service.drivers.inputs()
    return next(figures for figures in inputs if figures.name == name)


def figures_of(table: Table, line: str) -> DeviceFigures:
    devices = table.simulated_table.service.drivers.figures()
    return next(figures for figures in devices if figures.line == line)


def test_they_are_ten() -> None:
    assert sorted(FAULTS) == list(range(1, 11))


@pytest.mark.parametrize("number", FAULTS)
def test_each_can_be_prepared_again_where_it_was_prepared_before(
    number: int, tmp_path: Path
) -> None:
    with with_fault(number, tmp_path) as table:
        prepare(number, table.machine.loop, table.machine.cabinet, table.machine.disk)
        table.play("wait 5s")


def test_1_the_rails_board_begins_anew_again_and_again(tmp_path: Path) -> None:
    with with_fault(1, tmp_path) as table:
        table.play(*NIGHT)
        assert figures_of(table, "rail").counts.boots == 10
        assert figures_of(table, "shuffler").counts.boots == 0


def test_2_the_display_is_unplugged_until_it_is_plugged_in(tmp_path: Path) -> None:
    with with_fault(2, tmp_path) as table:
        table.play(*NIGHT, "expect fault DISPLAY_LOST")
        assert not figures_of(table, "display").up
        table.play("plug display", "wait 5s", "expect fault none")


def test_3_two_contacts_of_the_key_are_closed(tmp_path: Path) -> None:
    with with_fault(3, tmp_path) as table:
        table.play(*NIGHT, "expect fault KEY_FAULT")
        assert (input_of(table, "key R").closed, input_of(table, "key JPL").closed) == (
            True,
            True,
        )
        table.play("key s")
        assert (input_of(table, "key R").closed, input_of(table, "key JPL").closed) == (
            False,
            True,
        )


def test_4_a_sensor_sees_no_token(tmp_path: Path) -> None:
    with with_fault(4, tmp_path) as table:
        table.play(*NIGHT, "expect seats 2 6")
        assert [input_of(table, f"seat {seat}").edges for seat in (2, 4, 6)] == [2, 0, 2]
        assert 4 in table.machine.cabinet.state.tokens


def test_6_a_gate_does_not_open_and_its_token_stays(tmp_path: Path) -> None:
    with with_fault(6, tmp_path) as table:
        table.play(*NIGHT, "expect fault TOKEN_STUCK", "expect phase COLLECTING")
        table.play("press coin_in", "wait 3s", "expect fault TOKEN_STUCK")
        assert input_of(table, "seat 6").closed
        assert input_of(table, "seat 6 drop").edges == 0
        assert figures_of(table, "rail").state["drops"] == "0 1 0 1 0 0 0"


def test_7_a_button_is_closed_and_its_presses_do_nothing(tmp_path: Path) -> None:
    with with_fault(7, tmp_path) as table:
        table.play(*NIGHT, "press game_over", "expect phase PAUSED", "expect fault none")
        stuck = input_of(table, "GAME_OVER")
        assert stuck.closed
        assert stuck.since_ms > 70_000
        assert stuck.edges == 0


def test_8_a_deck_is_a_card_short(tmp_path: Path) -> None:
    with with_fault(8, tmp_path) as table:
        table.play(*NIGHT, "expect fault CARD_COUNT")
        assert figures_of(table, "shuffler").state["counted"] == "51"
        table.play("deck unload", "wait 1s", "expect fault none")


def test_9_the_disk_is_full_when_the_table_runs(tmp_path: Path) -> None:
    with with_fault(9, tmp_path) as table:
        assert table.machine.disk.free_mb() > 0
        table.play(*NIGHT, "expect fault LEDGER_FAULT", "expect refused LOCKED")
        assert table.machine.disk.free_mb() == 0
        table.play("disk ok", "key s", "clear LEDGER_FAULT", "expect fault none")


def test_10_a_lamp_draws_nothing(tmp_path: Path) -> None:
    with with_fault(10, tmp_path) as table:
        assert figures_of(table, "rail").state["dead lamps"] == "none"
        table.play(*NIGHT, "expect phase PLAYING", "expect fault none")
        assert figures_of(table, "rail").state["dead lamps"] == "2"


def test_what_a_table_has_not_cannot_be_broken(tmp_path: Path) -> None:
    with pytest.raises(PhysicallyImpossible), with_fault(8, tmp_path, TablePlan(game="black-jack")):
        raise AssertionError("Black Jack has no shuffler")


def test_no_other_fault_is_prepared_with_one(tmp_path: Path) -> None:
    """The cards dealt short are no fault of the rail, and the reverse."""
    present: dict[int, tuple[Fault, ...]] = {}
    for number in FAULTS:
        with with_fault(number, tmp_path / str(number)) as table:
            table.play(*NIGHT)
            present[number] = table.state.faults
    expected = {
        2: (Fault.DISPLAY_LOST,),
        3: (Fault.KEY_FAULT,),
        6: (Fault.TOKEN_STUCK,),
        8: (Fault.CARD_COUNT,),
        9: (Fault.LEDGER_FAULT,),
    }
    assert present == {number: expected.get(number, ()) for number in FAULTS}
