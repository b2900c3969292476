"""`walk`: from lamp to lamp, and what is not lit is noted."""

import re
from pathlib import Path

from devices.roles import Lamp
from tests.console.technician.commands.lit_lamps import combinations_lit, leds_lit, slots_lit
from tests.console.technician.commands.technician_bench import TechnicianBench, open_bench


def test_the_walk_says_what_should_be_lit_and_it_is(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        shown = bench.type_command("walk")
        walked = 0
        while not bench.at_the_prompt:
            bench.wait(0.3)
            expected = shown.splitlines()[-2:]
            walked += check_what_is_lit(bench, "\n".join(expected))
            shown = bench.type(" ")
            if "gate open" in shown:
                shown += bench.wait(3.2)
        assert walked == 7 + 7 + 5
        assert "29/29 gate of seat 7?" in bench.printed
        assert "nothing noted" in shown


def check_what_is_lit(bench: TechnicianBench, text: str) -> int:
    """1 if it names a lamp, and that lamp is lit alone."""
    lit = (slots_lit(bench), leds_lit(bench), combinations_lit(bench))
    names = bench.rig.table.simulated_table.service.combinations
    if found := re.search(r"slot lamp of seat (\d)", text):
        assert lit == ({int(found[1]): Lamp.ON}, {}, [])
    elif found := re.search(r"seat LED (\d)", text):
        assert lit == ({}, {int(found[1]): Lamp.ON}, [])
    elif found := re.search(r"lamp of the button (\w+)", text):
        assert lit == ({}, {}, [names.index(found[1]) + 1])
    else:
        return 0
    return 1


def test_what_is_not_lit_is_noted_and_listed(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.rail.kill_lamp(2)
        bench.type_command("walk")
        bench.type(" ")
        assert "slot lamp of seat 2 draws no current" in bench.wait(1) + bench.printed
        bench.type("n")
        assert "not lit: slot lamp of seat 2\n" in bench.type("q")


def test_what_was_typed_before_a_lamp_is_lit_does_not_go_on(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type("walk\r" + " " * 28)
        assert "1/29 slot lamp of seat 1" in bench.wait(1) + bench.printed
        assert "2/29" not in bench.printed


def test_a_walk_around_a_table_without_a_jackpot_is_its_display(tmp_path: Path) -> None:
    with open_bench(tmp_path, "game black-jack") as bench:
        assert "1/3 display" in bench.type_command("walk")
