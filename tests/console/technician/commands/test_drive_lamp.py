"""`lamp`: exactly the lamps asked for light."""

from pathlib import Path

import pytest

from console.texts.language import Language
from devices.roles import SEATS, Lamp
from tests.console.technician.commands.lit_lamps import combinations_lit, leds_lit, slots_lit
from tests.console.technician.commands.technician_bench import open_bench


def test_a_slot_lamp_lights_alone_until_a_key_comes(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        assert "slot lamp of seat 3: on" in bench.type_command("lamp 3")
        assert slots_lit(bench) == {3: Lamp.ON}
        assert leds_lit(bench) == {}
        assert "outputs released" in bench.type(" ")
        assert slots_lit(bench) == {}
        assert bench.at_the_prompt


def test_a_poker_tables_lit_buttons_have_their_first_legend(tmp_path: Path) -> None:
    with open_bench(tmp_path, "game texas-holdem") as bench:
        assert "lamp of the button TIME: on" in bench.type_command("lamp TIME")
        assert combinations_lit(bench) == [5]


@pytest.mark.parametrize(
    ("command", "slots", "leds", "combinations"),
    [
        ("lamp 7 alert", {7: Lamp.ALERT}, {}, []),
        ("lamp seat 2", {}, {2: Lamp.ON}, []),
        ("lamp seat 2 alert", {}, {2: Lamp.ALERT}, []),
        ("lamp FLUSH", {}, {}, [5]),
        ("lamp royal_flush on", {}, {}, [1]),
        ("lamp FLUSH dark", {}, {}, []),
        ("lamp all", dict.fromkeys(SEATS, Lamp.ON), dict.fromkeys(SEATS, Lamp.ON), [1, 2, 3, 4, 5]),
        ("lamp all dark", {}, {}, []),
    ],
)
def test_exactly_the_lamps_asked_for_light(
    tmp_path: Path,
    command: str,
    slots: dict[int, Lamp],
    leds: dict[int, Lamp],
    combinations: list[int],
) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command(command)
        assert (slots_lit(bench), leds_lit(bench), combinations_lit(bench)) == (
            slots,
            leds,
            combinations,
        )


def test_in_italian(tmp_path: Path) -> None:
    with open_bench(tmp_path, language=Language.IT) as bench:
        assert "LED del posto 2, sulla consolle: lampeggia" in bench.type_command(
            "lampada posto 2 allarme"
        )
        assert leds_lit(bench) == {2: Lamp.ALERT}
        assert "uscite rilasciate" in bench.type("x")


def test_a_slot_lamp_that_draws_nothing_is_told(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.rail.kill_lamp(5)
        assert "slot lamp of seat 5 draws no current" in bench.type_command("lamp 5") + bench.wait(
            1
        )
        bench.type("x")
        assert "draws no current" not in bench.type_command("lamp 4") + bench.wait(1)


@pytest.mark.parametrize("typed", ["lamp", "lamp 8", "lamp POKER", "lamp seat 9", "lamp 3 bright"])
def test_a_lamp_there_is_not_is_answered_with_those_there_are(tmp_path: Path, typed: str) -> None:
    with open_bench(tmp_path) as bench:
        printed = bench.type_command(typed)
        assert "which lamp? 1-7 seat 1-7 ROYAL_FLUSH" in printed
        assert "usage: lamp SEAT|" in printed
        assert not bench.is_driven()


def test_a_table_without_a_rail_has_no_slot_lamps(tmp_path: Path) -> None:
    with open_bench(tmp_path, "game black-jack") as bench:
        assert "this table has no coin rail" in bench.type_command("lamp 3")
        bench.type_command("lamp all")
        assert bench.is_driven()
