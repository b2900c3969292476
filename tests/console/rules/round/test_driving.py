"""Outputs driven by hand in SERVICE: what shows them, what ends them, what is on record."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from console.command_line.main import main
from console.rules.acts import Act, OutputsDriven, PartTested, Reopened, SelfTested, Started
from console.rules.codes import Refusal
from console.rules.drive import Drive
from console.rules.game_modules import display_text, panel_lights
from console.rules.round.card_outputs import rail_orders
from console.rules.state import TableState
from console.rules.structs import replace
from console.texts.display import ITALIAN
from devices.device import Device
from devices.roles import (
    ALL_DARK,
    Button,
    ButtonPressed,
    DeviceLost,
    KeyMoved,
    KeyPosition,
    KeyUnreadable,
)
from tests.console.rules.round.driven_outputs import (
    LAMPS,
    PANEL,
    SHOWN,
    TEXT,
    WHO,
    do,
    drive,
    drive_outputs,
    gates,
    in_service,
)
from tests.console.table import TO_PHASE, Table, table_in

# What is driven is what is shown


def test_what_is_driven_is_shown_and_the_rest_is_dark() -> None:
    """TABLE 6: the technician may drive outputs by hand"""
    pure_table = in_service()
    drive_outputs(pure_table, SHOWN)
    orders = rail_orders(pure_table.state)
    assert (orders.lamps, orders.gates, orders.accepting) == (LAMPS, frozenset(), frozenset())
    assert panel_lights(pure_table.state, pure_table.rules) == PANEL
    assert display_text(pure_table.state, pure_table.rules, ITALIAN, 0) == TEXT
    drive_outputs(pure_table, Drive(panel=PANEL))
    assert rail_orders(pure_table.state).lamps == ALL_DARK
    assert display_text(pure_table.state, pure_table.rules, ITALIAN, 0).lines[0] == "JACKPOT"


def test_a_cabinet_shows_it(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("key S")
        assert drive(table, SHOWN) is None
        cabinet = table.machine.cabinet
        assert tuple(cabinet.slot_lamps().values()) == LAMPS
        assert tuple(cabinet.panel.seat_leds().values()) == PANEL.seats
        assert cabinet.panel.combination_lamps() == PANEL.combinations
        assert cabinet.display.lines() == (TEXT.lines[0].ljust(20), TEXT.lines[1])
        table.play("unplug rail", "unplug display", "wait 2s", "plug rail", "plug display")
        table.play("wait 5s")
        assert tuple(cabinet.slot_lamps().values()) == LAMPS
        assert cabinet.display.lines()[0].rstrip() == TEXT.lines[0]
        assert drive(table, None) is None
        assert table.seen.slots == {}
        assert table.seen.seats == {}
        assert table.seen.lamps == ()
        assert table.seen.display[0] == "JACKPOT"


@pytest.mark.parametrize(
    "drive",
    [
        {"slots": ["ON"]},
        {"panel": {"seats": ["ON"] * 8}},
        {"panel": {"seats": ["INVITE"] * 7}},
        {"panel": {"combinations": [True] * 4}},
        {"gates": [0]},
        {"gates": [8]},
        {"display": {"lines": ["x" * 21, ""]}},
        {"display": {"lines": ["è", ""]}},
        {"display": {"lines": ["", "\x1b@"]}},
    ],
)
def test_what_no_cabinet_can_show_is_no_drive(drive: dict[str, Any]) -> None:
    """It comes over a line: nothing that would end the service may come so far"""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"who": WHO, "drive": drive}, OutputsDriven)


# What ends it


@pytest.mark.parametrize(
    "act",
    [
        KeyMoved(None),
        KeyMoved(KeyPosition.R),
        KeyMoved(KeyPosition.JPL),
        KeyUnreadable(),
        DeviceLost(Device.PANEL, "unplugged"),
        Started(),
        Reopened(KeyPosition.S, False, ()),
    ],
    ids=lambda act: re.sub(r"[^\w]+", "-", str(act)),
)
def test_it_ends_with(act: Act) -> None:
    pure_table = in_service()
    drive_outputs(pure_table, replace(SHOWN, gates=frozenset({1})))
    pure_table.do(act)
    assert pure_table.state.drive is None
    assert rail_orders(pure_table.state).gates == frozenset()
    assert pure_table.due is None


def dark(state: TableState, table: Table) -> bool:
    return state.drive is None and table.seen.slots == {} and table.seen.lamps == ()


def power_cut(table: Table) -> None:
    table.play("power off", "power on", "wait 5s")


def unplug(table: Table) -> None:
    table.play("unplug panel", "wait 1s", "plug panel", "wait 1s")


def key_turned(table: Table) -> None:
    table.play("key R")


def ledger_mended(table: Table) -> None:
    table.play("disk full")
    do(table, SelfTested(WHO, (PartTested("display", True, ""),)))
    table.play("expect fault LEDGER_FAULT", "disk ok", "clear LEDGER_FAULT", "expect fault none")


@pytest.mark.parametrize("end", [power_cut, unplug, key_turned, ledger_mended])
def test_a_cabinet_is_dark_after(end: Callable[[Table], None], tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("key S")
        assert drive(table, SHOWN) is None
        end(table)
        assert dark(table.state, table)


def test_in_service_the_buttons_stay_refused_while_it_is_driven() -> None:
    pure_table = in_service()
    drive_outputs(pure_table, SHOWN)
    assert pure_table.press(ButtonPressed(Button.GAME_OVER)).refusal is Refusal.IN_SERVICE
    assert pure_table.state.drive == SHOWN


# The record


def test_the_journal_played_again_agrees(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["BETTING"], "press COIN_IN", "key S", "token 3")
        assert drive(table, replace(SHOWN, gates=frozenset({3, 4}))) is None
        table.play("wait 3s")
        do(table, SelfTested(WHO, (PartTested("gate 3", True, "1 token"),)))
        assert drive(table, None) is None
        assert drive(table, gates(1)) is None
        table.play("key R", "power off", "power on", "wait 5s", *TO_PHASE["PLAYING"])
        assert drive(table, gates(1)) == "NOT_IN_SERVICE"
        ledger = table.machine.disk.folder
        driven_by = [one.body["act"] for one in table.records if one.kind == "driven"]
        assert {act["who"] for act in driven_by if isinstance(act, dict)} == {WHO}
        assert main(["ledger", "verify", str(ledger)]) == 0
    assert "played again, every act leads to the state on record" in capsys.readouterr().out
