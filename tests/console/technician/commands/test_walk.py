"""`walk`: from lamp to lamp, and what is not lit is noted."""

import re
from pathlib import Path

from devices.roles import Lamp
from tests.console.technician.commands.lit import combinations_lit, leds_lit, slots_lit
from tests.console.technician.commands.visit import Visit, visit


def test_the_walk_says_what_should_be_lit_and_it_is(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        told = seen.says("walk")
        walked = 0
        while not seen.at_the_prompt:
            seen.waits(0.3)
            expected = told.splitlines()[-2:]
            walked += check_what_is_lit(seen, "\n".join(expected))
            told = seen.types(" ")
            if "gate open" in told:
                told += seen.waits(3.2)
        assert walked == 7 + 7 + 5
        assert "29/29 gate of seat 7?" in seen.heard
        assert "nothing noted" in told


def check_what_is_lit(seen: Visit, told: str) -> int:
    """1 if it names a lamp, and that lamp is lit alone."""
    lit = (slots_lit(seen), leds_lit(seen), combinations_lit(seen))
    names = seen.rig.table.simulated_table.service.combinations
    if found := re.search(r"slot lamp of seat (\d)", told):
        assert lit == ({int(found[1]): Lamp.ON}, {}, [])
    elif found := re.search(r"seat LED (\d)", told):
        assert lit == ({}, {int(found[1]): Lamp.ON}, [])
    elif found := re.search(r"lamp of the button (\w+)", told):
        assert lit == ({}, {}, [names.index(found[1]) + 1])
    else:
        return 0
    return 1


def test_what_is_not_lit_is_noted_and_listed(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.rail.kill_lamp(2)
        seen.says("walk")
        seen.types(" ")
        assert "slot lamp of seat 2 draws no current" in seen.waits(1) + seen.heard
        seen.types("n")
        assert "not lit: slot lamp of seat 2\n" in seen.types("q")


def test_what_was_typed_before_a_lamp_is_lit_does_not_go_on(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.types("walk\r" + " " * 28)
        assert "1/29 slot lamp of seat 1" in seen.waits(1) + seen.heard
        assert "2/29" not in seen.heard


def test_a_walk_around_a_table_without_a_jackpot_is_its_display(tmp_path: Path) -> None:
    with visit(tmp_path, "game black-jack") as seen:
        assert "1/3 display" in seen.says("walk")
