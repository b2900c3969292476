"""Tokens that ccTalk acceptors swallow: one a seat is a stake, and none of them is forgotten."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from console.configuration.table_plan import TablePlan
from console.rules.acts import Cleared, Reopened
from console.rules.codes import Fault
from console.rules.games import RailKind
from console.rules.round.card_outputs import rail_orders
from devices.device import Device
from devices.roles import (
    ACCEPTOR_TRAITS,
    NO_COUNTS,
    SEATS,
    Button,
    ButtonPressed,
    DeviceLost,
    DeviceUp,
    KeyMoved,
    KeyPosition,
    RailSeen,
)
from tests.console.service.test_table_service import HeldDiskWriter, table_with
from tests.console.table import OPEN, PureTable, table_in

CCTALK = TablePlan(rail=RailKind.CCTALK)
CLEARED = ("disk ok", "key S", "clear LEDGER_FAULT")
COIN_IN, GAME_OVER = ButtonPressed(Button.COIN_IN), ButtonPressed(Button.GAME_OVER)


def add_to_counters(drops: tuple[int, ...] = NO_COUNTS, **seats: int) -> tuple[int, ...]:
    """These counters and so many more: `seat2=1`."""
    return tuple(
        drop + seats.get(f"seat{seat}", 0) for seat, drop in zip(SEATS, drops, strict=True)
    )


def betting() -> PureTable:
    pure_table = PureTable.start(CCTALK.rules(ACCEPTOR_TRAITS))
    pure_table.press(GAME_OVER)
    return pure_table


def lock_after_they_are_swallowed(folder: Path, tokens: str, *then: str) -> None:
    """The disk hangs, full, while tokens come; when it answers, the table is locked."""
    disk = HeldDiskWriter()
    with table_with(folder, lambda: disk, CCTALK) as table:
        table.play(*OPEN, "wait 1s", "disk full")
        disk.held = True
        table.play(f"token {tokens}", "wait 1s")
        disk.held = False
        disk.go_on()
        table.play("wait 1s", "expect fault LEDGER_FAULT", *then)


# Under a ledger fault


def test_under_a_ledger_fault_no_acceptor_may_take_a_token() -> None:
    """TABLE 7.19: inhibited at once"""
    pure_table = betting()
    assert rail_orders(pure_table.state).accepting == frozenset(SEATS)
    assert rail_orders(pure_table.with_fault(Fault.LEDGER_FAULT)).accepting == frozenset()
    assert rail_orders(pure_table.with_fault(Fault.LEDGER_CORRUPT)).accepting == frozenset()


def test_one_that_was_swallowed_all_the_same_is_staked_after_clearing(tmp_path: Path) -> None:
    """TABLE 7.19"""
    then = ("expect slots none", *CLEARED, "expect fault none", "key R", "expect phase BETTING")
    lock_after_they_are_swallowed(
        tmp_path, "2 5", *then, "press COIN_IN", "expect seats 2 5", "expect jackpot 10002.80"
    )


def test_of_two_at_a_seat_one_is_staked_and_the_tray_counted(tmp_path: Path) -> None:
    """TABLE 7.19"""
    then = (*CLEARED, "expect fault TRAY_COUNT", "key R", "press COIN_IN", "expect seats 2 5")
    lock_after_they_are_swallowed(tmp_path, "2 5 2", *then, "expect jackpot 10002.80")


@pytest.mark.parametrize("cuts", [1, 2])
def test_what_the_lock_outlives_the_counters_do_not(cuts: int, tmp_path: Path) -> None:
    """TABLE 7.19: credited, and never on the disk; the acceptors forget it with the power"""
    cut = ("power off", "wait 1s", "power on", "wait 2s", "expect fault LEDGER_FAULT")
    lock_after_they_are_swallowed(
        tmp_path, "2", *cut * cuts, *CLEARED, "expect fault TRAY_COUNT", "expect jackpot 10000.00"
    )


def test_the_record_names_the_seat_whose_token_is_not_proved(tmp_path: Path) -> None:
    with table_in(tmp_path, "rail cctalk") as table:
        table.play(*OPEN, "wait 1s", "disk full", "token 2", "wait 2s", "token 5")
        table.play("power off", "power on", "wait 2s", *CLEARED, "expect fault TRAY_COUNT")
        seats = [decision["seat"] for decision in table.decisions("token-unaccounted")]
        assert seats == [2]  # seat 5's acceptor had been inhibited for long


def test_a_counter_that_has_gone_on_over_a_restart_proves_the_token() -> None:
    """TABLE 7.19: the service was started again, the acceptors were not"""
    pure_table = betting()
    key = pure_table.state.key
    pure_table.do(Reopened(key, False, (), unproved=frozenset({2, 3})))
    pure_table.do(RailSeen(1, frozenset(), add_to_counters(seat2=1)))
    assert pure_table.state.seats.tokens == {2}
    assert pure_table.state.faults == (Fault.TRAY_COUNT,)
    assert pure_table.state.seats.unproved == frozenset()


# At any time


def test_a_second_token_at_a_seat_is_no_stake_of_the_next_round() -> None:
    """TABLE 7.19"""
    pure_table = betting()
    pure_table.do(RailSeen(1, frozenset(), add_to_counters(seat2=2, seat4=1)))
    assert pure_table.state.faults == (Fault.TRAY_COUNT,)
    pure_table.press(COIN_IN)
    assert pure_table.state.seats.accepted == {2, 4}
    pure_table.press(GAME_OVER)
    assert pure_table.state.seats.tokens == frozenset()


def test_a_late_token_is_one_of_the_next_round_and_a_second_late_one_is_not() -> None:
    pure_table = betting()
    pure_table.do(RailSeen(1, frozenset(), add_to_counters(seat2=1)))
    pure_table.press(COIN_IN)
    late = pure_table.do(RailSeen(1, frozenset(), add_to_counters(seat2=1, seat3=1)))
    assert late.state.faults == ()
    second = pure_table.do(RailSeen(1, frozenset(), add_to_counters(seat2=1, seat3=2)))
    assert second.state.faults == (Fault.TRAY_COUNT,)
    pure_table.press(GAME_OVER)
    assert pure_table.state.seats.tokens == {3}


@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_swallowed_is_accepted_or_held_or_the_tray_is_counted(seed: int) -> None:
    """TABLE 7.11, 7.19: after each of many random acts"""
    chance, pure_table = Random(seed), betting()
    drops, counts = NO_COUNTS, Counter[str]()
    for _ in range(2_000):
        drops = add_to_counters(
            drops, **{f"seat{chance.choice(SEATS)}": chance.choice((0, 0, 1, 1, 2))}
        )
        act = chance.choice(
            (
                RailSeen(1, frozenset(), drops),
                RailSeen(1, frozenset({2}), drops),
                COIN_IN,
                GAME_OVER,
                DeviceLost(Device.RAIL, "silent"),
                DeviceUp(Device.RAIL),
                KeyMoved(chance.choice((KeyPosition.R, KeyPosition.S))),
            )
        )
        before = pure_table.state
        step = pure_table.do(act)
        counts["accepted"] += sum(found.what == "token-accepted" for found in step.decisions)
        rest = [found.facts for found in step.decisions if found.what == "drop-unexplained"]
        counts["rest"] += sum(int(facts["tokens"] or 0) for facts in rest)
        assert not rest or Fault.TRAY_COUNT in step.state.faults
        state = pure_table.state
        assert state.rail.seen is not None
        assert state.seats.swallowed is not None
        assert max(state.seats.swallowed) <= 1
        held = sum(state.seats.swallowed)
        assert sum(state.rail.seen.drops) == counts["accepted"] + held + counts["rest"], (
            before,
            act,
        )
    assert min(counts.values()) > 50


def test_an_acceptor_that_is_not_the_named_one_is_a_fault_that_stays() -> None:
    """Until a technician clears it: it may have taken tokens and be gone again"""
    pure_table = betting()
    pure_table.do(RailSeen(1, frozenset(), add_to_counters(), changed=frozenset({3})))
    assert pure_table.state.faults == (Fault.ACCEPTOR_CHANGED,)
    pure_table.do(RailSeen(1, frozenset(), add_to_counters()))
    assert pure_table.state.faults == (Fault.ACCEPTOR_CHANGED,)
    pure_table.do(Cleared(Fault.ACCEPTOR_CHANGED, "anna"))
    assert pure_table.state.faults == (Fault.ACCEPTOR_CHANGED,), "only in SERVICE"
