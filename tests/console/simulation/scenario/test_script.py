"""The scenarios' language (docs/reference/scenarios.md): what is understood, and what is said of
the rest.
"""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from console.simulation.scenario.play import FAILED, HELD, NOT_UNDERSTOOD, play
from console.simulation.scenario.script import parse_scenario
from jackpot.failures import Refused
from tests.console.table import table_in

SETTINGS = """
set game caribbean-stud | tre-card-stud | ultimate-texas-holdem | mini-punto-banco | black-jack
set token 2.00 | 5 | 0.01
set jackpot 10000.00 | 0
set base 5000.00
set to-jackpot 70 | 33.33
set to-reserve 10 | 0.25
set rail slot | sensor
set inspector fitted | absent
set language it | en
"""
ACTS = """
press COIN_IN | GAME_OVER | JPOT
press ROYAL_FLUSH | STRAIGHT_FLUSH | FOUR_OF_A_KIND | FULL_HOUSE | FLUSH
key R | JPL | JPH | S | between
token 1 | 1 3 7 | none
take 1 2
cover 4
uncover 4
jam 3
unjam 3
inspector here | away
power off | on
unplug rail | display | panel
plug rail | display | panel
disk full | ok
wait 300ms | 2s | 5m | 1h
declare hand-void 3 | hand-void 3 returned | round-void | last-hands 3 | tray 12
clear TRAY_COUNT | LEDGER_FAULT | LEDGER_CORRUPT | TOKENS_UNKNOWN | ACCEPTOR_CHANGED | TOKEN_STUCK
"""
EXPECTATIONS = """
expect phase PAUSED | BETTING | COLLECTING | PLAYING | AWARDING | SERVICE
expect slots 1 2 | none
expect seats 1 2 | none
expect blinking 7 | none
expect lamps FLUSH | FLUSH ROYAL_FLUSH | none
expect jackpot 10002.80 | 0 | -1.40
expect reserve 0.20
expect house -9999.20
expect paid 0.00
expect pending 100.02
expect each 100.02 | none
expect winners 0 | 7
expect display JACKPOT | 10.002,80 EUR
expect refused NOT_OPEN | WRONG_KEY | INSPECTOR_ABSENT | none
expect fault RAIL_LOST | CARD_COUNT | none
"""


def forms(text: str) -> list[str]:
    """Each line once for each of what its bars part."""
    lines = []
    for line in text.strip().splitlines():
        first, *others = line.split(" | ")
        kept = 2 if first.startswith(("set", "expect")) else 1
        head = " ".join(first.split()[:kept])
        lines += [first, *(f"{head} {other}" for other in others)]
    return lines


@pytest.mark.parametrize("line", forms(SETTINGS + ACTS + EXPECTATIONS))
def test_every_form_is_understood_however_it_is_written(line: str) -> None:
    for written in (line, f"  {line.upper()}\t# why", "\t".join(line.lower().split(" "))):
        parse_scenario(written, "a.scenario")


def test_a_scenario_remembers_its_lines_as_they_stand() -> None:
    text = "# a comment\n\nset token 5.00\n  Press game_over   # opens\nexpect display A  B # C\n"
    scenario = parse_scenario(text, "a.scenario")
    assert [(s.line, s.text) for s in scenario.statements] == [
        (4, "Press game_over"),
        (5, "expect display A  B"),
    ]
    assert scenario.plan.money.token == 500


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_an_editor_counts_them(end: str) -> None:
    """A form feed and what else Python takes for the end of a line is a blank."""
    lines = ["\x0c", "press\x0cGAME_OVER", "wait\x1c1s", "expect\u2028phase\x85BETTING # \x0b"]
    statements = parse_scenario(end.join(lines), "a.scenario").statements
    assert [statement.line for statement in statements] == [2, 3, 4]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("dance", "no act 'dance'"),
        ("press", "COIN_IN"),
        ("press TRIS", "a button of caribbean-stud is one of coin_in"),
        ("press COIN_IN twice", "one of"),
        ("key X", "r, jpl, jph, s, between"),
        ("token", "numbers from 1 to 7, or none"),
        ("token 0", "1 to 7"),
        ("token 8", "1 to 7"),
        ("token none 1", "1 to 7"),
        ("take x", "1 to 7"),
        ("inspector gone", "here, away"),
        ("power up", "on, off"),
        ("unplug tray", "a device is one of"),
        ("disk broken", "full, ok"),
        ("wait 2", "wait 2s"),
        ("wait two seconds", "wait 2s"),
        ("wait 25h", "at most 24h"),
        ("wait ٢s", "wait 2s"),
        ("declare tray ٢", "declare tray N"),
        ("declare last-hands ٢", "1 to 99"),
        ("expect winners ٢", "expect winners N"),
        ("expect winners " + "9" * 5000, "expect winners N"),
        ("expect remaining " + "9" * 5000, "expect remaining N"),
        ("deck load red ٢", "0 to 999"),
        ("set token 1000000000", "is too large: at most 999999999.99"),
        ("declare victory", "hand-void"),
        ("declare", "hand-void"),
        ("declare hand-void 8", "1 to 7"),
        ("declare hand-void 1 2", "hand-void SEAT"),
        ("declare hand-void 1 kept", "hand-void SEAT [returned]"),
        ("declare round-void 2", "round-void"),
        ("declare last-hands 0", "1 to 99"),
        ("declare tray many", "declare tray N"),
        ("clear EVERYTHING", "TRAY_COUNT"),
        ("set tokens 2.00", "the names are game, token"),
        ("set token", "set NAME VALUE"),
        ("set token 2,00", "12345.67"),
        ("set token 2.001", "two decimals"),
        ("set token -2", "12345.67"),
        ("set to-jackpot 101", "0 to 100"),
        ("set game poker", "a game is one of caribbean-stud"),
        ("set rail chute", "a rail is one of slot, sensor, cctalk"),
        ("set inspector maybe", "fitted, absent"),
        ("set language fr", "it, en"),
        ("expect", "phase, slots"),
        ("expect luck", "phase, slots"),
        ("expect phase DANCING", "a phase is one of paused"),
        ("expect slots", "1 to 7, or none"),
        ("expect lamps TRIS", "royal_flush"),
        ("expect jackpot lots", "12345.67"),
        ("expect jackpot 1 2", "one amount"),
        ("expect each -", "12345.67"),
        ("expect winners two", "expect winners N"),
        ("expect display", "expect display TEXT"),
        ("expect refused MAYBE", "NOT_OPEN"),
        ("expect fault SOME", "RAIL_LOST"),
    ],
)
def test_what_is_not_understood_is_named_with_what_would_be_right(line: str, why: str) -> None:
    with pytest.raises(Refused) as caught:
        parse_scenario(f"# first\nset base 1.00\n{line}\n", "a.scenario")
    message = str(caught.value)
    assert message.startswith("a.scenario:3: ")
    assert why.lower() in message.lower()


def test_every_bad_line_of_a_file_is_named() -> None:
    with pytest.raises(Refused) as caught:
        parse_scenario("press X\nwait 1s\nexpect Y\n", "a.scenario")
    assert [line.partition(": ")[0] for line in str(caught.value).splitlines()] == [
        "a.scenario:1",
        "a.scenario:3",
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("press GAME_OVER\nset token 5.00\n", 2),
        ("set to-jackpot 70\nset to-reserve 31\npress GAME_OVER\n", 2),
        ("set game black-jack\nset rail slot\n", 2),
        ("set token 0\n", 1),
        ("set game black-jack\ntoken 1\n", 2),
        ("set game ultimate-texas-holdem\npress JPOT\n", 2),
        ("set game tre-card-stud\npress FLUSH\n", 2),
    ],
)
def test_lines_that_do_not_go_together(text: str, line: int) -> None:
    with pytest.raises(Refused, match=rf"^a\.scenario:{line}: "):
        parse_scenario(text, "a.scenario")


def test_settings_may_stand_in_any_order() -> None:
    text = "set to-reserve 90\nset to-jackpot 10\nset rail sensor\nset game caribbean-stud\n"
    plan = parse_scenario(text, "a").plan
    assert (plan.money.to_jackpot, plan.money.to_reserve) == (1_000, 9_000)


# banco play

Play = Callable[..., tuple[int, str, str]]
HOLDS = "press GAME_OVER\nexpect phase BETTING\n"
FAILS = "press GAME_OVER\nexpect phase PLAYING\npress COIN_IN\n"


@pytest.fixture
def play_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Play:
    """Write each text to a.scenario, b.scenario... and play them."""

    def run(*texts: str, as_json: bool = False) -> tuple[int, str, str]:
        files = [tmp_path / f"{name}.scenario" for name, _ in zip("abcdef", texts, strict=False)]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text, "utf-8")
        status = play([str(file) for file in files], as_json=as_json, real_time=False)
        out, err = capsys.readouterr()
        return status, out.replace(f"{tmp_path}/", ""), err.replace(f"{tmp_path}/", "")

    return run


def test_0_when_every_expectation_held(play_texts: Play) -> None:
    summary = "2 scenarios, all held: 2 acts done, 2 expectations held\n"
    assert play_texts(HOLDS, HOLDS) == (HELD, summary, "")
    assert play_texts("")[0] == HELD
    assert HELD == 0


def test_1_when_one_did_not_and_the_rest_of_that_file_is_not_played(play_texts: Play) -> None:
    status, out, err = play_texts(FAILS, HOLDS, as_json=True)
    assert status == FAILED == 1
    assert err == "a.scenario:2: expected phase PLAYING, got BETTING\n"
    assert [(o["file"], o["line"], o["ok"]) for o in map(json.loads, out.splitlines())] == [
        ("a.scenario", 1, True),
        ("a.scenario", 2, False),
        ("b.scenario", 1, True),
        ("b.scenario", 2, True),
    ]


def test_2_when_a_line_is_not_understood_and_nothing_is_played(play_texts: Play) -> None:
    status, out, err = play_texts(HOLDS, "wait 1s\npress SOMETHING\n", as_json=True)
    assert (status, out) == (NOT_UNDERSTOOD, "")
    assert err.startswith("b.scenario:2: ")
    assert NOT_UNDERSTOOD == 2


@pytest.mark.parametrize("content", [None, b"press \xff\xfe"])
def test_2_when_a_file_cannot_be_read(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.scenario", tmp_path / "bad.scenario"
    good.write_text(HOLDS, "utf-8")
    if content is not None:
        bad.write_bytes(content)
    assert play([str(good), str(bad)], as_json=True, real_time=False) == NOT_UNDERSTOOD
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{bad}:")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("expect phase PLAYING", "expected phase PLAYING, got BETTING"),
        ("expect slots 1", "expected slots 1, got 1 2 3 4 5 6 7"),
        ("expect seats 1", "expected seats 1, got none"),
        ("expect lamps FLUSH", "expected lamps FLUSH, got none"),
        ("expect jackpot 1", "expected jackpot 1.00, got 10000.00"),
        ("expect house 0", "expected house 0.00, got -10000.00"),
        ("expect each 1", "expected each 1.00, got none"),
        ("expect winners 1", "expected winners 1, got 0"),
        ("expect refused NOT_OPEN", "expected refused NOT_OPEN, got none"),
        ("expect fault KEY_FAULT", "expected fault KEY_FAULT, got none"),
        ("expect display X", "expected display X, got JACKPOT |        10.000,00 EUR"),
    ],
)
def test_what_was_expected_and_what_was_got(line: str, complaint: str, play_texts: Play) -> None:
    status, _, err = play_texts(f"press GAME_OVER\n{line}\n")
    assert (status, err) == (FAILED, f"a.scenario:2: {complaint}\n")


@pytest.mark.parametrize(
    "line",
    ["expect slots 1", "expect slots 1 2 3 4 5 6", "expect fault none", "expect blinking 1 2"],
)
def test_lists_are_exact_and_no_fault_is_none_at_all(line: str, play_texts: Play) -> None:
    status, _, _ = play_texts(f"press GAME_OVER\nkey between\nwait 1s\n{line}\n")
    assert status == FAILED


def test_refused_is_about_the_act_just_before_and_a_wait_is_none(play_texts: Play) -> None:
    text = "press JPOT\nwait 5s\nexpect refused NOT_OPEN\nkey JPL\nexpect refused none\n"
    assert play_texts(text)[::2] == (HELD, "")


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_json_of_a_linked_table_has_its_link_too(play_texts: Play) -> None:
    text = "set link house\npress GAME_OVER\nlink off\nwait 4s\n"
    status, out, _ = play_texts(text, as_json=True)
    assert status == HELD
    fields = ("link", "shown", "centre", "awaited")
    opened, _, lost = objects(out)
    assert [opened[name] for name in fields] == ["up", "10000.00", "10000.00", 0]
    assert [lost[name] for name in fields] == ["lost", None, "10000.00", 0]
    assert not set(fields) & set(objects(play_texts("press GAME_OVER\n", as_json=True)[1])[0])


def test_json_says_what_a_person_sees_and_what_the_ledger_has(play_texts: Play) -> None:
    text = "press GAME_OVER\ntoken 1 3\n\n# now\npress COIN_IN # all in\nexpect phase PLAYING\n"
    status, out, _ = play_texts(text, as_json=True)
    assert status == HELD
    assert len(objects(out)) == 4
    assert objects(out)[2] == {
        "file": "a.scenario",
        "line": 5,
        "text": "press COIN_IN",
        "ok": True,
        "phase": "PLAYING",
        "slots": {"1": "ON", "3": "ON"},
        "seats": {"1": "ON", "3": "ON"},
        "lamps": [],
        "display": ["JACKPOT", "       10.002,80 EUR"],
        "jackpot": "10002.80",
        "reserve": "0.40",
        "house": "-9999.20",
        "pending": "0.00",
        "paid": "0.00",
        "award": None,
        "faults": [],
        "refused": None,
    }
    assert out.splitlines()[2].startswith('{"file": "a.scenario", "line": 5, "text": "press COIN_')


def test_json_of_an_award_a_refusal_a_fault_and_lamps(play_texts: Play) -> None:
    text = "press GAME_OVER\ntoken 1\npress COIN_IN\npress FLUSH\nkey JPL\npress JPOT\npress JPOT\n"
    trouble = "token 4\ncover 1\nwait 1s\nkey between\nwait 2s\n"
    *_, last = objects(play_texts(text + trouble, as_json=True)[1])
    assert last["award"] == {"combination": "FLUSH", "winners": 1, "each": "100.01"}
    assert last["lamps"] == ["FLUSH"]
    assert last["faults"] == ["KEY_FAULT"]
    assert last["slots"] == {"1": "ON"}
    assert last["seats"] == {"1": "ALERT"}
    (refused,) = [o for o in objects(play_texts(text, as_json=True)[1]) if o["refused"]]
    assert (refused["text"], refused["refused"]) == ("press JPOT", "NOBODY_ELIGIBLE")
    (opened, *_) = objects(play_texts(text, as_json=True)[1])
    assert set(opened["slots"].values()) == {"INVITE"}


def test_a_list_is_done_one_after_another(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER")
        began = table.records[-1].at_ms
        table.play("token 1 2 3", "press COIN_IN")
        laid = [r.at_ms - began for r in table.records if r.kind == "rail" and r.at_ms > began][:3]
        assert [b - a for a, b in pairwise(laid)] == [50, 50]


def test_what_nobody_could_do_does_nothing(play_texts: Play) -> None:
    text = "take 3\nuncover 2\npower on\nplug rail\npress GAME_OVER\ntoken 1\ntoken 1\n"
    assert play_texts(text + "press COIN_IN\nexpect jackpot 10001.40\n")[::2] == (HELD, "")


def test_without_power_a_press_does_nothing(play_texts: Play) -> None:
    text = "power off\npress GAME_OVER\npower on\nwait 2s\nexpect phase PAUSED\n"
    assert play_texts(text)[::2] == (HELD, "")


def test_by_the_clock_it_is_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = tmp_path / "short.scenario"
    acts = ("press GAME_OVER", "wait 1s", "token 1", "wait 1s", "press COIN_IN", "wait 1s")
    scenario.write_text("\n".join([*acts, "expect seats 1"]), "utf-8")
    assert play([str(scenario)], as_json=False, real_time=True) == HELD
    assert capsys.readouterr().err == ""
