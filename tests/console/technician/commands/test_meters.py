"""`meters`: accounts and the night's figures, with the service and without."""

from pathlib import Path

from devices.sim.virtual_time import VirtualLoop
from tests.console.table import table_in
from tests.console.technician.commands.command_line import (
    FIRST_ROUND,
    IT,
    absent_service,
    line_in,
    line_to,
    write_house_prizes,
)


def test_accounts_and_what_was_counted_since_the_beginning(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*FIRST_ROUND)
        shown = line.type_command("meters")
    for expected in (
        "tray                -4.00 EUR\njackpot           9902.78 EUR\n",
        "round     1\nsince the beginning: ",
        "rounds    1\ntokens    2\nawards    1, 100.02 EUR\nfaults    -\n",
    ):
        assert expected in shown


def test_the_meters_of_a_life_stand_on_the_line(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*FIRST_ROUND, "press GAME_OVER", "press COIN_IN", "declare tray 2")
        shown = line.type_command("meters life")
        wrong = line.type_command("meters death")
    assert "since the beginning: " in shown
    assert "tokens    2\nto the jackpot 2.80 EUR\n" in shown
    assert "1 hits, 1 winners, 100.02" in shown
    assert "flush x1  100.02 EUR" in shown
    assert "`meters life`" in wrong


def test_a_prize_files_currency_stands_behind_every_amount(tmp_path: Path) -> None:
    round_ = ("press GAME_OVER", "token 1 3", "press COIN_IN", "press MINI_ROYAL", "key JPL")
    with line_in(tmp_path, write_house_prizes(tmp_path)) as line:
        line.table.play(*round_, "press JPOT", "key R")
        shown = line.type_command("meters")
    assert "jackpot          10002.00 CHF\n" in shown
    assert "paid               525.00 CHF\n" in shown
    assert "awards    1, 525.00 CHF\n" in shown
    assert "EUR" not in shown


def test_counting_begins_anew_when_the_tray_is_counted(tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        line.table.play(*FIRST_ROUND, "press GAME_OVER", "press COIN_IN")
        line.table.enter("carla")
        line.type_command("dichiara tray 2", "s")
        line.table.play("press GAME_OVER", "token 1 2 3", "press COIN_IN")
        line.table.play("unplug display", "wait 3s", "plug display", "wait 6s")
        line.type_command("dichiara hand-void 2 returned", "s")
        shown = line.type_command("contatori")
    assert "dall'ultima conta della vaschetta: " in shown
    assert "mani      1\ngettoni   2\nvincite   0, 0.00 EUR\nguasti    DISPLAY_LOST x1\n" in shown


def test_a_poker_table_has_hands_and_rake_since_its_box_was_counted(tmp_path: Path) -> None:
    hand = ("press GAME_OVER", "press HAND", "press FLOP", "press JPOT", "press CHIP_2")
    with line_in(tmp_path, "game texas-holdem") as line:
        line.table.play(*hand, "press GAME_OVER")
        first = line.type_command("meters")
        line.table.play("press COIN_IN", "declare drop 5.00", *hand, "press JPOT")
        line.table.play("press CHIP_2", "press GAME_OVER", "declare rake 4")
        second = line.type_command("meters")
    assert "since the beginning: " in first
    assert "hands     1\nrake      5.00 EUR\nfaults    -\n" in first
    assert "since the rake box was last counted: " in second
    assert "hands     1\nrake      4.00 EUR\nfaults    -\n" in second
    assert "tokens" not in first + second


def test_a_count_that_is_refused_counts_nothing_anew(tmp_path: Path) -> None:
    """`declare tray` in PLAYING is refused: the night goes on, and so do its figures"""
    with line_in(tmp_path) as line:
        line.table.play(*FIRST_ROUND, "declare tray 2", "expect refused ALREADY_OPEN")
        shown = line.type_command("meters")
    assert "since the beginning: " in shown
    assert "rounds    1\ntokens    2\nawards    1, 100.02 EUR\n" in shown


def test_meters_without_a_service_come_from_the_file(tmp_path: Path, loop: VirtualLoop) -> None:
    with table_in(tmp_path) as table:
        table.play(*FIRST_ROUND)
    with line_to(loop, absent_service(), ledger=tmp_path) as line:
        shown = line.type_command("meters")
    assert "accounts  - (no-such-line: " in shown
    assert "tokens    2\n" in shown


def test_meters_without_a_readable_ledger_still_tell_the_accounts(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        (line.table.table.machine.disk.folder / "ledger.db").unlink()
        shown = line.type_command("meters")
    assert "jackpot          10000.00 EUR\n" in shown
    assert "ledger    -" in shown
    assert "cannot be read" in shown
