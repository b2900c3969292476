"""A simulation by the clock whose machine stands still at times."""

from pathlib import Path
from time import perf_counter

from console.configuration.table_plan import TablePlan
from console.simulation.scenario.language.acts import Vocabulary, parse_act
from console.simulation.scenario.simulated_machine import machine_in_real_time
from console.simulation.scenario.simulated_table import SimulatedTable

TO_THE_FIRST_WINNER = (
    "press game_over",
    "token 1 2",
    "press coin_in",
    "wait 1s",
    "press flush",
    "key jpl",
)


def stand_still(seconds: float) -> None:
    end = perf_counter() + seconds
    while perf_counter() < end:
        pass


def test_a_button_comes_up_before_it_is_pressed_again(tmp_path: Path) -> None:
    with machine_in_real_time(TablePlan(), tmp_path) as machine:
        simulated_table, words = SimulatedTable(machine), Vocabulary.of("caribbean-stud")
        simulated_table.wait_for_links()
        for line in TO_THE_FIRST_WINNER:
            simulated_table.do(parse_act(line.split(), words))
        machine.loop.call_later(0.02, stand_still, 0.1)
        for line in ("press jpot", "press jpot", "wait 1s"):
            simulated_table.do(parse_act(line.split(), words))
        award = simulated_table.observe().award
    assert award is not None
    assert award.winners == 2
