"""A door that is opened: in each phase, with an award, over a power cut, beside other faults.

docs/reference/rules.md, section 14.
"""

from pathlib import Path

import pytest

from console.rules.codes import Fault, Phase, Refusal
from console.rules.replay import replay
from jackpot.ledger.ledger import verify
from tests.console.table import OPEN, STUCK, TO_PHASE, Table, table_in

EXPLAINED = ("door shut", "wait 2s", "key S", "declare opened gate 3 exchanged")

WHERE: dict[str, tuple[str, ...]] = {
    **TO_PHASE,
    "BETTING with tokens": (*OPEN, "token 1 4"),
    "COLLECTING with one stuck": STUCK,
    "SERVICE": ("key S",),
}


def open_the_door(table: Table, *lines: str) -> None:
    table.play(*lines, "door open", "expect fault DOOR_OPEN")


def check_ledger(table: Table) -> None:
    """The chain holds, and today's rules lead to what is on record."""
    assert verify(table.machine.disk.folder).sound
    assert [one.problem for one in replay(table.records) if one.problem] == []


@pytest.mark.parametrize("where", WHERE)
def test_a_door_takes_no_seat_and_no_money_and_no_round_begins(where: str, tmp_path: Path) -> None:
    """In each phase; the round's number stands still until somebody has said why."""
    with table_in(tmp_path, "doors fitted") as table:
        table.play(*WHERE[where])
        before = table.state
        open_the_door(table)
        assert table.state.phase is before.phase
        assert table.state.seats == before.seats
        assert table.state.balances == before.balances
        assert table.state.award == before.award
        table.play("press GAME_OVER", "press COIN_IN", "door shut", "wait 2s", "press GAME_OVER")
        assert table.state.round == before.round
        assert Fault.DOOR_OPEN in table.state.faults
        check_ledger(table)


@pytest.mark.parametrize("rail", ["slot", "sensor", "cctalk"])
def test_tokens_in_are_not_taken_and_are_a_round_once_it_is_explained(
    rail: str, tmp_path: Path
) -> None:
    """An acceptor gives none back: S is taken over them, and R gives BETTING back."""
    with table_in(tmp_path, "doors fitted", f"rail {rail}") as table:
        open_the_door(table, *OPEN, "token 2 5", "wait 1s")
        table.play("press COIN_IN", "expect refused DOOR_OPEN", "expect phase BETTING")
        table.play(*EXPLAINED, "expect fault none", "key R", "expect phase BETTING")
        table.play("press COIN_IN", "wait 1s", "expect phase PLAYING", "expect seats 2 5")
        check_ledger(table)


def test_no_slot_invites_and_no_acceptor_takes_while_it_stands(tmp_path: Path) -> None:
    with table_in(tmp_path, "doors fitted", "rail cctalk") as table:
        open_the_door(table, *OPEN)
        table.play("expect slots none", "token 3", "wait 1s")
        assert table.state.seats.tokens == frozenset()


def test_a_round_in_play_ends_and_its_award_is_paid(tmp_path: Path) -> None:
    with table_in(tmp_path, "doors fitted") as table:
        open_the_door(table, *TO_PHASE["AWARDING"])
        table.play("key S", "expect refused AWARD_PENDING")
        table.play("key R", "expect paid 100.02", "expect phase PLAYING")
        table.play("press GAME_OVER", "expect phase PAUSED", "expect refused none")
        table.play(*EXPLAINED, "expect fault none", "key R", *OPEN, "expect phase BETTING")
        check_ledger(table)


def test_a_door_opened_before_an_award_begins_hinders_no_award(tmp_path: Path) -> None:
    with table_in(tmp_path, "doors fitted") as table:
        open_the_door(table, *TO_PHASE["PLAYING"])
        table.play("key JPL", "press JPOT", "expect each 100.02")
        table.play("press FLUSH", "expect phase PLAYING", "expect pending 0.00")
        check_ledger(table)


def test_a_stuck_token_is_collected_with_the_door_open(tmp_path: Path) -> None:
    """Whoever frees a gate has opened the cabinet for it."""
    with table_in(tmp_path, "doors fitted") as table:
        open_the_door(table, *STUCK)
        table.play(
            "unjam 2", "press COIN_IN", "wait 1s", "expect phase PLAYING", "expect seats 1 2"
        )
        check_ledger(table)


@pytest.mark.parametrize("where", [where for where in WHERE if where != "COLLECTING"])
def test_it_stands_over_a_power_cut_open_or_shut(where: str, tmp_path: Path) -> None:
    with table_in(tmp_path, "doors fitted") as table:
        open_the_door(table, *WHERE[where])
        before = table.state
        table.play("power off", "door shut", "wait 1h", "power on", "wait 2s")
        assert table.state.phase is before.phase
        assert table.state.balances == before.balances
        assert Fault.DOOR_OPEN in table.state.faults
        check_ledger(table)


@pytest.mark.parametrize("doors", ["fitted", "latched"])
def test_a_door_opened_while_off_is_found_by_the_latch_alone(doors: str, tmp_path: Path) -> None:
    with table_in(tmp_path, f"doors {doors}") as table:
        table.play("power off", "door open", "wait 1h", "door shut", "power on", "wait 2s")
        latched = doors == "latched"
        assert (Fault.DOOR_OPEN in table.state.faults) == latched
        assert bool(table.decisions("opened-while-off")) == latched


def test_a_door_still_open_at_the_start_is_found_without_a_latch(tmp_path: Path) -> None:
    with table_in(tmp_path, "doors fitted") as table:
        table.play("power off", "door open logic", "power on", "wait 2s", "expect fault DOOR_OPEN")
        assert table.decisions("door-opened") == [{"decision": "door-opened", "door": "logic"}]


def test_a_latch_not_reset_is_not_explained_away(tmp_path: Path) -> None:
    with table_in(tmp_path, "doors latched") as table:
        open_the_door(table)
        table.play(*EXPLAINED, "expect refused STILL_FAULTY", "expect fault DOOR_OPEN")
        table.play("door reset", "wait 2s", EXPLAINED[-1], "expect fault none")
        assert [one["reason"] for one in table.decisions("opened")] == ["gate 3 exchanged"]


def test_nobody_explains_it_without_the_key_or_with_the_door_open(tmp_path: Path) -> None:
    with table_in(tmp_path, "doors fitted") as table:
        declare = EXPLAINED[-1]
        table.play("key S", declare, "expect refused NOT_CLEARABLE", "key R")
        open_the_door(table)
        table.play(declare, "expect refused NOT_IN_SERVICE", "key S")
        table.play(declare, "expect refused STILL_FAULTY", "clear DOOR_OPEN")
        table.play("expect refused NOT_CLEARABLE", "door shut", declare)
        table.play("expect refused STILL_FAULTY", "wait 1s", declare, "expect fault none")


OTHERS: dict[str, tuple[tuple[str, ...], Fault, tuple[str, ...]]] = {
    "rail lost": (("unplug rail", "wait 2s"), Fault.RAIL_LOST, ("plug rail", "wait 5s")),
    "panel lost": (("unplug panel", "wait 1s"), Fault.PANEL_LOST, ("plug panel", "wait 5s")),
    "display lost": (
        ("unplug display", "wait 2s"),
        Fault.DISPLAY_LOST,
        ("plug display", "wait 5s"),
    ),
    "key": (("key between", "wait 1s"), Fault.KEY_FAULT, ("key R",)),
}


@pytest.mark.parametrize("door_first", [True, False])
@pytest.mark.parametrize("other", OTHERS)
def test_two_faults_neither_hide_nor_clear_each_other(
    other: str, door_first: bool, tmp_path: Path
) -> None:
    """The doors are not in the panel's plug: an opening counts while it is out."""
    lines, fault, over = OTHERS[other]
    with table_in(tmp_path, "doors fitted") as table:
        opens = ("door open",)
        table.play(*(opens + lines if door_first else lines + opens))
        assert {Fault.DOOR_OPEN, fault} <= set(table.state.faults)
        table.play(*over)
        assert table.state.faults == (Fault.DOOR_OPEN,)
        table.play("press GAME_OVER", "expect phase PAUSED", *EXPLAINED, "expect fault none")
        check_ledger(table)


@pytest.mark.parametrize("opened_before", [True, False])
def test_a_door_opened_and_shut_while_the_ledger_is_locked(
    opened_before: bool, tmp_path: Path
) -> None:
    with table_in(tmp_path, "doors fitted") as table:
        disk, door = ("disk full", "press COIN_IN"), ("door open", "door shut", "wait 2s")
        table.play(*(door + disk if opened_before else disk + door))
        table.play("key S", EXPLAINED[-1], "expect refused LOCKED", "disk ok")
        table.play("clear LEDGER_FAULT", "expect fault DOOR_OPEN")
        assert table.state.faults == (Fault.DOOR_OPEN,)
        table.play(EXPLAINED[-1], "expect fault none", "key R", *OPEN, "expect phase BETTING")
        check_ledger(table)


def test_a_linked_table_opens_no_round_and_ends_the_one_in_play(tmp_path: Path) -> None:
    with table_in(tmp_path, "doors fitted", "link stud") as table:
        open_the_door(table, *OPEN, "token 1", "press COIN_IN", "wait 1s", "expect phase PLAYING")
        table.play("press GAME_OVER", "expect phase PAUSED", "press GAME_OVER")
        table.play("expect refused DOOR_OPEN", *EXPLAINED, "expect fault none", "key R", *OPEN)
        table.play("token 1", "door open", "press COIN_IN", "expect refused DOOR_OPEN")
        assert table.state.phase is Phase.BETTING


def test_a_poker_table_begins_no_hand(tmp_path: Path) -> None:
    with table_in(tmp_path, "game texas-holdem", "doors fitted") as table:
        table.play(*OPEN, "press HAND", "expect phase PLAYING")
        open_the_door(table)
        table.play("press GAME_OVER", "expect phase BETTING")
        table.play("press HAND", "expect refused DOOR_OPEN", "press COIN_IN", "press GAME_OVER")
        assert table.seen.refused is Refusal.DOOR_OPEN
        table.play(*EXPLAINED, "expect fault none", "key R", *OPEN, "press HAND")
        table.play("expect phase PLAYING")


def test_a_table_without_contacts_has_nothing_of_doors_on_record(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["AWARDING"], "key R", "power off", "power on", "wait 2s")
        assert all(record.kind != "doors" for record in table.records)
        assert all(b"doors" not in repr(record.body).encode() for record in table.records)
