"""Outputs driven by hand in SERVICE: what shows them, what refuses them, what ends them."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from console.acts import (
    Act,
    Elapsed,
    LineAct,
    OutputsDriven,
    PartTested,
    Reopened,
    SelfTested,
    Started,
)
from console.codes import Fault, Phase, Refusal
from console.command_line import main
from console.drive import Drive
from console.outputs import display_text, panel_lights, rail_orders
from console.round import Outcome, Step
from console.round.tokens import GATE_MS
from console.state import TableState
from console.texts import ITALIAN
from devices.roles import (
    ALL_DARK,
    SEATS,
    Button,
    ButtonPressed,
    Device,
    DisplayText,
    KeyMoved,
    KeyPosition,
    KeyUnreadable,
    Lamp,
    LinkLost,
    PanelLights,
    RailSeen,
)
from tests.console.table import STUCK, TO_PHASE, Table, Thought, rules_of, table_in

WHO = "anna"
LAMPS = (Lamp.ON, Lamp.INVITE, Lamp.ALERT, *ALL_DARK[3:])
PANEL = PanelLights((*ALL_DARK[1:], Lamp.ON), (True, False, False, False, True))
TEXT = DisplayText(("PROVA DISPLAY", "12345678901234567890"))
SHOWN = Drive(slots=LAMPS, panel=PANEL, display=TEXT)


def gates(*seats: int) -> Drive:
    return Drive(gates=frozenset(seats))


def in_service(game: str = "caribbean-stud") -> Thought:
    thought = Thought.started(rules_of(game))
    thought.do(KeyMoved(KeyPosition.S))
    return thought


def driven(thought: Thought, drive: Drive | None) -> Step:
    return thought.do(OutputsDriven(WHO, drive))


def do(table: Table, act: LineAct) -> None:
    """What the local line's server reports, and the time after it."""
    table.rehearsal.service.report(act)
    table.stage.pass_time(50)


def drive(table: Table, what: Drive | None) -> str | None:
    """Drive outputs at a table; the refusal on record, if it was refused."""
    do(table, OutputsDriven(WHO, what))
    refusal = table.records[-1].body.get("refusal")
    assert refusal is None or isinstance(refusal, str)
    return refusal


# What is driven is what is shown


def test_what_is_driven_is_shown_and_the_rest_is_dark() -> None:
    """TABLE 6: the technician may drive outputs by hand"""
    thought = in_service()
    driven(thought, SHOWN)
    orders = rail_orders(thought.state)
    assert (orders.lamps, orders.gates, orders.open) == (LAMPS, frozenset(), frozenset())
    assert panel_lights(thought.state, thought.rules) == PANEL
    assert display_text(thought.state, thought.rules, ITALIAN, 0) == TEXT
    driven(thought, Drive(panel=PANEL))
    assert rail_orders(thought.state).lamps == ALL_DARK
    assert display_text(thought.state, thought.rules, ITALIAN, 0).lines[0] == "JACKPOT"


def test_a_cabinet_shows_it(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("key S")
        assert drive(table, SHOWN) is None
        cabinet = table.stage.cabinet
        assert tuple(cabinet.slot_lamps().values()) == LAMPS
        assert tuple(cabinet.seat_leds().values()) == PANEL.seats
        assert cabinet.combination_lamps() == PANEL.combinations
        assert cabinet.display_lines() == (TEXT.lines[0].ljust(20), TEXT.lines[1])
        table.play("unplug rail", "unplug display", "wait 2s", "plug rail", "plug display")
        table.play("wait 5s")
        assert tuple(cabinet.slot_lamps().values()) == LAMPS
        assert cabinet.display_lines()[0].rstrip() == TEXT.lines[0]
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


# What refuses it


@pytest.mark.parametrize("phase", sorted(TO_PHASE))
def test_outside_service_it_is_refused(phase: str, tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[phase])
        before = table.seen
        assert drive(table, SHOWN) == Refusal.NOT_IN_SERVICE.value
        assert (table.seen.slots, table.seen.seats) == (before.slots, before.seats)
        assert table.state.phase is Phase(phase)


def test_in_service_with_the_key_elsewhere_it_is_refused() -> None:
    """A key found at S after a start has not moved; one on its way is at no position"""
    for act in (KeyMoved(None), KeyMoved(KeyPosition.JPH), KeyUnreadable(), Started()):
        thought = in_service()
        thought.do(act)
        assert thought.state.service
        assert driven(thought, SHOWN).refusal is Refusal.NOT_IN_SERVICE
        assert thought.state.drive is None


def test_a_locked_table_shows_lamps_but_opens_no_gate() -> None:
    thought = in_service()
    thought.state = thought.with_fault(Fault.LEDGER_FAULT)
    assert driven(thought, SHOWN).refusal is None
    assert driven(thought, gates(1)).refusal is Refusal.LOCKED
    assert thought.state.drive == SHOWN


def test_no_gate_opens_under_a_token_that_is_still_awaited(tmp_path: Path) -> None:
    """A mended table in SERVICE, COLLECTING underneath: its token would be accepted"""
    with table_in(tmp_path) as table:
        table.play(*STUCK, "disk full", "press COIN_IN", "expect fault LEDGER_FAULT", "disk ok")
        table.play("key S", "clear LEDGER_FAULT", "expect refused none")
        table.play("unjam 2", "expect seats none")
        assert drive(table, gates(2, 3)) == Refusal.COLLECTING.value
        assert table.stage.cabinet.open_gates() == frozenset()
        assert drive(table, gates(3)) is None
        assert table.stage.cabinet.open_gates() == {3}
        table.play("expect jackpot 10001.40", "key R", "expect phase COLLECTING")
        table.play("press COIN_IN", "expect phase PLAYING", "expect jackpot 10002.80")


@pytest.mark.parametrize("before", [("token 2",), ("token 1", "press COIN_IN", "token 2")])
def test_with_a_round_underneath_no_gate_opens_under_a_players_token(
    before: tuple[str, ...], tmp_path: Path
) -> None:
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER", *before, "wait 1s", "disk full", "press JPOT")
        table.play("expect fault LEDGER_FAULT", "disk ok", "key S", "clear LEDGER_FAULT")
        assert drive(table, gates(2)) == Refusal.ALREADY_OPEN.value
        assert table.stage.cabinet.open_gates() == frozenset()
        assert drive(table, gates(3)) is None
        table.play("wait 3s", "key R")
        assert 2 in table.state.seats.occupied


def test_letting_go_of_nothing_has_no_effect() -> None:
    assert driven(in_service(), None).outcome is Outcome.NO_EFFECT


# Gates


def test_gates_close_after_two_seconds() -> None:
    thought = in_service()
    driven(thought, replace(SHOWN, gates=frozenset({2, 5})))
    assert rail_orders(thought.state).gates == {2, 5}
    assert thought.due == thought.now + GATE_MS
    thought.now += GATE_MS - 1
    thought.do(Elapsed())
    assert rail_orders(thought.state).gates == {2, 5}
    thought.now += 1
    thought.do(Elapsed())
    assert rail_orders(thought.state).gates == frozenset()
    assert thought.state.drive == SHOWN
    assert thought.due is None


def test_each_drive_with_gates_is_a_turn_of_its_own() -> None:
    thought = in_service()
    turns = []
    for what in (gates(1), gates(1), SHOWN, gates(2), None, gates(2)):
        driven(thought, what)
        turns.append(rail_orders(thought.state).turn)
    assert turns == [1, 2, 2, 3, 3, 4]


def test_a_gate_opens_once_a_turn(tmp_path: Path) -> None:
    """The board closes it behind the first token; the second falls when it is driven again"""
    with table_in(tmp_path) as table:
        cabinet = table.stage.cabinet
        table.play("key S", "token 3")
        assert drive(table, gates(3, 4)) is None
        table.play("wait 500ms")
        assert cabinet.open_gates() == {4}
        assert cabinet.tray_count == 1
        table.play("token 3", "wait 500ms")
        assert cabinet.tray_count == 1
        table.play("wait 1s")
        assert cabinet.open_gates() == frozenset()
        assert drive(table, gates(3)) is None
        table.play("wait 500ms")
        assert cabinet.tray_count == 2


def test_gates_close_on_the_cabinet_after_two_seconds(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("key S")
        assert drive(table, gates(*SEATS)) is None
        table.play("wait 1800ms")
        assert table.stage.cabinet.open_gates() == set(SEATS)
        table.play("wait 300ms")
        assert table.stage.cabinet.open_gates() == frozenset()


def test_a_board_that_boots_meanwhile_opens_them_no_more() -> None:
    """TABLE 2: when the board's boot number has changed meanwhile, the gates stay closed"""
    thought = in_service()
    driven(thought, replace(SHOWN, gates=frozenset({2})))
    thought.do(RailSeen(2, frozenset()))
    assert rail_orders(thought.state).gates == frozenset()
    assert thought.state.drive == SHOWN


# A token that falls meanwhile


def test_a_token_that_drops_in_service_is_on_record_and_moves_no_money(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("key S", "token 3 7")
        before = table.state.balances
        assert drive(table, gates(3, 7)) is None
        table.play("wait 3s", "expect fault none")
        assert table.stage.cabinet.tray_count == 2
        assert table.state.balances == before
        dropped = [(one["seat"], one["tokens"]) for one in table.decisions("drop-in-service")]
        assert sorted(dropped) == [(3, 1), (7, 1)]
        table.play("key R", "wait 2s", "expect fault none", "expect phase PAUSED")
        table.play("press GAME_OVER", "token 1", "press COIN_IN", "expect jackpot 10001.40")
        table.play("expect fault none", "expect seats 1")


def test_a_drop_nobody_saw_is_not_the_technicians() -> None:
    """Counted while the rail was away: TRAY_COUNT, also in SERVICE"""
    thought = in_service()
    thought.do(LinkLost(Device.RAIL, "silent"))
    step = thought.rail(drops={3: 1}, tray=1)
    assert [decision.what for decision in step.decisions][:1] == ["drop-unexplained"]
    assert Fault.TRAY_COUNT in thought.state.faults
    step = thought.rail(drops={3: 2}, tray=2)
    assert [decision.what for decision in step.decisions] == ["drop-in-service"]


# What ends it


@pytest.mark.parametrize(
    "act",
    [
        KeyMoved(None),
        KeyMoved(KeyPosition.R),
        KeyMoved(KeyPosition.JPL),
        KeyUnreadable(),
        LinkLost(Device.PANEL, "unplugged"),
        Started(),
        Reopened(KeyPosition.S, False, ()),
    ],
    ids=lambda act: re.sub(r"[^\w]+", "-", str(act)),
)
def test_it_ends_with(act: Act) -> None:
    thought = in_service()
    driven(thought, replace(SHOWN, gates=frozenset({1})))
    thought.do(act)
    assert thought.state.drive is None
    assert rail_orders(thought.state).gates == frozenset()
    assert thought.due is None


def dark(state: TableState, table: Table) -> bool:
    return state.drive is None and table.seen.slots == {} and table.seen.lamps == ()


def power_cut(table: Table) -> None:
    table.play("power off", "power on", "wait 5s")


def unplugged(table: Table) -> None:
    table.play("unplug panel", "wait 1s", "plug panel", "wait 1s")


def key_turned(table: Table) -> None:
    table.play("key R")


def ledger_mended(table: Table) -> None:
    table.play("disk full")
    do(table, SelfTested(WHO, (PartTested("display", True, ""),)))
    table.play("expect fault LEDGER_FAULT", "disk ok", "clear LEDGER_FAULT", "expect fault none")


@pytest.mark.parametrize("end", [power_cut, unplugged, key_turned, ledger_mended])
def test_a_cabinet_is_dark_after(end: Callable[[Table], None], tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("key S")
        assert drive(table, SHOWN) is None
        end(table)
        assert dark(table.state, table)


def test_in_service_the_buttons_stay_refused_while_it_is_driven() -> None:
    thought = in_service()
    driven(thought, SHOWN)
    assert thought.press(ButtonPressed(Button.GAME_OVER)).refusal is Refusal.IN_SERVICE
    assert thought.state.drive == SHOWN


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
        ledger = table.stage.disk.folder
        driven_by = [one.body["act"] for one in table.records if one.kind == "driven"]
        assert {act["who"] for act in driven_by if isinstance(act, dict)} == {WHO}
        assert main(["ledger", "verify", str(ledger)]) == 0
    assert "played again, every act leads to the state on record" in capsys.readouterr().out
