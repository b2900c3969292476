"""Power may go at any instant: what is there when it returns.

docs/reference/rules.md, section 7.
"""

from pathlib import Path

import pytest

from console.rules.acts import Started
from console.rules.codes import Refusal
from console.rules.observation import Observation
from console.rules.structs import replace
from devices.roles import Button, ButtonPressed, InspectorSeen
from jackpot.ledger.ledger import verify
from tests.console.table import OPEN, STUCK, TO_PHASE, PureTable, rules_of, table_in

PHASES_TO_CUT: dict[str, tuple[str, ...]] = {
    **TO_PHASE,
    "BETTING with tokens": (*OPEN, "token 1 4"),
    "BETTING with a card left": (*TO_PHASE["PLAYING"], "cover 2", "wait 1s", "press GAME_OVER"),
    "COLLECTING with one stuck": STUCK,
    "PLAYING with a card changed": (*TO_PHASE["PLAYING"], "cover 2", "wait 1s"),
    "PLAYING with a hand void": (*TO_PHASE["PLAYING"], "declare hand-void 2 returned"),
    "AWARDING with two winners": (*TO_PHASE["AWARDING"], "press JPOT"),
    "AWARDING after another": (*TO_PHASE["AWARDING"], "key R", *TO_PHASE["AWARDING"][3:]),
    "PAUSED and counting": ("declare last-hands 3",),
    "SERVICE": ("key S",),
}
HELD_BACK = "COLLECTING"  # its gates stay closed: the token awaited is stuck from then on


@pytest.mark.parametrize("where", [where for where in PHASES_TO_CUT if where != HELD_BACK])
def test_a_power_cut_changes_nothing(where: str, tmp_path: Path) -> None:
    """TABLE 7.9, 7.10: phase, seats, lamps, choice, award, faults and accounts are the same"""
    with table_in(tmp_path) as table:
        table.play(*PHASES_TO_CUT[where])
        before, state = table.seen, table.state
        table.play("power off", "wait 1h", "power on", "wait 2s")
        after = table.seen
        assert after.faults == before.faults
        if before.faults:  # the display alternates
            before, after = without_display(before), without_display(after)
        assert after == before
        assert table.state.balances == state.balances
        assert table.state.places_used == state.places_used
        assert verify(table.machine.disk.folder).sound


def without_display(seen: Observation) -> Observation:
    return replace(seen, display=("", seen.display[1]))


def test_a_power_cut_while_gates_are_open(tmp_path: Path) -> None:
    """TABLE 2.20, 7.10: the same seats and accounts; what has not dropped waits for COIN IN"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[HELD_BACK])
        before = table.seen
        table.play("power off", "unjam 2", "power on", "wait 5s")
        after = table.seen
        assert (after.phase, after.seats, after.accounts) == (
            before.phase,
            before.seats,
            before.accounts,
        )
        assert set(after.slots) == set(before.slots)
        # Only a stuck token can be tried again, so that is what it is from now on.
        table.play("expect fault TOKEN_STUCK", "expect blinking 2")
        table.play("press COIN_IN", "expect phase PLAYING", "expect seats 1 2")


def test_after_a_start_nothing_is_known_of_key_and_inspector() -> None:
    """TABLE 6.16, 7.10: until they have been seen, neither opens nor pays anything"""
    pure_table = PureTable.start(rules_of(inspector=True))
    pure_table.do(InspectorSeen(True), Started())
    assert (pure_table.state.key, pure_table.state.inspector) == (None, False)
    step = pure_table.press(ButtonPressed(Button.GAME_OVER))
    assert step.refusal is Refusal.KEY_NOT_IN_RUN


def test_ready_within_two_seconds(tmp_path: Path) -> None:
    """TABLE 7.10"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["PLAYING"], "power off", "power on", "wait 1900ms")
        assert table.simulated_table.service.all_devices_up
        table.play("press GAME_OVER", "expect phase BETTING", "expect slots 1 2 3 4 5 6 7")


def test_a_cut_after_every_act_of_a_round(tmp_path: Path) -> None:
    """TABLE 7.9: a night in which the power fails after each act ends like any other"""
    lines = (*TO_PHASE["AWARDING"], "press JPOT", "key R", "press GAME_OVER", "press COIN_IN")
    with table_in(tmp_path) as table:
        for line in lines:
            table.play(line, "power off", "power on", "wait 2s")
        if "COLLECTING" in table.seen.phase.value:
            table.play("press COIN_IN")
        cut = table.seen
    with table_in(tmp_path / "uncut") as table:
        table.play(*lines)
        assert table.seen.accounts["paid"] == cut.accounts["paid"] != "0.00"
        assert table.seen.accounts == cut.accounts
