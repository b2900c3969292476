"""What is done and what is refused: the table of docs/reference/rules.md, section 6, cell by
cell.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from console.rules.codes import Fault, Refusal
from console.rules.game_modules import advance
from console.rules.round import ActOutcome, Transition
from console.rules.state import SeatMarks, TableState
from console.rules.structs import replace
from console.texts.display import TEXTS
from console.texts.language import Language
from devices.roles import Button, ButtonPressed, KeyMoved, KeyPosition
from tests.console.table import STUCK, TO_PHASE, PureTable, Table, rules_of, table_in

COIN_IN, GAME_OVER, JPOT = "press COIN_IN", "press GAME_OVER", "press JPOT"
COMBINATION, TO_S = "press FLUSH", "key S"
BUTTONS = (COIN_IN, GAME_OVER, JPOT, COMBINATION, "press ROYAL_FLUSH")
PHASES = ("PAUSED", "BETTING", "COLLECTING", "PLAYING", "AWARDING")
DONE, NOTHING = "done", "no effect"

# (act, ...what it comes to in each of the phases): docs/reference/rules.md 6, as it is printed
# there.
CELLS = [
    (COIN_IN, ("NOT_OPEN", DONE, "COLLECTING", "NOT_OPEN", "AWARD_PENDING")),
    (GAME_OVER, (DONE, "ALREADY_OPEN", "COLLECTING", DONE, "AWARD_PENDING")),
    (JPOT, ("NOT_OPEN", "NO_COMBINATION", "COLLECTING", "WRONG_KEY", DONE)),
    (COMBINATION, (NOTHING, NOTHING, NOTHING, DONE, DONE)),
    ("press ROYAL_FLUSH", (NOTHING, NOTHING, NOTHING, DONE, NOTHING)),
    (TO_S, (DONE, DONE, "COLLECTING", "ALREADY_OPEN", "AWARD_PENDING")),
]
TABLE = [
    (act, phase, cell) for act, cells in CELLS for phase, cell in zip(PHASES, cells, strict=True)
]


def without_notice(state: TableState) -> TableState:
    """The state without what a refusal may touch: its notice, and where the key was seen."""
    return replace(state, notice=None, key=None)


def outcome_on_record(table: Table) -> tuple[object, object]:
    body = table.records[-1].body
    return body["outcome"], body.get("refusal")


@pytest.mark.parametrize(("act", "phase", "cell"), TABLE)
def test_each_cell(act: str, phase: str, cell: str, tmp_path: Path) -> None:
    """TABLE 6.1, 6.2, 6.3, 6.4, 6.5, 6.6, 6.7, 6.10"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[phase])
        before, lit = table.state, table.seen
        table.play(act)
        seen, after = table.seen, table.state
        if cell == DONE:
            assert outcome_on_record(table) == (DONE, None)
            assert after != before
            assert seen.refused is None
        elif cell == NOTHING:
            assert outcome_on_record(table) == (NOTHING, None)
            assert after == before
            assert seen.refused is None
        else:
            assert outcome_on_record(table) == ("refused", cell)
            assert without_notice(after) == without_notice(before)
            assert seen.refused is Refusal(cell)
            assert seen.display == (TEXTS[Language.IT].refusals[Refusal(cell)], lit.display[1])
            assert (seen.slots, seen.seats, seen.lamps) == (lit.slots, lit.seats, lit.lamps)


@pytest.mark.parametrize(
    ("act", "phase", "then"),
    [
        (COIN_IN, "BETTING", "PAUSED"),
        (GAME_OVER, "PAUSED", "BETTING"),
        (GAME_OVER, "PLAYING", "BETTING"),
        (JPOT, "AWARDING", "AWARDING"),
        (COMBINATION, "PLAYING", "PLAYING"),
        (COMBINATION, "AWARDING", "PLAYING"),
        (TO_S, "PAUSED", "SERVICE"),
        (TO_S, "BETTING", "SERVICE"),
    ],
)
def test_what_is_done_leads_on(act: str, phase: str, then: str, tmp_path: Path) -> None:
    """TABLE 6.3, 6.4, 6.5, 6.6, 6.7"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[phase], act, "expect refused none", f"expect phase {then}")


def test_coin_in_tries_a_stuck_token_again(tmp_path: Path) -> None:
    """TABLE 6.3"""
    with table_in(tmp_path) as table:
        table.play(*STUCK, COIN_IN, "expect refused none", "expect fault TOKEN_STUCK")
        assert table.machine.cabinet.open_gates() == {2}


def test_service_is_refused_in_betting_only_with_a_token_in(tmp_path: Path) -> None:
    """TABLE 6.7"""
    with table_in(tmp_path) as table:
        table.play(GAME_OVER, "token 4", TO_S, "expect refused ALREADY_OPEN")
        table.play("key R", "take 4", TO_S, "expect refused none", "expect phase SERVICE")


@pytest.mark.parametrize("phase", ["PAUSED", "PLAYING"])
@pytest.mark.parametrize("key", ["JPL", "JPH", "between"])
def test_note_1_the_key_not_in_run(phase: str, key: str, tmp_path: Path) -> None:
    """TABLE 6.8"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[phase], f"key {key}")
        before = table.state
        table.play(GAME_OVER, "expect refused KEY_NOT_IN_RUN", f"expect phase {phase}")
        assert without_notice(table.state) == without_notice(before)


JPOT_PRESSED = ButtonPressed(Button.JPOT)
AGAINST: list[tuple[Refusal, Callable[[TableState], TableState]]] = [
    (Refusal.NO_COMBINATION, lambda state: replace(state, choice=None)),
    (Refusal.WRONG_KEY, lambda state: replace(state, key=KeyPosition.JPL)),
    (Refusal.NOBODY_ELIGIBLE, lambda state: replace(state, seats=SeatMarks())),
    (Refusal.INSPECTOR_ABSENT, lambda state: replace(state, inspector=False)),
]


def ready_for_the_jackpot() -> PureTable:
    """PLAYING, two seats in, the royal flush chosen, the key at JPH, the inspector there."""
    pure_table = PureTable.start(rules_of(inspector=True))
    pure_table.press(ButtonPressed(Button.GAME_OVER))
    pure_table.rail(1, 2)
    pure_table.press(ButtonPressed(Button.COIN_IN))
    pure_table.rail(drops={1: 1, 2: 1}, tray=2)
    pure_table.do(ButtonPressed(Button.COMBINATION_1), KeyMoved(KeyPosition.JPH))
    pure_table.state = replace(pure_table.state, inspector=True)
    return pure_table


@pytest.mark.parametrize("wrong", range(16))
def test_note_2_is_asked_in_its_order(wrong: int) -> None:
    """TABLE 6.9: whatever else stands against it, the first of the list is the one that is named"""
    for pure_table in (ready_for_the_jackpot(), with_one_winner()):
        against = [entry for number, entry in enumerate(AGAINST) if wrong >> number & 1]
        for _, spoil in against:
            pure_table.state = spoil(pure_table.state)
        before = pure_table.state
        step = pure_table.press(JPOT_PRESSED)
        expected = against[0][0] if against else None
        assert step.refusal is expected
        if expected is not None:
            assert replace(step.state, notice=None) == replace(before, notice=None)
            assert (step.transactions, step.decisions) == ((), ())


def with_one_winner() -> PureTable:
    pure_table = ready_for_the_jackpot()
    assert pure_table.press(JPOT_PRESSED).outcome is ActOutcome.DONE
    return pure_table


def test_under_key_fault_the_key_is_wrong(tmp_path: Path) -> None:
    """TABLE 6.9, 6.14"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["PLAYING"], "key JPL", "key between", "wait 1s")
        table.play("expect fault KEY_FAULT", JPOT, "expect refused WRONG_KEY")


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("act", BUTTONS)
def test_a_locked_table_refuses_every_button(act: str, phase: str, tmp_path: Path) -> None:
    """TABLE 6.11, 7.14, 7.16: asked before the table, and recorded once it can be"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[phase])
        before = table.state
        table.play("disk full", act, "expect refused LOCKED", "expect display TAVOLO BLOCCATO")
        assert without_notice(table.state) == replace(
            without_notice(before), faults=(Fault.LEDGER_FAULT,)
        )
        on_record = len(table.records)
        table.play(act, "expect refused LOCKED", "disk ok", TO_S, "clear LEDGER_FAULT")
        late = [record.body for record in table.records[on_record:]]
        assert [body["refusal"] for body in late if "refusal" in body] == ["LOCKED"] * 2
        assert all(body["while_locked"] for body in late if body.get("refusal") == "LOCKED")


@pytest.mark.parametrize("act", BUTTONS)
def test_in_service_every_button_is_refused(act: str, tmp_path: Path) -> None:
    """TABLE 6.11"""
    with table_in(tmp_path) as table:
        table.play(TO_S)
        before = table.state
        table.play(act, "expect refused IN_SERVICE", "expect display IN MANUTENZIONE")
        assert without_notice(table.state) == without_notice(before)
        table.play("disk full", act, "expect refused LOCKED")


AFTER_THE_TABLE = {
    (COIN_IN, "BETTING"): "LOCKED",
    (GAME_OVER, "PAUSED"): "LOCKED",
    (GAME_OVER, "PLAYING"): "LOCKED",
}


@pytest.mark.parametrize(("act", "phase", "cell"), TABLE)
def test_with_the_rail_lost(act: str, phase: str, cell: str, tmp_path: Path) -> None:
    """TABLE 6.12: asked after the table; awards go on"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[phase], "unplug rail", "wait 1500ms", "expect fault RAIL_LOST")
        before = table.state
        table.play(act)
        wanted = AFTER_THE_TABLE.get((act, phase), cell)
        assert outcome_on_record(table)[1] == (None if wanted in (DONE, NOTHING) else wanted)
        if wanted not in (DONE, NOTHING):
            assert without_notice(table.state) == without_notice(before)


def test_a_stuck_token_is_not_tried_without_its_rail(tmp_path: Path) -> None:
    """TABLE 6.12"""
    with table_in(tmp_path) as table:
        table.play(*STUCK, "unplug rail", "wait 1500ms", COIN_IN, "expect refused LOCKED")
        table.play("expect phase COLLECTING", "plug rail", "wait 5s", "unjam 2", COIN_IN)
        table.play("expect refused none", "expect phase PLAYING")


def test_the_key_is_asked_before_the_rail(tmp_path: Path) -> None:
    """TABLE 6.8, 6.12"""
    with table_in(tmp_path) as table:
        table.play("unplug rail", "wait 1500ms", "key JPL", GAME_OVER)
        table.play("expect refused KEY_NOT_IN_RUN")


def test_a_refusal_is_pure() -> None:
    """TABLE 6.1: the same question gets the same answer, however often it is asked"""
    pure_table = PureTable.start(rules_of())
    steps: list[Transition] = [
        advance(pure_table.state, ButtonPressed(Button.COIN_IN), pure_table.rules, pure_table.now)
        for _ in range(2)
    ]
    assert steps[0] == steps[1]
    assert steps[0].state.notice is not None


@pytest.mark.parametrize(("ms", "counts"), [(15, False), (25, True)])
def test_a_position_counts_once_closed_for_20_ms(ms: int, counts: bool, tmp_path: Path) -> None:
    """TABLE 6.13: a key that only brushes R pays nothing"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["AWARDING"])
        cabinet, pass_time = table.machine.cabinet, table.machine.pass_time
        cabinet.turn_key(KeyPosition.R)
        pass_time(ms)
        cabinet.turn_key(KeyPosition.JPL)
        pass_time(100)
        table.play(f"expect phase {'PLAYING' if counts else 'AWARDING'}")
        assert table.state.key is KeyPosition.JPL
