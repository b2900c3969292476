"""What no scenario can ask of a poker table: what goes on record, what does not belong."""

from pathlib import Path

import pytest
from msgspec import to_builtins

from console.configuration.table_plan import TablePlan
from console.rules.acts import Adopted, Started
from console.rules.poker_acts import HalfRake
from console.rules.poker_settings import PokerHouse, PokerSettings
from console.rules.poker_state import PokerState
from console.rules.round.draft import ActOutcome
from console.rules.state import TableState
from console.simulation.scenario.script import parse_scenario
from console.texts.declarations.lines import parse_declaration
from console.texts.declarations.poker_tables import AT_POKER
from console.texts.language import Language
from console.texts.record_texts import describe_decisions
from devices.roles import Button, ButtonPressed, KeyFound, KeyPosition
from jackpot.failures import Refused
from tests.console.table import PureTable, table_in


def adopt(state: TableState, poker: PokerSettings) -> PureTable:
    """A table whose service starts with these settings."""
    plan = TablePlan(game="texas-holdem", rail=None, poker=poker)
    table = PureTable(plan.rules(None), state)
    table.do(Started(), Adopted(plan.settings()), KeyFound(KeyPosition.R))
    return table


def press(table: PureTable, *buttons: Button) -> None:
    for button in buttons:
        table.press(ButtonPressed(button))


def poker_in(table: PureTable) -> PokerState:
    assert isinstance(table.state.poker, PokerState)
    return table.state.poker


COUNTING = (Button.GAME_OVER, Button.COMBINATION_1, Button.COMBINATION_2, Button.JPOT)


def test_half_the_rake_is_nothing_that_another_house_has() -> None:
    """POKER 18.11"""
    table = adopt(TableState(), PokerSettings())
    assert table.do(HalfRake(True, "anna")).outcome is ActOutcome.NO_EFFECT
    press(table, *COUNTING, Button.COMBINATION_1, Button.GAME_OVER)
    assert poker_in(table).last.parts == (25,)


def test_half_a_rake_ends_with_the_house_that_has_it() -> None:
    table = adopt(TableState(), PokerSettings(house=PokerHouse.PRESTIGE))
    table.do(HalfRake(True, "anna"))
    press(table, *COUNTING, Button.COMBINATION_1, Button.GAME_OVER, Button.COIN_IN)
    assert poker_in(table).last.parts == (12,)
    table = adopt(table.state, PokerSettings())
    press(table, *COUNTING, Button.COMBINATION_1, Button.GAME_OVER)
    assert poker_in(table).last.parts == (25,)


def test_another_number_of_players_in_the_configuration_counts() -> None:
    table = adopt(TableState(), PokerSettings(players=6))
    press(table, Button.GAME_OVER, Button.COMBINATION_2)
    assert poker_in(table).players == 5
    press(table, Button.COIN_IN)
    table = adopt(table.state, PokerSettings(players=6))
    assert poker_in(table).players == 5
    table = adopt(table.state, PokerSettings(players=8))
    assert poker_in(table).players == 8


def test_a_dealer_in_a_levels_last_90_seconds_is_early(tmp_path: Path) -> None:
    """POKER 16.10"""
    levels = ("level 10m 100/200", "break 5m", "level 2m 200/400")
    with table_in(tmp_path, "game texas-holdem", "form tournament", *levels) as table:
        table.play("press GAME_OVER", "declare clock start", "wait 8m", "press DEALER")
        table.play("wait 31s", "press DEALER", "declare clock stop", "wait 1m", "press DEALER")
        table.play("declare clock start", "wait 2m", "expect display PAUSA", "press DEALER")
        table.play("wait 5m", "expect level 2", "wait 1m", "press DEALER", "wait 5m")
        table.play("expect clock 0:00", "press DEALER")
        early = [decision["early"] for decision in table.decisions("new-dealer")]
    assert early == [0, 1, 1, 0, 0, 0]


def test_the_first_rake_has_the_hands_identity_also_if_it_was_forgotten(tmp_path: Path) -> None:
    """POKER 18.22, 20.19"""
    with table_in(tmp_path, "game texas-holdem") as table:
        table.play("press GAME_OVER", "press HAND", "press FLOP", "press GAME_OVER")
        table.play("declare rake 5", "expect taken 5.00", "declare rake 4", "expect taken 4.00")
        moved = [one.identity for record in table.records for one in record.transactions]
    assert moved == [
        "simulated/round-1/rake",
        "simulated/round-1/rake/2/returned",
        "simulated/round-1/rake/2",
    ]


def test_a_rake_corrected_in_the_next_hand_is_still_that_of_its_hand(tmp_path: Path) -> None:
    """POKER 18.22, 20.19"""
    with table_in(tmp_path, "game texas-holdem") as table:
        table.play("press GAME_OVER", "press HAND", "press FLOP", "press JPOT", "press CHIP_1")
        table.play("press GAME_OVER", "press HAND", "declare rake 4", "expect taken 4.00")
        table.play("expect rake none", "press FLOP", "press JPOT", "press CHIP_2")
        table.play("press GAME_OVER", "expect taken 9.00")
        moved = [one.identity for record in table.records for one in record.transactions]
        assert table.decisions("rake-corrected")[0]["hand"] == 1
    assert moved == [
        "simulated/round-1/rake",
        "simulated/round-1/rake/2/returned",
        "simulated/round-1/rake/2",
        "simulated/round-2/rake",
    ]


def test_the_record_says_what_a_button_with_several_names_did(tmp_path: Path) -> None:
    with table_in(tmp_path, "game texas-holdem") as table:
        table.play("press GAME_OVER", "press HAND", "press GAME_OVER", "press FLOP", "press HAND")
        table.play("press FLOP", "press JPOT", "press CHIP_2", "press JPOT", "press CHIP_1")
        table.play("press COIN_IN", "press COIN_IN", "press COIN_IN")
        words = [
            text
            for record in table.records
            for text in describe_decisions(record, Language.IT)
            if record.kind == "button"
        ]
    assert words[1:] == [
        "mano finita",
        "giocatori 8, erano 9",
        "DALL'ULTIMA MANO: giocatori da 9 a 8",
        "mano, 8 giocatori",
        "flop",
        "fiche da 100,00, piatto 1",
        "piatto 2",
        "fiche da 500,00, piatto 2",
        "tolta la fiche da 500,00, piatto 2",
        "piatto 2 tolto",
        "tolta la fiche da 100,00, piatto 1",
    ]


def test_line_2_is_empty_in_cash_with_no_rake_just_taken(tmp_path: Path) -> None:
    """POKER 13.34, 13.35"""
    with table_in(tmp_path, "game texas-holdem") as table:
        table.play("press GAME_OVER")
        assert table.seen.display == ("HOLD'EM 5/10", "")
        table.play("press HAND", "press FLOP", "press JPOT", "press CHIP_2", "press GAME_OVER")
        assert table.seen.display == ("HOLD'EM 5/10", "RAKE 5 EUR")
        table.play("press HAND", "press GAME_OVER")
        assert table.seen.display == ("HOLD'EM 5/10", "")


NIGHT = ("game texas-holdem", "form tournament", "level 10m 100/200", "level 10m 200/400")


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("time 9", "write 'declare time N | normal'; N is a whole number from 10 to 60"),
        ("time 61", "from 10 to 60"),
        ("boards 4", "from 2 to 3"),
        ("players 1", "from 2 to 11"),
        ("players 12", "from 2 to 11"),
        ("clock set 3 7m", "there is no level 3; there are levels 1 to 2"),
        ("clock set 0 7m", "there is no level 0; there are levels 1 to 2"),
        ("clock set 1 7:3", "'7:3' is no time such as 7:30, 7m or 90s"),
        ("clock set 1 1441", "'1441': at most 24h"),
        ("rake 5 10", "a part for each pot, or none"),
        ("half-rake on", "at prestige only, not in sanremo"),
        ("jackpot-hit 0", "from 1 to 11"),
        ("entries 900 45", "first the entries, then the chips in play: entries 45 900000"),
        ("entries 1 900", "from 2 to 9999"),
        ("rake-cap 10", "no cap of the rake is set at tournament in sanremo"),
        ("break 0s", "write 'declare break TIME'; a break lasts longer than 0s"),
    ],
)
def test_what_cannot_be_declared_is_refused_in_words(words: str, right: str) -> None:
    """POKER 14.13, 15.13, 16.8, 18.11, 20.18"""
    lines = [f"set {setting}" for setting in NIGHT]
    with pytest.raises(Refused) as refused:
        parse_scenario("\n".join([*lines, f"declare {words}"]), "one.scenario")
    assert right in str(refused.value)


@pytest.mark.parametrize(
    ("typed", "as_before"),
    [
        ("clock set 2 7:30", "clock set 2 450s"),
        ("clock set 2 7", "clock set 2 7m"),
        ("clock set 2 1440", "clock set 2 24h"),
        ("break 10:00", "break 10m"),
        ("drop 1250,50", "drop 1250.50"),
        ("rake 5 + 10", "rake 5+10"),
    ],
)
def test_a_line_takes_what_the_drawer_takes(typed: str, as_before: str) -> None:
    """The forms that console/web/pages/cabinet/drawer_fields.js reads."""
    assert parse_declaration(typed.split(), "x") == parse_declaration(as_before.split(), "x")


def test_entries_hold_until_the_night_is_closed(tmp_path: Path) -> None:
    """POKER 16.19, 20.26: Nothing of them stands in the state of a table that has none declared"""
    with table_in(tmp_path, *NIGHT) as table:
        table.play("press GAME_OVER", "press HAND", "press GAME_OVER")
        assert "entries" not in to_builtins(table.state.poker)
        table.play("declare entries 45 900000", "press HAND", "declare entries 46 920000")
        table.play("press GAME_OVER", "press COIN_IN", "press GAME_OVER")
        assert isinstance(table.state.poker, PokerState)
        assert table.state.poker.count_entries() == (46, 920_000)
        table.play("press COIN_IN", "declare drop 0")
        assert "entries" not in to_builtins(table.state.poker)


def test_these_are_the_declarations_of_a_poker_table() -> None:
    """POKER 15.12, 18.23, 20.24: no time bank, no collection by time"""
    alone = (
        "board-corrected players entries rake drop boards time clock prior-level hand-for-hand go"
    )
    later = "rake-cap break match-new change half-rake jackpot-hit"
    assert {row.verb.split()[0] for row in AT_POKER} == {*alone.split(), *later.split()}
