"""`selftest`: a whole cabinet tested by hands that do what the terminal asks.

Who may have it tested, when, and which parts; what is in order passes.
"""

from pathlib import Path

import pytest

from console.rules.codes import Duty
from console.texts.language import Language
from devices.roles import KeyPosition
from tests.console.technician.commands.robot_technician import RobotTechnician
from tests.console.technician.commands.selftest_records import (
    last_record,
    list_failures,
    list_untested,
    results,
)
from tests.console.technician.commands.technician_bench import open_bench

# A cabinet in order


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        (("inspector fitted",), 46),
        (("rail cctalk",), 45),
        (("game tre-card-stud",), 44),
        (("game ultimate-texas-holdem",), 10),
        (("game black-jack",), 10),
        (("game texas-holdem", "shuffler deck"), 22),
        (("game texas-holdem",), 19),
    ],
)
def test_a_cabinet_in_order_passes_in_every_part(
    tmp_path: Path, settings: tuple[str, ...], parts: int, language: Language
) -> None:
    with open_bench(tmp_path, *settings, language=language) as bench:
        RobotTechnician(bench).run("selftest")
        assert (list_failures(bench), list_untested(bench)) == ({}, {})
        assert len(results(bench)) == parts
        assert not bench.is_driven()


def test_a_reading_shoe_that_says_nothing_unasked_passes_but_for_its_line(tmp_path: Path) -> None:
    with open_bench(tmp_path, "game mini-punto-banco") as bench:
        RobotTechnician(bench).run("selftest")
        assert (list_failures(bench), list_untested(bench)) == ({}, {"line shoe": "QUIET"})


def test_every_token_of_the_test_is_told_and_no_money_moves(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        before = bench.rig.table.state.balances
        printed = RobotTechnician(bench).run("selftest")
        assert "Take the test's tokens out of the tray: 7." in printed
        assert bench.cabinet.tray_count == 7
        assert bench.rig.table.state.balances == before
        bench.rig.play("key R", "expect fault none", "press GAME_OVER", "expect phase BETTING")


# Who may, and when


def test_nobody_has_entered(tmp_path: Path) -> None:
    with open_bench(tmp_path, enters=False) as bench:
        assert "Name:" in bench.type_command("selftest")
        assert "NOT_ENTERED" in bench.type_command("")
        assert last_record(bench) is None


def test_a_floor_manager_may_not(tmp_path: Path) -> None:
    with open_bench(tmp_path, enters=False) as bench:
        bench.rig.enter("bianchi", Duty.FLOOR_MANAGER)
        assert "NOT_YOUR_DUTY" in bench.type_command("selftest")


@pytest.mark.parametrize("lines", [(), ("press GAME_OVER",), ("press GAME_OVER", "token 1")])
def test_a_table_that_is_not_in_service_is_not_tested(
    tmp_path: Path, lines: tuple[str, ...]
) -> None:
    with open_bench(tmp_path, lines=lines) as bench:
        printed = bench.type_command("selftest")
        assert "NOT_IN_SERVICE" in printed
        assert "Now: key at R, table" in printed
        assert "press COIN_IN" not in printed


def test_a_table_in_play_is_not_tested_though_its_key_cannot_be_read(tmp_path: Path) -> None:
    with open_bench(tmp_path, lines=("press GAME_OVER",)) as bench:
        bench.cabinet.panel.weld(KeyPosition.JPL)
        bench.wait(1)
        assert "NOT_IN_SERVICE" in bench.type_command("selftest")


# Parts


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("program", ["program"]),
        ("tray", ["tray"]),
        ("seat 3", ["seat 3"]),
        ("posto 3", ["seat 3"]),
        ("button coin_in", ["button COIN_IN"]),
        ("pulsanti", [f"button {name}" for name in ("COIN_IN", "GAME_OVER")]),
        ("chiave", ["key"]),
        ("lines", ["line display", "line shoe"]),
        ("button green", ["button GREEN"]),
    ],
)
def test_one_part_or_one_group_may_be_asked_for(
    tmp_path: Path, typed: str, parts: list[str]
) -> None:
    game = ["game black-jack"] if len(parts) > 1 else []
    if typed == "button green":
        game = ["game texas-holdem", "shuffler deck"]
    with open_bench(tmp_path, *game) as bench:
        RobotTechnician(bench).run(f"selftest {typed}")
        assert list(results(bench)) == parts


def test_a_part_there_is_not_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with open_bench(tmp_path, "game black-jack") as bench:
        printed = bench.type_command("selftest lamps")
        assert "which part? program ledger plug shoe display buttons key lines" in printed
    with open_bench(tmp_path / "it", "game black-jack", language=Language.IT) as bench:
        assert "programma registro spina sabot" in bench.type_command("collaudo posti")
