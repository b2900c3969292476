"""What the cabinet's drawer offers: by use, and dim where the rules would refuse it."""

from pathlib import Path

import pytest

from console.configuration.addresses import Listening
from console.line.local_line import LineSource
from console.simulation.pages import DrawerGuide
from console.web.opening import opening_of
from tests.console.table import Table, table_in


def ask_drawer(table: Table, folder: Path) -> dict[str, bool]:
    """Each declaration of the table's drawer, in its order, and whether it would be done now."""
    plan = table.machine.plan
    acts = opening_of(
        LineSource(None, plan, folder, folder), Listening("127.0.0.1", 0)
    ).declarations
    service = table.simulated_table.service
    answers = DrawerGuide(acts).ask(service.state, service.rules, service.clock.now())
    return {
        act.line.removeprefix("declare "): possible
        for act, possible in zip(acts, answers, strict=True)
    }


def test_a_hand_can_be_void_while_somebody_plays(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        assert not ask_drawer(table, tmp_path)["hand-void #"]
        table.play("press GAME_OVER", "token 3", "press COIN_IN", "wait 1s")
        offered = ask_drawer(table, tmp_path)
        assert offered["hand-void #"]
        assert offered["hand-void # returned"]
        assert list(offered)[:2] == ["hand-void #", "hand-void # returned"]
        assert list(offered)[-1] == "deck-replaced"


@pytest.mark.parametrize(
    ("acts", "possible", "not_possible"),
    [
        (("press GAME_OVER",), {"players #", "change"}, {"drop #", "rake #"}),
        (
            ("press GAME_OVER", "press HAND", "press FLOP", "press JPOT", "press CHIP_1"),
            set[str](),
            {"drop #", "rake #"},
        ),
        ((), {"drop #"}, {"rake #"}),
    ],
)
def test_a_poker_table_offers_what_its_hand_allows(
    tmp_path: Path, acts: tuple[str, ...], possible: set[str], not_possible: set[str]
) -> None:
    with table_in(tmp_path, "game texas-holdem") as table:
        table.play(*acts)
        offered = ask_drawer(table, tmp_path)
        assert {line for line in possible if offered[line]} == possible
        assert {line for line in not_possible if offered[line]} == set()


def test_doors_can_be_moved_and_explained_once_they_are_shut(tmp_path: Path) -> None:
    with table_in(tmp_path, "doors latched") as table:
        offered = ask_drawer(table, tmp_path)
        assert not offered["opened #"]
        assert [line for line in offered if line.startswith("door ")] == [
            *("door open", "door shut", "door open logic", "door shut logic", "door reset")
        ]
        table.play("door open", "door shut", "door reset", "wait 2s", "key S")
        offered = ask_drawer(table, tmp_path)
        assert offered["opened #"]
        assert offered["door open"]


def test_a_rake_of_three_pots_can_be_corrected(tmp_path: Path) -> None:
    with table_in(tmp_path, "game texas-holdem") as table:
        table.play("press GAME_OVER", "press HAND", "press FLOP", "press JPOT", "press CHIP_1")
        table.play("press JPOT", "press CHIP_1", "press GAME_OVER")
        assert ask_drawer(table, tmp_path)["rake #"]
