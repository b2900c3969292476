"""A poker table's bordereau: hands, pots, rake, drop (docs/reference/poker-rules.md, section
20).
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.bordereau.figures import Bordereau, PokerEntry
from console.bordereau.json import json_of
from console.bordereau.nights import bordereau_of, newest_night, nights
from console.bordereau.pdf import pdf_of
from console.bordereau.sections import sheet_of
from console.bordereau.sheet import text_of
from console.rules.poker_settings import PokerSettings
from console.texts.language import Words
from jackpot.money.amounts import Cents
from tests.console.bordereau.played_nights import (
    IN_ENGLISH,
    IN_ITALIAN,
    ledger_of,
    play_night,
)
from tests.console.table import Table

CASH = ("game texas-holdem",)
COUNTED_HAND = (
    *("press HAND", "press HAND", "press HAND", "press FLOP"),
    *("press JPOT", "press CHIP_2", "press JPOT", "press CHIP_2", "press CHIP_2"),
    *("press JPOT", "press CHIP_1", "press CHIP_1", "press GAME_OVER", "declare rake 5+10"),
)
"""Dealt twice; three pots, 1,300; the rake 30 becomes 15."""

NIGHT = (
    *("press GAME_OVER", *COUNTED_HAND),
    *("press HAND", "press TIME", "press TIME", "press TIME", "wait 61s", "press GAME_OVER"),
    *("press HAND", "press FLOP", "declare round-void", "press DECK"),
    *("press DEALER", "press HAND", "press FLOP", "press GAME_OVER", "press COIN_IN"),
)
"""Four hands: counted; a time call acted on and one expired; void after the flop; not entered."""


@contextmanager
def report_night(
    folder: Path, *lines: str, settings: tuple[str, ...] = CASH
) -> Iterator[Bordereau]:
    with play_night(folder, *lines, settings=settings) as table:
        yield newest(table)


def newest(table: Table) -> Bordereau:
    return bordereau_of(ledger_of(table), newest_night(ledger_of(table)))


def test_hands_pots_and_drop_are_added_up(tmp_path: Path) -> None:
    """POKER 20.25"""
    with report_night(tmp_path, *NIGHT, "declare drop 14.00") as report:
        poker = report.poker
        assert isinstance(poker, PokerEntry)
        (drop,) = poker.drops
        assert (poker.hands, poker.misdeals, poker.voids, poker.flops_without_entry) == (4, 1, 1, 1)
        assert (poker.counted, poker.pots) == (1, 1_300_00)
        assert (poker.time_calls, poker.expired) == (2, 1)
        assert (poker.dealers, poker.early, poker.changes) == (1, 0, 1)
        assert (drop.counted, drop.expected, drop.difference) == (1400, 1500, -100)
        assert report.stretch.closed
        assert report.differs == ()


@pytest.mark.parametrize(("hole", "name"), [("2", "Texas Hold'em"), ("4", "Omaha")])
def test_the_game_is_named_by_the_cards_that_each_player_gets(
    hole: str, name: str, tmp_path: Path
) -> None:
    with report_night(tmp_path, *NIGHT, settings=(*CASH, f"hole {hole}")) as report:
        for say in (IN_ENGLISH, IN_ITALIAN):
            lines = [" ".join(line.split()) for line in text_of(sheet_of(report, say)).splitlines()]
            assert any(line.endswith(f" {name}") for line in lines[:8])
            assert f"{say(Words('gioco', 'game'))} {name}" in lines


def test_it_stands_on_paper_in_both_languages(tmp_path: Path) -> None:
    with report_night(tmp_path, *NIGHT, "declare drop 14.00", "declare drop 15.50") as report:
        english, italian = (
            text_of(sheet_of(report, say)).splitlines() for say in (IN_ENGLISH, IN_ITALIAN)
        )
        pdf = pdf_of(sheet_of(report, IN_ITALIAN), IN_ITALIAN)
    for line in (
        "form                                cash",
        "hands                                  4",
        "  of them expired                      1",
        "pots                            1,300.00",
        "rake                               45.00",
        "rake reversed                     -30.00",
        "rake taken                         15.00",
        "flops without entry                    1",
        "difference                         +0.50",
        "Before that capotavolo counted 14.00 at",
        "  rake corrected: 5+10",
        "  rake box 15.50",
    ):
        assert line in english
    assert "mani nulle                             1" in italian
    assert "differenza                         +0,50" in italian
    assert not [line for line in english if "token" in line or "jackpot" in line]
    assert pdf.startswith(b"%PDF")


def test_programs_get_the_same(tmp_path: Path) -> None:
    with report_night(tmp_path, *NIGHT, "declare drop 14.00") as report:
        written = json.loads(json_of(report))
    poker = written["poker"]
    assert (poker["pots"], poker["rake"], poker["hands"]) == ("1300.00", "15.00", 4)
    (drop,) = poker["drops"]
    assert {name: drop[name] for name in ("who", "counted", "expected", "difference")} == {
        "who": "capotavolo",
        "counted": "14.00",
        "expected": "15.00",
        "difference": "-1.00",
    }
    assert {name: written["settings"][0][name] for name in ("form", "house", "hole")} == {
        "form": "cash",
        "house": "sanremo",
        "hole": 2,
    }


def test_the_drop_closes_the_night_and_a_refused_one_does_not(tmp_path: Path) -> None:
    """POKER 20.23"""
    with play_night(tmp_path, *NIGHT[:-1], "declare drop 14.00", settings=CASH) as table:
        table.play("expect refused ALREADY_OPEN")
        assert not newest(table).stretch.closed
        table.play("press COIN_IN", "declare drop 15.00")
        table.play("press GAME_OVER", "press HAND", "press FLOP", "press JPOT", "press CHIP_2")
        table.play("press GAME_OVER", "press COIN_IN", "declare drop 5.00")
        second, first = nights(ledger_of(table))
        assert (first.rounds, second.rounds) == ((1, 4), (5, 5))
        report = newest(table)
        assert report.poker is not None
        assert (report.rake, report.poker.hands) == (5_00 * 10_000, 1)
        assert report.poker.drops[0].difference == Cents(0)


def test_declarations_are_told_with_what_was_declared(tmp_path: Path) -> None:
    lines = ("declare time 10", "declare time normal", "declare half-rake on", "declare change")
    more = ("press GAME_OVER", "press HAND", "declare boards 2", "declare players 8")
    settings = (*CASH, "house prestige")
    with report_night(tmp_path, *lines, *more, settings=settings) as report:
        text = text_of(sheet_of(report, IN_ENGLISH))
    for words in ("time 10 s", "time normal", "half rake", "deck to be changed", "2 boards"):
        assert f"  {words}\n" in text
    assert re.search(r"^  refused +HAND IN PLAY$", text, re.MULTILINE)


def test_a_tournament_has_no_money_to_tell(tmp_path: Path) -> None:
    lines = ("press GAME_OVER", "declare clock start", "wait 9m", "press DEALER", "press HAND")
    rest = ("press FLOP", "press GAME_OVER", "press COIN_IN", "declare drop 0")
    settings = (*CASH, "form tournament", "level 10m 100/200", "level 10m 200/400")
    with report_night(tmp_path, *lines, *rest, settings=settings) as report:
        text = text_of(sheet_of(report, IN_ENGLISH))
        assert isinstance(report.settings[0][1].poker, PokerSettings)
    assert "  of them early                        1\n" in text
    assert "form                          tournament\n" in text
    assert "RAKE" not in text
    assert report.stretch.closed
