"""`banco ledger replay`: a round from the record alone is what was seen when it was played."""

import json
from pathlib import Path
from typing import Any

import pytest

from console.command_line.main import main
from console.configuration.places import simulation_folder
from console.simulation.scenario.play import render_json
from tests.console.office.ledger.reading import ROUND, folder_of, ledger, tamper
from tests.console.table import Table, table_in

Capture = pytest.CaptureFixture[str]


def replay(table: Table, capsys: Capture, *words: str) -> list[dict[str, Any]]:
    ledger(table, "replay", *words, "--json")
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def play_and_observe(table: Table, *lines: str) -> list[tuple[int, dict[str, Any]]]:
    """What `banco play --json` tells of each act, and the newest record then."""
    printed = []
    for number, line in enumerate(lines):
        table.play(line)
        seq = table.records[-1].seq
        printed.append((seq, json.loads(render_json("here", number, line, True, table.seen))))
    return printed


GAMES = {
    "caribbean-stud": ROUND,
    "tre-card-stud": ("press GAME_OVER", "token 2 5", "press COIN_IN", "press THREE_OF_A_KIND"),
    "black-jack": ("press GAME_OVER", "shoe load", "press COIN_IN", "draw", "declare last-hands 3"),
}


@pytest.mark.parametrize("game", GAMES)
def test_after_each_act_the_table_is_told_as_it_was_seen(
    game: str, tmp_path: Path, capsys: Capture
) -> None:
    with table_in(tmp_path, f"game {game}") as table:
        seen = play_and_observe(table, *GAMES[game])
        by_seq = {one["line"]: one for one in replay(table, capsys, "1")}
    compared = 0
    for seq, printed in seen:
        for name in set(printed) - {"file", "line", "text", "refused"}:
            assert by_seq[seq][name] == printed[name], (printed["text"], name)
            compared += 1
    assert compared >= 40
    texts = [one["text"] for one in by_seq.values()]
    assert [line for line in GAMES[game] if line.startswith(("press", "key", "declare"))] == [
        text for text in texts if text.startswith(("press", "key", "declare"))
    ]


def test_a_refusal_stands_with_its_act(table: Table, capsys: Capture) -> None:
    printed = replay(table, capsys, "1")
    assert [(one["text"], one["refused"]) for one in printed if one["refused"]] == [
        ("press JPOT", "NO_COMBINATION")
    ]
    award = next(one["award"] for one in printed if one["award"] and one["award"]["winners"] == 2)
    assert award == {"combination": "FLUSH", "winners": 2, "each": "100.02"}


def test_it_can_be_told_in_english(table: Table, capsys: Capture) -> None:
    printed = replay(table, capsys, "1", "--language", "en")
    assert printed[-1]["display"][1].strip() == "9,801.36 EUR"
    assert ledger(table, "replay", "1", "--language", "en") == 0
    assert "acts played again: all agree with the record." in capsys.readouterr().out


def test_a_round_before_the_last_snapshot_is_there_too(table: Table, capsys: Capture) -> None:
    before = replay(table, capsys, "1")
    for number in range(40):  # at other seats each time: a sensor that moves so often is unsteady
        seats = f"{1 + number % 7} {1 + (number + 3) % 7}"
        table.play(f"token {seats}", "press COIN_IN", "press GAME_OVER")
    assert any(one.kind == "snapshot" for one in table.records)
    assert replay(table, capsys, "1") == before
    last = replay(table, capsys, "41")
    assert last[-1]["jackpot"] == table.seen.accounts["jackpot"]


def test_what_today_would_be_decided_otherwise_is_marked(table: Table, capsys: Capture) -> None:
    chosen = next(one.seq for one in table.records if "'choice'" in str(one.body))
    tamper(
        table,
        "UPDATE journal SET body = replace(body, '\"FLUSH\"', '\"FULL_HOUSE\"') WHERE seq = ?",
        chosen,
    )
    assert ledger(table, "replay", "1", "--json") == 1
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    wrong = next(one for one in printed if not one["ok"])
    assert (wrong["line"], wrong["lamps"]) == (chosen, ["FULL_HOUSE"])
    assert wrong["problem"] == "the act does not lead to the state on record"
    assert ledger(table, "replay", "1") == 1


def test_a_round_that_is_not_on_record(table: Table, capsys: Capture) -> None:
    assert ledger(table, "replay", "77") == 2
    assert ledger(table, "replay", "77", "--json") == 2
    assert "77" in capsys.readouterr().out


def test_a_round_whose_beginning_is_elsewhere_is_not_guessed(table: Table, capsys: Capture) -> None:
    tamper(table, "DELETE FROM journal WHERE seq = 1")
    assert ledger(table, "replay", "1") == 2
    printed = capsys.readouterr()
    assert "record 1 is missing" in printed.err
    assert folder_of(table) in printed.err


def test_a_round_of_the_simulation_is_played_again_without_its_folder(
    table: Table, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = simulation_folder()
    folder.parent.mkdir(parents=True)
    folder.symlink_to(folder_of(table))
    assert main(["ledger", "replay", "1", "--sim"]) == 0
    shown = capsys.readouterr().out
    assert "-> in gioco  accettati 1 3" in shown
    assert "PLAYING" not in shown
    assert main(["ledger", "replay", "1", "--sim", str(folder)]) == 2
    assert "leave out" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["ledger", "replay", "1"])
