"""`lamp`, `display`, `gate`, `walk`: nothing stays lit, and what is missing is said."""

from collections.abc import Callable
from pathlib import Path

import pytest

from console.rules.codes import Duty
from console.texts.language import Language
from devices.roles import KeyPosition, Lamp
from tests.console.technician.commands.lit import combinations_lit, leds_lit, slots_lit
from tests.console.technician.commands.visit import Visit, visit

WIDEST = 79

STAKED = ("press GAME_OVER", "token 1", "key S")


# Whatever ends it, the outputs are let go


def ends_with_a_key(seen: Visit) -> None:
    seen.types("x")


def ends_with_ctrl_c(seen: Visit) -> None:
    seen.types("\x03")


def ends_with_the_cable_pulled(seen: Visit) -> None:
    seen.typist.leaves()


def ends_with_time(seen: Visit) -> None:
    seen.waits(130)


def ends_with_the_key_turned(seen: Visit) -> None:
    seen.cabinet.turn_key(KeyPosition.R)
    assert "no longer driven" in seen.waits(2)


ENDS: list[Callable[[Visit], None]] = [
    ends_with_a_key,
    ends_with_ctrl_c,
    ends_with_the_cable_pulled,
    ends_with_time,
    ends_with_the_key_turned,
]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("command", ["lamp all", "display HELLO", "walk"])
def test_however_it_ends_the_outputs_are_the_tables_again(
    tmp_path: Path, command: str, end: Callable[[Visit], None]
) -> None:
    with visit(tmp_path) as seen:
        seen.says(command)
        assert seen.driven()
        end(seen)
        if command == "walk" and seen.driven():
            seen.types("q")  # a key goes on, q ends
        assert not seen.driven()
        assert (slots_lit(seen), leds_lit(seen), combinations_lit(seen)) == ({}, {}, [])
        seen.waits(3)
        assert seen.cabinet.display_lines()[0].strip() == "JACKPOT"


def test_a_power_cut_ends_it_and_the_next_start_drives_nothing(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("lamp all")
        seen.rig.table.simulated_table.do(seen.rig.table.understood("power off"))
        assert "NO_POWER" in seen.waits(1)
        seen.rig.table.simulated_table.do(seen.rig.table.understood("power on"))
        seen.waits(1)
        assert not seen.driven()
        assert slots_lit(seen) == {}


# What is missing is said


def test_who_has_not_entered_is_asked_to(tmp_path: Path) -> None:
    with visit(tmp_path, enters=False) as seen:
        assert "Name:" in seen.says("lamp 3")
        assert "PIN:" in seen.says("rossi")
        seen.types("271828\r")
        assert "slot lamp of seat 3: on" in seen.waits(1) + seen.heard
        assert slots_lit(seen) == {3: Lamp.ON}


def test_who_does_not_enter_drives_nothing(tmp_path: Path) -> None:
    with visit(tmp_path, enters=False) as seen:
        seen.says("lamp 3")
        assert "NOT_ENTERED: nobody has entered: enter" in seen.says("")
        assert not seen.driven()


def test_a_floor_manager_drives_nothing(tmp_path: Path) -> None:
    with visit(tmp_path, enters=False) as seen:
        seen.rig.enter("bianchi", Duty.FLOOR_MANAGER)
        assert "NOT_YOUR_DUTY" in seen.says("lamp 3")
        assert not seen.driven()


def test_with_a_key_that_cannot_be_read_nobody_is_sent_to_s(tmp_path: Path) -> None:
    with visit(tmp_path, lines=()) as seen:
        seen.cabinet.panel.weld(KeyPosition.JPL)
        seen.cabinet.turn_key(KeyPosition.S)
        seen.waits(2)
        told = seen.says("lamp 1") + seen.waits(1)
    assert "NOT_IN_SERVICE" in told
    assert "the key cannot be read (closed: JPL S), not even at S: mend KEY_FAULT first" in told
    assert "Close the table" not in told


@pytest.mark.parametrize(
    ("lines", "stands"),
    [((), "key at R, table PAUSED"), (STAKED, "key at S, table BETTING")],
)
@pytest.mark.parametrize("command", ["lamp 3", "display", "gate 3", "walk"])
def test_a_table_not_in_service_is_told_with_how_it_stands(
    tmp_path: Path, command: str, lines: tuple[str, ...], stands: str
) -> None:
    with visit(tmp_path, lines=lines) as seen:
        told = seen.says(command) + seen.waits(1)
        assert "NOT_IN_SERVICE" in told
        assert f"Now: {stands}." in told
        assert not seen.driven()


# What is printed


@pytest.mark.parametrize("language", list(Language))
def test_it_is_plain_ascii_on_79_columns(tmp_path: Path, language: Language) -> None:
    with visit(tmp_path, language=language) as seen:
        seen.cabinet.rail.kill_lamp(1)
        seen.says("walk")
        while not seen.at_the_prompt:
            seen.waits(1)
            seen.types("n")
        for command in ("lamp", "gate", "gate 3", "lamp FOUR_OF_A_KIND alert"):
            seen.says(command)
            seen.waits(4)
            seen.types("x")
        assert seen.heard.isascii()
        assert max(map(len, seen.heard.splitlines())) <= WIDEST
