"""Outputs driven by hand: who may not, when, and which gates stay closed."""

from pathlib import Path

import pytest

from console.rules.acts import Started
from console.rules.codes import Fault, Phase, Refusal
from console.rules.round import ActOutcome
from devices.roles import KeyMoved, KeyPosition, KeyUnreadable
from tests.console.rules.round.driven_outputs import SHOWN, drive, drive_outputs, gates, in_service
from tests.console.table import STUCK, TO_PHASE, table_in


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
        pure_table = in_service()
        pure_table.do(act)
        assert pure_table.state.service
        assert drive_outputs(pure_table, SHOWN).refusal is Refusal.NOT_IN_SERVICE
        assert pure_table.state.drive is None


def test_a_locked_table_shows_lamps_but_opens_no_gate() -> None:
    pure_table = in_service()
    pure_table.state = pure_table.with_fault(Fault.LEDGER_FAULT)
    assert drive_outputs(pure_table, SHOWN).refusal is None
    assert drive_outputs(pure_table, gates(1)).refusal is Refusal.LOCKED
    assert pure_table.state.drive == SHOWN


def test_no_gate_opens_under_a_token_that_is_still_awaited(tmp_path: Path) -> None:
    """A mended table in SERVICE, COLLECTING underneath: its token would be accepted"""
    with table_in(tmp_path) as table:
        table.play(*STUCK, "disk full", "press COIN_IN", "expect fault LEDGER_FAULT", "disk ok")
        table.play("key S", "clear LEDGER_FAULT", "expect refused none")
        table.play("unjam 2", "expect seats none")
        assert drive(table, gates(2, 3)) == Refusal.COLLECTING.value
        assert table.machine.cabinet.open_gates() == frozenset()
        assert drive(table, gates(3)) is None
        assert table.machine.cabinet.open_gates() == {3}
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
        assert table.machine.cabinet.open_gates() == frozenset()
        assert drive(table, gates(3)) is None
        table.play("wait 3s", "key R")
        assert 2 in table.state.seats.occupied


def test_letting_go_of_nothing_has_no_effect() -> None:
    assert drive_outputs(in_service(), None).outcome is ActOutcome.NO_EFFECT
