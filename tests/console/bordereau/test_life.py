"""The meters of a table's life: against what was played, and over an archive's border."""

import json
from pathlib import Path

import pytest

from console.bordereau.life import MOST_WINS, read_life
from console.command_line.main import main
from jackpot.money.accounts import Account
from jackpot.money.amounts import to_cents
from tests.console.table import TO_PHASE, Table, table_in

AWARDED = (*TO_PHASE["AWARDING"], "key R")
HIGH = ("press GAME_OVER", "token 1 2 3", "press COIN_IN", "press STRAIGHT_FLUSH", "key JPH")


def prizes_of(folder: Path) -> dict[str, tuple[int, int, int]]:
    life = read_life(folder / "ledger")
    assert life is not None
    return {one.combination: (one.hits, one.winners, one.paid) for one in life.prizes}


def test_the_life_of_a_table_is_what_was_played(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*AWARDED, *HIGH, "press JPOT", "press JPOT", "key R")
        table.play("declare hand-void 3 returned", "press GAME_OVER", *AWARDED[1:])
        balances = table.state.balances
    life = read_life(tmp_path / "ledger")
    assert life is not None
    assert life.tokens == 2 + 3 - 1 + 2
    assert life.contributions[Account.JACKPOT] == 6 * 140
    assert life.paid == to_cents(balances.paid)
    found = prizes_of(tmp_path)
    assert list(found) == [
        *("ROYAL_FLUSH", "STRAIGHT_FLUSH", "FOUR_OF_A_KIND", "FULL_HOUSE", "FLUSH")
    ]
    assert found["ROYAL_FLUSH"] == (0, 0, 0)
    assert found["STRAIGHT_FLUSH"][:2] == (1, 2)
    assert found["FLUSH"][:2] == (2, 2)
    assert sum(paid for _, _, paid in found.values()) == life.paid
    assert [win.combination for win in life.wins] == ["FLUSH", "STRAIGHT_FLUSH", "FLUSH"]
    assert [win.round for win in life.wins] == [3, 2, 1]


def test_a_cancelled_award_is_no_hit(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["AWARDING"], "press FLUSH")
    assert prizes_of(tmp_path)["FLUSH"] == (0, 0, 0)


def test_the_last_25_wins_are_kept_the_newest_first(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        for _ in range(MOST_WINS + 3):
            table.play(*AWARDED, "wait 1m")
    life = read_life(tmp_path / "ledger")
    assert life is not None
    assert [win.round for win in life.wins] == list(range(28, 3, -1))
    assert prizes_of(tmp_path)["FLUSH"][0] == MOST_WINS + 3


def test_who_verified_a_win_stands_beside_it(tmp_path: Path) -> None:
    """Of a cancelled award and of a later one nothing is taken over."""
    pending = TO_PHASE["AWARDING"]
    with table_in(tmp_path) as table:
        table.play("declare award-verified 1", "expect refused NO_AWARD")
        table.play(*pending, "declare award-verified 1", "press FLUSH")
        table.play("press FLUSH", "press JPOT", "declare award-verified 5")
        table.play("expect refused SEAT_NOT_PLAYING", "declare award-verified 2", "key R")
        table.play(*AWARDED)
    life = read_life(tmp_path / "ledger")
    assert life is not None
    assert [[(one.who, one.seat) for one in win.verified] for win in life.wins] == [
        [],
        [("capotavolo", 2)],
    ]


def test_an_empty_ledger_has_no_life_and_one_without_wins_has_meters(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER")
    life = read_life(tmp_path / "ledger")
    assert life is not None
    assert (life.tokens, life.paid, life.wins) == (0, 0, ())
    assert not life.begins_archived


def test_the_command_prints_it_for_people_and_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with table_in(tmp_path) as table:
        play_one_win(table)
    assert main(["ledger", "meters", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "flush" in shown
    assert "1 hits, 1 winners, 100.02" in shown
    assert main(["ledger", "meters", "--json", str(tmp_path)]) == 0
    plain = json.loads(capsys.readouterr().out)
    (win,) = plain["wins"]
    assert (win["table"], win["total"], win["verified"]) == (
        "simulated",
        "100.02",
        [{"who": "capotavolo", "seat": 1}],
    )
    assert plain["contributions"]["jackpot"] == "2.80"


def play_one_win(table: Table) -> None:
    table.play(*TO_PHASE["AWARDING"], "declare award-verified 1", "key R")
