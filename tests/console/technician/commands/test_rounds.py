"""`round` and `replay`: the record of a round in plain words, and played again from there."""

import ast
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

from console.office.ledger.repair import REPAIRED
from console.office.ledger.rounds import record_lines, replay_round
from console.rules.acts import KINDS, Declaration
from console.rules.records import SNAPSHOT
from console.technician.long_work import Meter
from console.texts.declarations.lines import BY_KIND, ROWS
from console.texts.language import Language
from console.texts.record_texts import Boots, act_words, clock_of, format_amount
from console.texts.record_vocabulary import ACTS, BY_TWO, DECISIONS, OUTCOMES
from console.texts.table_texts import TableNames
from devices.sim.virtual_time import VirtualLoop
from jackpot.ledger.anchor import ARCHIVED
from jackpot.trust.heads_on_record import ACCEPTED
from tests.console.table import table_in
from tests.console.technician.commands.command_line import (
    FIRST_ROUND,
    IT,
    TableCommandLine,
    absent_service,
    line_in,
    line_to,
    too_long,
)
from tests.house.sources import python_files, tree


def strip_times(shown: str) -> list[str]:
    """The lines without the time of day they begin with, which depends on the zone."""
    return [row[10:].rstrip() if row[2:3] == ":" else row for row in shown.splitlines()]


def test_a_round_act_by_act(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*FIRST_ROUND)
        shown = strip_times(line.type_command("round 1"))
    begin = next(at for at, row in enumerate(shown) if row.startswith("Round 1  "))
    assert shown[begin + 1 : begin + 12] == [
        "GAME OVER; -> BETTING",
        "rail: slots covered 1; token in 1",
        "rail: slots covered 1 3; token in 3",
        "COIN IN; -> COLLECTING",
        "rail: slots covered 3; accepted 1; free 1",
        "rail: no slot covered; accepted 3; free 3; -> PLAYING",
        "rail: no slot covered",
        "FLUSH",
        "key to JPL",
        "JPOT; pending flush x1, 100.02 each; -> AWARDING",
        "key to R; paid flush x1, 100.02 each; -> PLAYING",
    ]


def test_a_board_that_restarts_is_told_in_rounds_after_each_other(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play("press GAME_OVER", "token 1", "press COIN_IN", "wait 3s")
        line.table.table.machine.cabinet.rail.reset_every(7)
        line.table.play("wait 8s", "press GAME_OVER", "wait 7s")
        shown = strip_times(line.type_command("round"))
        assert [row for row in shown if "restarted" in row] == [
            "rail: restarted (boot 2); rail: no slot covered",
            "rail: restarted (boot 3); rail: no slot covered",
        ]
        assert "gettoniera: riavviata (avvio 2)" in line.type_command("lingua it", "mano")


def test_without_a_number_the_last_two(tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        line.table.play(*FIRST_ROUND, "press GAME_OVER", "press JPOT")
        shown = line.type_command("mano")
    assert "Mano 1  " in shown
    assert "Mano 2  " in shown
    assert "Mano 0  " not in shown
    assert "JPOT; rifiutato NO_COMBINATION\n" in shown


def test_a_round_that_is_not_on_record(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        assert "Round 7 is not on record." in line.type_command("round 7")
        assert "Round 7 is not on record." in line.type_command("replay 7")


@pytest.mark.parametrize("typed", ["round x", "round 1 2", "replay -1", "round 9999999999"])
def test_what_is_no_rounds_number(typed: str, tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        assert "a number from 0 to 999999999\nusage: " in line.type_command(typed)


def test_a_round_played_again_tells_the_state_and_agrees(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*FIRST_ROUND)
        shown = strip_times(line.type_command("replay"))
    for row in (
        "          -> BETTING  jackpot 10,000.00",
        "          -> COLLECTING  accepted 1  jackpot 10,001.40",
        "          -> PLAYING  accepted 1 3  jackpot 10,002.80",
        "          -> AWARDING  accepted 1 3  flush  x1 100.02  jackpot 9,902.78",
        "11 acts played again: all agree with the record.",
    ):
        assert row in shown


def test_a_late_round_is_played_again_from_the_last_snapshot_before_it(tmp_path: Path) -> None:
    """Past the first snapshot (256 records), and not from the journal's beginning."""
    with line_in(tmp_path) as line:
        for number in range(40):  # at other seats each time, or their sensors were unsteady
            seats = ("1 3", "2 4", "5 6")[number % 3]
            line.table.play("press GAME_OVER", f"token {seats}", "press COIN_IN")
        assert any(one.kind == SNAPSHOT for one in line.table.table.records)
        state, folder = line.table.table.state, line.table.table.machine.disk.folder
        shown = line.type_command("replay")
        assert f"Round {state.round}  " in shown
        assert "all agree with the record." in shown
        reads = format_amount(state.balances.jackpot_cents, Language.EN)
        assert f"-> PLAYING  accepted 1 3  jackpot {reads}\n" in shown
        meter = Meter()
        steps = replay_round(folder, state.round, meter.step)
        assert {step.record.round for step in steps} == {state.round}
        assert meter.done < len(line.table.table.records) / 2
        line.table.play("press FLUSH")
        seq = line.table.table.records[-1].seq
        falsify(line, seq, '"choice":"FLUSH"', '"choice":"FULL_HOUSE"')
        assert "!! the act does not lead to the state on record" in line.type_command("replay")


def falsify(line: TableCommandLine, seq: int, old: str, new: str) -> None:
    """Change what a record says, as no program of ours would."""
    with closing(sqlite3.connect(line.table.table.machine.disk.folder / "ledger.db")) as database:
        query = "UPDATE journal SET body = replace(body, ?, ?) WHERE seq = ? AND instr(body, ?)"
        assert database.execute(query, (old, new, seq, old)).rowcount == 1
        database.commit()


def test_an_act_that_leads_elsewhere_today_is_marked(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*FIRST_ROUND)
        chosen = next(one for one in line.table.table.records if "'choice'" in str(one.body))
        falsify(line, chosen.seq, '"choice":"FLUSH"', '"choice":"FULL_HOUSE"')
        shown = line.type_command("replay 1")
    assert "          !! the act does not lead to the state on record\n" in shown
    assert "DOES NOT AGREE: " in shown


def test_rounds_are_read_without_the_service(tmp_path: Path, loop: VirtualLoop) -> None:
    with table_in(tmp_path) as table:
        table.play(*FIRST_ROUND)
    with line_to(loop, absent_service(), ledger=tmp_path) as line:
        shown = strip_times(line.type_command("round 1"))
        assert "COMBINATION 5" in shown, "nobody has told the game: the button goes by its number"
        assert "JPOT; pending flush x1, 100.02 each; -> AWARDING" in shown
        assert "all agree with the record." in line.type_command("replay 1")


def test_a_ledger_that_cannot_be_read_says_why(tmp_path: Path, loop: VirtualLoop) -> None:
    with line_to(loop, absent_service(), ledger=tmp_path / "nowhere") as line:
        assert ": the ledger cannot be read: " in " ".join(line.type_command("round").split())
    with line_to(loop, absent_service()) as line:
        assert "the ledger's folder is not known: start with --ledger" in line.type_command(
            "replay"
        )


def test_damage_in_a_record_is_told(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*FIRST_ROUND)
        falsify(line, 15, '{"act', '["act')
        shown = " ".join(line.type_command("round 1").split())
        assert "record 15: " in shown
        assert line.anna.is_served


NIGHTS = {
    "caribbean-stud": (
        *FIRST_ROUND,
        "press GAME_OVER",
        "token 2",
        "jam 2",
        "press COIN_IN",
        "wait 3s",
        "unjam 2",
        "press COIN_IN",
        "cover 2",
        "wait 1s",
        "declare hand-void 2 returned",
        "declare round-void",
        "key between",
        "wait 1s",
        "key R",
        "unplug shuffler",
        "wait 2s",
        "plug shuffler",
        "wait 6s",
        "deck load red 51",
        "wait 4m",
        "power off",
        "power on",
        "wait 5s",
    ),
    "mini-punto-banco": (
        "shoe load",
        "shoe burn",
        "press GAME_OVER",
        "press COIN_IN",
        "draw AS TD 9H 2C",
        "declare coup-void",
        "draw to BANCO 5D",
        "cut-card",
        "unplug shoe",
        "wait 3s",
        "plug shoe",
        "wait 6s",
    ),
    "black-jack": (
        "shoe load 312",
        "shoe burn 4",
        "press GAME_OVER",
        "press COIN_IN",
        *("draw",) * 4,
        "declare card-annulled",
        "cut-card",
        "declare shoe-replaced",
    ),
}


@pytest.mark.parametrize("game", NIGHTS)
@pytest.mark.parametrize("language", Language)
def test_all_that_happens_has_words_and_fits(game: str, language: Language, tmp_path: Path) -> None:
    with table_in(tmp_path, f"game {game}") as table:
        table.play(*NIGHTS[game])
        records = table.records
    assert len(records) > 12
    boots = Boots()
    for record in records:
        lines = record_lines(record, language, TableNames(game), boots)
        assert too_long("\n".join(lines), 79) == []
        assert "?" not in lines[0][10:], lines
        assert "=" not in lines[0], f"a decision without words: {lines}"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            Language.EN,
            {
                "pending royal flush x1, ",
                "; coup: void",
                "next deck: none",
                "key between two positions",
            },
        ),
        (
            Language.IT,
            {
                "in sospeso SCALA REALE x1, ",
                "; colpo: nullo",
                "prossimo mazzo: nessuno",
                "chiave tra due posizioni",
            },
        ),
    ],
)
def test_a_line_shows_words_where_the_record_has_codes(
    language: Language, words: set[str], tmp_path: Path
) -> None:
    nights = {
        "caribbean-stud": (
            "press GAME_OVER",
            "token 1",
            "press COIN_IN",
            "press ROYAL_FLUSH",
            "inspector here",
            "key between",
            "key JPH",
            "press JPOT",
            "deck load red",
            "wait 3m",
            "deck unload",
            "wait 10s",
        ),
        "mini-punto-banco": ("shoe load", "shoe burn", "draw 2C KD", "declare coup-void"),
    }
    shown = ""
    for game, acts in nights.items():
        with table_in(tmp_path / game, f"game {game}") as table:
            table.play(*acts, "draw 9C 4D" if game == "mini-punto-banco" else "wait 1s")
            for record in table.records:
                shown += "\n".join(record_lines(record, language, TableNames(game), Boots())) + "\n"
    assert {word for word in words if word not in shown} == set(), shown
    assert not {"ROYAL_FLUSH", "EMPTY", "VOID", "GAME_OVER"} & set(re.findall(r"\w+", shown))


def test_every_kind_of_act_has_words() -> None:
    kinds = {*KINDS.values(), SNAPSHOT, REPAIRED, ACCEPTED, ARCHIVED}
    assert kinds == {*ACTS, *BY_KIND}
    assert set(get_args(Declaration)) == {row.act for row in ROWS}


@pytest.mark.parametrize(
    ("language", "both"), [(Language.IT, "a e b: "), (Language.EN, "a and b: ")]
)
@pytest.mark.parametrize("kind", BY_TWO)
def test_what_two_people_stand_for_names_both(
    kind: str, language: Language, both: str, tmp_path: Path
) -> None:
    with table_in(tmp_path) as table:
        record = table.records[-1]
    alone = replace(record, kind=kind, body={"act": {"who": "a", "by": "a"}})
    two = replace(record, kind=kind, body={"act": {"who": "a", "by": "a", "second": "b"}})
    assert act_words(alone, language).startswith("a: ")
    assert act_words(two, language).startswith(both)


def list_decisions() -> set[str]:
    """The names of all decisions that the rounds' own files take."""
    return {
        str(call.args[0].value)
        for path in python_files("console/rules/round", "console/rules/poker")
        for call in ast.walk(tree(path))
        if isinstance(call, ast.Call)
        and ast.unparse(call.func).endswith(".decide")
        and isinstance(call.args[0], ast.Constant)
    }


def test_every_decision_has_words() -> None:
    assert len(list_decisions()) > 30
    assert list_decisions() <= set(DECISIONS)


def test_every_outcome_that_is_not_plain_has_words(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press JPOT", "press FLUSH")
        told_of = {str(one.body.get("outcome")) for one in table.records}
    assert told_of - {"done", "None"} == set(OUTCOMES)


def test_a_clock_shows_the_time_here() -> None:
    assert clock_of("") == ""
    assert clock_of("never") == "never", "a label is for people, and computed from by nobody"
    assert clock_of("2026-11-20T12:00:51.477+00:00")[2:] == ":00:51"
