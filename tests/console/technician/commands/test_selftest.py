"""`selftest`: a whole cabinet tested by hands that do what the terminal asks.

Who may have it tested, when, and which parts; what is in order passes.
"""

from pathlib import Path

import pytest

from console.rules.codes import Duty
from console.texts.language import Language
from devices.roles import KeyPosition
from tests.console.technician.commands.hands import Hands
from tests.console.technician.commands.selftest_records import (
    failures,
    last_record,
    results,
    untested,
)
from tests.console.technician.commands.visit import visit

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
    ],
)
def test_a_cabinet_in_order_passes_in_every_part(
    tmp_path: Path, settings: tuple[str, ...], parts: int, language: Language
) -> None:
    with visit(tmp_path, *settings, language=language) as seen:
        Hands(seen).follows("selftest")
        assert (failures(seen), untested(seen)) == ({}, {})
        assert len(results(seen)) == parts
        assert not seen.driven()


def test_a_reading_shoe_that_says_nothing_unasked_passes_but_for_its_line(tmp_path: Path) -> None:
    with visit(tmp_path, "game mini-punto-banco") as seen:
        Hands(seen).follows("selftest")
        assert (failures(seen), untested(seen)) == ({}, {"line shoe": "QUIET"})


def test_every_token_of_the_test_is_told_and_no_money_moves(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        before = seen.rig.table.state.balances
        told = Hands(seen).follows("selftest")
        assert "Take the test's tokens out of the tray: 7." in told
        assert seen.cabinet.tray_count == 7
        assert seen.rig.table.state.balances == before
        seen.rig.play("key R", "expect fault none", "press GAME_OVER", "expect phase BETTING")


# Who may, and when


def test_nobody_has_entered(tmp_path: Path) -> None:
    with visit(tmp_path, enters=False) as seen:
        assert "Name:" in seen.says("selftest")
        assert "NOT_ENTERED" in seen.says("")
        assert last_record(seen) is None


def test_a_floor_manager_may_not(tmp_path: Path) -> None:
    with visit(tmp_path, enters=False) as seen:
        seen.rig.enter("bianchi", Duty.FLOOR_MANAGER)
        assert "NOT_YOUR_DUTY" in seen.says("selftest")


@pytest.mark.parametrize("lines", [(), ("press GAME_OVER",), ("press GAME_OVER", "token 1")])
def test_a_table_that_is_not_in_service_is_not_tested(
    tmp_path: Path, lines: tuple[str, ...]
) -> None:
    with visit(tmp_path, lines=lines) as seen:
        told = seen.says("selftest")
        assert "NOT_IN_SERVICE" in told
        assert "Now: key at R, table" in told
        assert "press COIN_IN" not in told


def test_a_table_in_play_is_not_tested_though_its_key_cannot_be_read(tmp_path: Path) -> None:
    with visit(tmp_path, lines=("press GAME_OVER",)) as seen:
        seen.cabinet.panel.weld(KeyPosition.JPL)
        seen.waits(1)
        assert "NOT_IN_SERVICE" in seen.says("selftest")


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
    ],
)
def test_one_part_or_one_group_may_be_asked_for(
    tmp_path: Path, typed: str, parts: list[str]
) -> None:
    game = ["game black-jack"] if len(parts) > 1 else []
    with visit(tmp_path, *game) as seen:
        Hands(seen).follows(f"selftest {typed}")
        assert list(results(seen)) == parts


def test_a_part_there_is_not_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with visit(tmp_path, "game black-jack") as seen:
        told = seen.says("selftest lamps")
        assert "which part? program ledger plug shoe display buttons key lines" in told
    with visit(tmp_path / "it", "game black-jack", language=Language.IT) as seen:
        assert "programma registro spina sabot" in seen.says("collaudo posti")
