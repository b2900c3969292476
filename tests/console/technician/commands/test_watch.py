"""`watch`: what a technician sees of buttons, key and sensors while pressing and turning them."""

import re
from pathlib import Path

import pytest

from console.texts.language import Language
from devices.device import Device
from devices.roles import Button, KeyPosition
from tests.console.technician.commands.technician_bench import TechnicianBench, open_bench

BUT_GAME_OVER = [button for button in Button if button is not Button.GAME_OVER]
WIDEST = 79


def row_of(text: str, name: str) -> list[str]:
    """The newest line about an input, in words."""
    rows = [line for line in text.splitlines() if line[1:].startswith(f"{name} ")]
    assert rows, text
    return rows[-1].removeprefix(" ").split()


def test_every_input_is_there_with_its_state(tmp_path: Path) -> None:
    with open_bench(tmp_path, "inspector fitted") as bench:
        printed = bench.type_command("watch")
        assert (
            "new: edges since watch began; chat.: bounces; pulse: how long closed last" in printed
        )
        assert row_of(printed, "COIN_IN")[1] == "open"
        assert row_of(printed, "ROYAL_FLUSH")[1] == "open"
        assert row_of(printed, "key S")[2] == "closed"
        assert row_of(printed, "key R")[2] == "open"
        assert row_of(printed, "plug")[1] == "closed"
        assert row_of(printed, "inspector")[1] == "open"
        assert row_of(printed, "seat 7")[2] == "free"
        assert row_of(printed, "tray")[1] == "counts"
        picture = printed[printed.index(" input") :].splitlines()
        assert len([line for line in picture if line]) < 24  # it fits a terminal, the cursor below


def test_a_poker_tables_buttons_have_their_first_legend_and_the_green_one_counts(
    tmp_path: Path,
) -> None:
    with open_bench(tmp_path, "game texas-holdem", "shuffler deck") as bench:
        printed = bench.type_command("watch")
        assert row_of(printed, "TIME")[1] == "open"
        assert row_of(printed, "GREEN")[1:] == ["counts", "0.3", "s", "0", "-", "0", "-"]
        bench.rig.play("press GREEN", "press GREEN", "unplug shuffler", "wait 2s")
        bench.rig.play("press GREEN", "plug shuffler", "wait 5s")
        assert row_of(bench.wait(1), "GREEN")[-4:] == ["3", "+3", "0", "-"]


def test_a_press_between_two_looks_shows_by_its_edges_and_its_length(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("watch panel")
        bench.cabinet.panel.press(Button.COIN_IN)
        printed = bench.wait(1)
        name, state, *_, edges, new, chatter, pulse = row_of(printed, "COIN_IN")
        assert (name, state, edges, new, chatter, pulse) == (
            "*COIN_IN",
            "open",
            "2",
            "+2",
            "0",
            "25",
        )


def test_nothing_is_printed_while_nothing_moves(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("watch")
        bench.typist.sent = b""
        bench.wait(60)
        assert bench.typist.sent == b""
        bench.cabinet.panel.press(Button.JPOT)
        bench.wait(1)
        assert 0 < len(bench.typist.sent) < 2 * WIDEST + 4


def test_all_buttons_pressed_but_one_and_the_end_names_it(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("watch panel")
        for button in BUT_GAME_OVER:
            bench.cabinet.panel.press(button)
            bench.wait(0.5)
        for position in (*KeyPosition, KeyPosition.S):
            bench.cabinet.turn_key(position)
            bench.wait(0.5)
        assert re.search(r"^not moved while watched: GAME_OVER\n", bench.type("q"), re.MULTILINE)


def test_what_moved_before_is_told_as_not_moved_while_watched(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.panel.press(Button.JPOT)
        bench.wait(1)
        assert row_of(bench.type_command("watch JPOT"), "JPOT")[3:6] == ["s", "2", "-"]
        assert "not moved while watched: JPOT\n" in bench.type("q")


def test_when_all_have_moved_the_end_says_so(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("watch coin")
        bench.cabinet.panel.press(Button.COIN_IN)
        bench.wait(1)
        assert "all have moved" in bench.type("q")


def test_ctrl_c_ends_it_with_the_same_words(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("watch JPOT")
        printed = bench.type("\x03")
        assert "not moved while watched: JPOT" in printed
        assert bench.at_the_prompt


def test_a_stuck_button_stays_closed_and_the_space_bar_says_for_how_long(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.panel.weld(Button.GAME_OVER)
        bench.wait(30)
        printed = bench.type_command("watch panel")
        assert row_of(printed, "GAME_OVER")[1:4] == ["closed", "30", "s"]
        bench.wait(150)
        assert row_of(bench.type(" "), "GAME_OVER")[1:4] == ["closed", "3", "min"]


def test_a_dead_sensor_never_moves_and_its_drop_is_counted(tmp_path: Path) -> None:
    with open_bench(tmp_path, lines=()) as bench:
        bench.cabinet.rail.kill_sensor(3)
        bench.type_command("watch rail")
        for seat in (2, 3):
            bench.cabinet.rail.put_token(seat)
        printed = bench.wait(1)
        assert row_of(printed, "seat 2")[2] == "covered"
        assert not re.search(r"seat 3 .*covered", printed)
        assert "seat-3" in bench.type("q").split("not moved while watched:")[1]


@pytest.mark.parametrize(("used", "told_of"), [("1 2 4 5", True), ("1 2", False)])
def test_a_seat_without_an_edge_is_hinted_at_when_others_have_some(
    tmp_path: Path, used: str, told_of: bool
) -> None:
    with open_bench(tmp_path, lines=("press GAME_OVER", f"token {used}", "press COIN_IN")) as bench:
        bench.wait(3)
        bench.type_command("watch rail")
        printed = " ".join(bench.type("q").split())
    hint = "no edge since the start: seat-3 seat-6 seat-7 (an unused seat, or a dead sensor"
    assert (hint in printed) == told_of
    assert ("no edge" in printed) == told_of


def test_a_token_that_drops_is_counted_in_its_seats_line(tmp_path: Path) -> None:
    with open_bench(tmp_path, lines=("press GAME_OVER", "token 2")) as bench:
        bench.type_command("watch rail")
        bench.cabinet.panel.press(Button.COIN_IN)
        printed = bench.wait(1)
        assert row_of(printed, "seat 2")[-1] == "1"
        assert row_of(printed, "tray")[-4] == "1"


def test_a_welded_key_contact_stays_closed_while_the_key_turns(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.panel.weld(KeyPosition.JPL)
        bench.type_command("watch key")
        for position in KeyPosition:
            bench.cabinet.turn_key(position)
            printed = bench.wait(0.5)
            assert not re.search(r"key JPL +open", printed)
        assert "not moved while watched: key-JPL" in bench.type("q")


def test_what_has_no_rail_shows_none(tmp_path: Path) -> None:
    with open_bench(tmp_path, "game black-jack") as bench:
        printed = bench.type_command("watch")
        assert "COIN_IN" in printed
        assert "seat" not in printed
        bench.type("q")
        assert "the inputs are:" in bench.type_command("watch rail")


def test_in_italian(tmp_path: Path) -> None:
    with open_bench(tmp_path, language=Language.IT) as bench:
        printed = bench.type_command("osserva posto 3")
        assert row_of(printed, "posto 3")[2] == "libero"
        assert "posto 4" not in printed
        bench.cabinet.rail.put_token(3)
        assert "*posto 3         coperto" in bench.wait(1)
        assert "si sono mossi tutti" in bench.type("q")


def test_an_unknown_input_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        printed = bench.type_command("watch lever")
        assert "the inputs are: COIN_IN" in printed
        assert "usage: watch [panel|rail|NAME]" in printed


@pytest.mark.sampled
@pytest.mark.parametrize("language", list(Language))
def test_it_is_plain_ascii_on_79_columns(tmp_path: Path, language: Language) -> None:
    with open_bench(tmp_path, "inspector fitted", language=language) as bench:
        bench.type_command("watch")
        bench.cabinet.rail.put_token(3)
        for button in Button:
            bench.cabinet.panel.press(button)
        bench.wait(1500)
        bench.type(" ")
        bench.type("q")
        assert bench.printed.isascii()
        assert max(map(len, bench.printed.splitlines())) <= WIDEST


def test_a_power_cut_ends_it_and_says_why(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("watch")
        bench.rig.table.simulated_table.do(bench.rig.table.parse_act("power off"))
        assert "NO_POWER" in bench.wait(1)
        assert bench.at_the_prompt


def test_a_panel_that_is_unplugged_is_seen_open(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("watch panel")
        bench.cabinet.unplug(Device.PANEL)
        printed = bench.wait(1)
        assert row_of(printed, "plug")[:2] == ["*plug", "open"]


def test_it_looks_four_to_five_times_a_second(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("watch panel")
        for number in range(1, 6):  # held for 0.3 s each: every one is seen closed, and then open
            bench.cabinet.panel.hold(Button.COIN_IN)
            assert row_of(bench.wait(0.3), "COIN_IN")[1] == "closed"
            bench.cabinet.panel.release(Button.COIN_IN)
            printed = bench.wait(0.3)
            assert row_of(printed, "COIN_IN")[-3] == f"+{2 * number}"


def count_bytes_of_press(bench: TechnicianBench) -> int:
    bench.typist.sent = b""
    bench.cabinet.panel.press(Button.COIN_IN)
    bench.wait(2)
    return len(bench.typist.sent)


def test_a_terminal_that_moves_its_cursor_is_sent_only_what_differs(tmp_path: Path) -> None:
    with open_bench(tmp_path, pace=960) as bench:
        bench.type("\x1b[A")  # an arrow key: it understands escapes
        bench.type_command("\x15watch panel")
        bench.wait(3)
        count_bytes_of_press(bench)
        assert count_bytes_of_press(bench) < 100


@pytest.mark.parametrize("first", ["", "\x1b[A"])
def test_a_quiet_cabinet_that_is_watched_sends_nothing(first: str, tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type(first)
        bench.type_command("\x15watch")
        bench.wait(3)
        bench.typist.sent = b""
        bench.wait(60)
        assert bench.typist.sent == b""
