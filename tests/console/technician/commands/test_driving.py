"""`lamp`, `display`, `gate`, `walk`: what lights at the cabinet, and that nothing stays lit."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from console.codes import Duty
from console.technician.cabinet.dropping import Drops, told_of_drops
from console.texts import Language
from devices.roles import SEATS, Device, KeyPosition, Lamp
from tests.console.technician.commands.visit import Visit, visit

WIDEST = 79
STAKED = ("press GAME_OVER", "token 1", "key S")


def slots_lit(seen: Visit) -> dict[int, Lamp]:
    return {seat: lamp for seat, lamp in seen.cabinet.slot_lamps().items() if lamp is not Lamp.DARK}


def leds_lit(seen: Visit) -> dict[int, Lamp]:
    return {seat: lamp for seat, lamp in seen.cabinet.seat_leds().items() if lamp is not Lamp.DARK}


def combinations_lit(seen: Visit) -> list[int]:
    return [at for at, lit in enumerate(seen.cabinet.combination_lamps(), 1) if lit]


# One lamp


def test_a_slot_lamp_lights_alone_until_a_key_comes(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        assert "slot lamp of seat 3: on" in seen.says("lamp 3")
        assert slots_lit(seen) == {3: Lamp.ON}
        assert leds_lit(seen) == {}
        assert "outputs let go" in seen.types(" ")
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
        seen.rig.table.rehearsal.do(seen.rig.table.understood("power off"))
        assert "NO_POWER" in seen.waits(1)
        seen.rig.table.rehearsal.do(seen.rig.table.understood("power on"))
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


# The display


def test_a_text_stands_on_the_display(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("display BUONA SERA|A TUTTI")
        seen.waits(1)
        assert [line.rstrip() for line in seen.cabinet.display_lines()] == ["BUONA SERA", "A TUTTI"]


def test_without_a_text_every_pattern_comes_in_turn(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        told, shown = seen.says("display"), []
        while not seen.at_the_prompt:
            seen.waits(1)
            lines = seen.cabinet.display_lines()
            assert all(f"[{line}]" in told for line in lines)
            shown.append(lines)
            told = seen.types(" ")
        assert shown[0] == ("8" * 20, "8" * 20)
        letters = "".join(shown[1])
        assert set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,+") <= set(letters)
        assert shown[2][0] != shown[2][1]
        assert "outputs let go" in told


@pytest.mark.parametrize("text", ["A" * 41, "BUONA SERA A TUTTI QUANTI|X"])
def test_a_text_too_long_is_misused(tmp_path: Path, text: str) -> None:
    with visit(tmp_path) as seen:
        assert "two lines of 20 ASCII characters" in seen.says(f"display {text}")
        assert not seen.driven()


def test_a_display_that_is_not_there_is_told(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.unplug(Device.DISPLAY)
        seen.waits(2)
        assert "the display is not there: look at its plug and cable" in seen.says("display HELLO")


# Gates


def test_a_token_drops_and_is_counted(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.put_token(3)
        told = seen.says("gate 3") + seen.waits(1)
        assert "drop sensor 1, tray 1, sensor free" in told
        assert "the token dropped and is counted" in told
        assert seen.cabinet.tray_count == 1
        assert seen.at_the_prompt
        assert not seen.driven()


@pytest.mark.parametrize("broken", ["stick_gate", "jam"])
def test_a_gate_that_sticks_is_told(tmp_path: Path, broken: str) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.put_token(3)
        if broken == "jam":
            seen.cabinet.jam(3)
        else:
            seen.cabinet.rail.stick_gate(3)
        told = seen.says("gate 3") + seen.waits(5)
        assert "drop sensor 0, tray 0, sensor covered" in told
        assert "the board opened gate 3; the token did NOT drop:\n  coil, plug" in told
        assert not seen.driven()


def test_a_gate_that_the_board_does_not_open_is_told() -> None:
    seen = Drops(covered=frozenset({3}))
    assert told_of_drops(3, True, seen, Language.EN)[-1] == "  the board did NOT open gate 3"
    it = told_of_drops(3, True, seen, Language.IT)
    assert it[-1] == "  la scheda NON ha aperto lo sportellino 3"


def test_what_is_typed_while_a_gate_is_open_is_the_next_command(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.put_token(3)
        seen.cabinet.rail.stick_gate(3)
        seen.says("gate 3")
        seen.types("rail\r")
        assert "did NOT drop" not in seen.heard
        seen.waits(5)
        assert "did NOT drop" in seen.heard
        assert "occupied 3" in seen.heard


def test_a_letter_that_ends_a_lamp_begins_the_next_command(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("lamp 3")
        seen.types("gate 9\r")
        assert "which seat? 1-7" in seen.heard


def test_a_dead_sensor_shows_by_a_token_that_drops_unseen(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.rail.kill_sensor(3)
        seen.cabinet.put_token(3)
        assert "a token dropped that the seat's sensor had not seen" in seen.says("gate 3")


def test_without_a_token_nothing_is_said_of_the_gate(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        assert "nothing dropped: put a token in" in seen.says("gate 3") + seen.waits(5)


def test_each_opening_is_one_token(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        for tokens in (1, 2):
            seen.cabinet.put_token(3)
            seen.says("gate 3")
            seen.waits(1)
            assert seen.cabinet.tray_count == tokens
            assert seen.cabinet.open_gates() == frozenset()


@pytest.mark.parametrize("settings", ["game tre-card-stud", "rail cctalk", "game black-jack"])
def test_a_rail_without_gates_says_so(tmp_path: Path, settings: str) -> None:
    with visit(tmp_path, settings) as seen:
        assert "this table's rail has no gates" in seen.says("gate 3")


@pytest.mark.parametrize("typed", ["gate", "gate 0", "gate 3 4", "gate all"])
def test_a_gate_is_that_of_one_seat(tmp_path: Path, typed: str) -> None:
    with visit(tmp_path) as seen:
        assert "which seat? 1-7" in seen.says(typed)


# The walk


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
    names = seen.rig.table.rehearsal.service.combinations
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


def test_a_walk_around_a_table_without_a_jackpot_is_its_display(tmp_path: Path) -> None:
    with visit(tmp_path, "game black-jack") as seen:
        assert "1/3 display" in seen.says("walk")


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
