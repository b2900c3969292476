"""A simulation by the clock whose machine stands still at times."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from console.configuration.table_plan import TablePlan
from console.rules.codes import Phase
from console.simulation.scenario.acts import Vocabulary, parse_act
from console.simulation.scenario.play import perform
from console.simulation.scenario.simulated_machine import SimulatedMachine, machine_in_real_time
from console.simulation.scenario.simulated_table import SimulatedTable
from tests.deadlines import DEADLINE_S

LOOK_MS = 10

WORDS = Vocabulary.of("caribbean-stud")


def stand_still(seconds: float) -> None:
    end = perf_counter() + seconds
    while perf_counter() < end:
        pass


class RealTimeTable:
    """A table by the clock, on a machine that may be busy: what is done is on record first."""

    def __init__(self, machine: SimulatedMachine) -> None:
        self.machine = machine
        self.table = SimulatedTable(machine)
        self.table.wait_for_devices()

    def play(self, *lines: str) -> None:
        for line in lines:
            act = parse_act(line.split(), WORDS)
            self.machine.loop.run_until_complete(perform(self.table, act))

    def wait_until(self, reached: Callable[[], bool]) -> None:
        end = perf_counter() + DEADLINE_S
        while not reached():
            assert perf_counter() < end
            self.machine.pass_time(LOOK_MS)


def test_a_button_comes_up_before_it_is_pressed_again(tmp_path: Path) -> None:
    with machine_in_real_time(TablePlan(), tmp_path) as machine:
        ours = RealTimeTable(machine)
        ours.play("press game_over", "token 1 2", "press coin_in")
        ours.wait_until(lambda: ours.table.observe().phase is Phase.PLAYING)
        ours.play("press flush", "key jpl")
        machine.loop.call_later(0.02, stand_still, 0.1)
        for _ in range(2):
            ours.table.do(parse_act(["press", "jpot"], WORDS))
        ours.wait_until(ours.table.is_settled)
        award = ours.table.observe().award
    assert award is not None
    assert award.winners == 2
