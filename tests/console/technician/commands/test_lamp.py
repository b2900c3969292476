"""`lamp`: exactly the lamps asked for light."""

from pathlib import Path

import pytest

from console.texts.language import Language
from devices.roles import SEATS, Lamp
from tests.console.technician.commands.lit import combinations_lit, leds_lit, slots_lit
from tests.console.technician.commands.visit import visit


def test_a_slot_lamp_lights_alone_until_a_key_comes(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        assert "slot lamp of seat 3: on" in seen.says("lamp 3")
        assert slots_lit(seen) == {3: Lamp.ON}
        assert leds_lit(seen) == {}
        assert "outputs released" in seen.types(" ")
        assert slots_lit(seen) == {}
        assert seen.at_the_prompt


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
    with visit(tmp_path) as seen:
        seen.says(command)
        assert (slots_lit(seen), leds_lit(seen), combinations_lit(seen)) == (
            slots,
            leds,
            combinations,
        )


def test_in_italian(tmp_path: Path) -> None:
    with visit(tmp_path, language=Language.IT) as seen:
        assert "LED del posto 2, sulla consolle: lampeggia" in seen.says("lampada posto 2 allarme")
        assert leds_lit(seen) == {2: Lamp.ALERT}
        assert "uscite rilasciate" in seen.types("x")


def test_a_slot_lamp_that_draws_nothing_is_told(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.rail.kill_lamp(5)
        assert "slot lamp of seat 5 draws no current" in seen.says("lamp 5") + seen.waits(1)
        seen.types("x")
        assert "draws no current" not in seen.says("lamp 4") + seen.waits(1)


@pytest.mark.parametrize("typed", ["lamp", "lamp 8", "lamp POKER", "lamp seat 9", "lamp 3 bright"])
def test_a_lamp_there_is_not_is_answered_with_those_there_are(tmp_path: Path, typed: str) -> None:
    with visit(tmp_path) as seen:
        told = seen.says(typed)
        assert "which lamp? 1-7 seat 1-7 ROYAL_FLUSH" in told
        assert "usage: lamp SEAT|" in told
        assert not seen.driven()


def test_a_table_without_a_rail_has_no_slot_lamps(tmp_path: Path) -> None:
    with visit(tmp_path, "game black-jack") as seen:
        assert "this table has no coin rail" in seen.says("lamp 3")
        seen.says("lamp all")
        assert seen.driven()
