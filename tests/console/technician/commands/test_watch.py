"""`watch`: what a technician sees of buttons, key and sensors while pressing and turning them."""

import re
from pathlib import Path

import pytest

from console.texts.language import Language
from devices.device import Device
from devices.roles import Button, KeyPosition
from tests.console.technician.commands.visit import Visit, visit

BUT_GAME_OVER = [button for button in Button if button is not Button.GAME_OVER]
WIDEST = 79


def row_of(told: str, name: str) -> list[str]:
    """The newest line about an input, in words."""
    rows = [line for line in told.splitlines() if line[1:].startswith(f"{name} ")]
    assert rows, told
    return rows[-1].removeprefix(" ").split()


def test_every_input_is_there_with_its_state(tmp_path: Path) -> None:
    with visit(tmp_path, "inspector fitted") as seen:
        told = seen.says("watch")
        assert "new: edges since watch began; chat.: bounces; pulse: how long closed last" in told
        assert row_of(told, "COIN_IN")[1] == "open"
        assert row_of(told, "ROYAL_FLUSH")[1] == "open"
        assert row_of(told, "key S")[2] == "closed"
        assert row_of(told, "key R")[2] == "open"
        assert row_of(told, "plug")[1] == "closed"
        assert row_of(told, "inspector")[1] == "open"
        assert row_of(told, "seat 7")[2] == "free"
        assert row_of(told, "tray")[1] == "counts"
        picture = told[told.index(" input") :].splitlines()
        assert len([line for line in picture if line]) < 24  # it fits a terminal, the cursor below


def test_a_press_between_two_looks_shows_by_its_edges_and_its_length(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("watch panel")
        seen.cabinet.press(Button.COIN_IN)
        told = seen.waits(1)
        name, state, *_, edges, new, chatter, pulse = row_of(told, "COIN_IN")
        assert (name, state, edges, new, chatter, pulse) == (
            "*COIN_IN",
            "open",
            "2",
            "+2",
            "0",
            "25",
        )


def test_nothing_is_printed_while_nothing_moves(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("watch")
        seen.typist.sent = b""
        seen.waits(60)
        assert seen.typist.sent == b""
        seen.cabinet.press(Button.JPOT)
        seen.waits(1)
        assert 0 < len(seen.typist.sent) < 2 * WIDEST + 4


def test_all_buttons_pressed_but_one_and_the_end_names_it(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("watch panel")
        for button in BUT_GAME_OVER:
            seen.cabinet.press(button)
            seen.waits(0.5)
        for position in (*KeyPosition, KeyPosition.S):
            seen.cabinet.turn_key(position)
            seen.waits(0.5)
        assert re.search(r"^not moved while watched: GAME_OVER\n", seen.types("q"), re.MULTILINE)


def test_what_moved_before_is_told_as_not_moved_while_watched(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.press(Button.JPOT)
        seen.waits(1)
        assert row_of(seen.says("watch JPOT"), "JPOT")[3:6] == ["s", "2", "-"]
        assert "not moved while watched: JPOT\n" in seen.types("q")


def test_when_all_have_moved_the_end_says_so(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("watch coin")
        seen.cabinet.press(Button.COIN_IN)
        seen.waits(1)
        assert "all have moved" in seen.types("q")


def test_ctrl_c_ends_it_with_the_same_words(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("watch JPOT")
        told = seen.types("\x03")
        assert "not moved while watched: JPOT" in told
        assert seen.at_the_prompt


def test_a_stuck_button_stays_closed_and_the_space_bar_says_for_how_long(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.panel.stick(Button.GAME_OVER)
        seen.waits(30)
        told = seen.says("watch panel")
        assert row_of(told, "GAME_OVER")[1:4] == ["closed", "30", "s"]
        seen.waits(150)
        assert row_of(seen.types(" "), "GAME_OVER")[1:4] == ["closed", "3", "min"]


def test_a_dead_sensor_never_moves_and_its_drop_is_counted(tmp_path: Path) -> None:
    with visit(tmp_path, lines=()) as seen:
        seen.cabinet.rail.kill_sensor(3)
        seen.says("watch rail")
        for seat in (2, 3):
            seen.cabinet.put_token(seat)
        told = seen.waits(1)
        assert row_of(told, "seat 2")[2] == "covered"
        assert not re.search(r"seat 3 .*covered", told)
        assert "seat-3" in seen.types("q").split("not moved while watched:")[1]


@pytest.mark.parametrize(("used", "told_of"), [("1 2 4 5", True), ("1 2", False)])
def test_a_seat_without_an_edge_is_hinted_at_when_others_have_some(
    tmp_path: Path, used: str, told_of: bool
) -> None:
    with visit(tmp_path, lines=("press GAME_OVER", f"token {used}", "press COIN_IN")) as seen:
        seen.waits(3)
        seen.says("watch rail")
        told = " ".join(seen.types("q").split())
    hint = "no edge since the start: seat-3 seat-6 seat-7 (an unused seat, or a dead sensor"
    assert (hint in told) == told_of
    assert ("no edge" in told) == told_of


def test_a_token_that_drops_is_counted_in_its_seats_line(tmp_path: Path) -> None:
    with visit(tmp_path, lines=("press GAME_OVER", "token 2")) as seen:
        seen.says("watch rail")
        seen.cabinet.press(Button.COIN_IN)
        told = seen.waits(1)
        assert row_of(told, "seat 2")[-1] == "1"
        assert row_of(told, "tray")[-4] == "1"


def test_a_welded_key_contact_stays_closed_while_the_key_turns(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.panel.weld(KeyPosition.JPL)
        seen.says("watch key")
        for position in KeyPosition:
            seen.cabinet.turn_key(position)
            told = seen.waits(0.5)
            assert not re.search(r"key JPL +open", told)
        assert "not moved while watched: key-JPL" in seen.types("q")


def test_what_has_no_rail_shows_none(tmp_path: Path) -> None:
    with visit(tmp_path, "game black-jack") as seen:
        told = seen.says("watch")
        assert "COIN_IN" in told
        assert "seat" not in told
        seen.types("q")
        assert "the inputs are:" in seen.says("watch rail")


def test_in_italian(tmp_path: Path) -> None:
    with visit(tmp_path, language=Language.IT) as seen:
        told = seen.says("osserva posto 3")
        assert row_of(told, "posto 3")[2] == "libero"
        assert "posto 4" not in told
        seen.cabinet.put_token(3)
        assert "*posto 3         coperto" in seen.waits(1)
        assert "si sono mossi tutti" in seen.types("q")


def test_an_unknown_input_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        told = seen.says("watch lever")
        assert "the inputs are: COIN_IN" in told
        assert "usage: watch [panel|rail|NAME]" in told


@pytest.mark.parametrize("language", list(Language))
def test_it_is_plain_ascii_on_79_columns(tmp_path: Path, language: Language) -> None:
    with visit(tmp_path, "inspector fitted", language=language) as seen:
        seen.says("watch")
        seen.cabinet.put_token(3)
        for button in Button:
            seen.cabinet.press(button)
        seen.waits(1500)
        seen.types(" ")
        seen.types("q")
        assert seen.heard.isascii()
        assert max(map(len, seen.heard.splitlines())) <= WIDEST


def test_a_power_cut_ends_it_and_says_why(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("watch")
        seen.rig.table.simulated_table.do(seen.rig.table.understood("power off"))
        assert "NO_POWER" in seen.waits(1)
        assert seen.at_the_prompt


def test_a_panel_that_is_unplugged_is_seen_open(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("watch panel")
        seen.cabinet.unplug(Device.PANEL)
        told = seen.waits(1)
        assert row_of(told, "plug")[:2] == ["*plug", "open"]


def test_it_looks_four_to_five_times_a_second(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("watch panel")
        for number in range(1, 6):  # held for 0.3 s each: every one is seen closed, and then open
            seen.cabinet.hold(Button.COIN_IN)
            assert row_of(seen.waits(0.3), "COIN_IN")[1] == "closed"
            seen.cabinet.release(Button.COIN_IN)
            told = seen.waits(0.3)
            assert row_of(told, "COIN_IN")[-3] == f"+{2 * number}"


def pressed_at_9600_baud(seen: Visit) -> int:
    seen.typist.sent = b""
    seen.cabinet.press(Button.COIN_IN)
    seen.waits(2)
    return len(seen.typist.sent)


def test_a_terminal_that_moves_its_cursor_is_sent_only_what_differs(tmp_path: Path) -> None:
    with visit(tmp_path, pace=960) as seen:
        seen.types("\x1b[A")  # an arrow key: it understands escapes
        seen.says("\x15watch panel")
        seen.waits(3)
        pressed_at_9600_baud(seen)
        assert pressed_at_9600_baud(seen) < 100


@pytest.mark.parametrize("first", ["", "\x1b[A"])
def test_a_quiet_cabinet_that_is_watched_sends_nothing(first: str, tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.types(first)
        seen.says("\x15watch")
        seen.waits(3)
        seen.typist.sent = b""
        seen.waits(60)
        assert seen.typist.sent == b""
