"""What is on record: every act, decision and movement, and a table given back from it."""

from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from console.configuration.table_plan import TablePlan
from console.rules import records
from console.rules.acts import Adopted, Elapsed
from console.rules.codes import Phase
from console.rules.game_modules import advance
from console.rules.state import TableState
from devices.roles import Button, ButtonPressed
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import rebuild, verify
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents
from jackpot.money.settings import MoneySettings
from tests.console.table import OPEN, TO_PHASE, PureTable, Table, rules_of, table_in

A_NIGHT = (
    *TO_PHASE["AWARDING"],
    "press JPOT",
    "press GAME_OVER",
    "press FLUSH",
    "key R",
    "token 6",
    "cover 2",
    "wait 1s",
    "declare hand-void 1 returned",
    *OPEN,
    "uncover 2",
    "jam 6",
    "press COIN_IN",
    "wait 3s",
    "unplug rail",
    "wait 2s",
    "plug rail",
    "wait 5s",
    "unjam 6",
    "press COIN_IN",
    *OPEN,
    "press COIN_IN",
    "key S",
    "press JPOT",
    "key R",
    "declare tray 3",
)


def kinds(table: Table) -> list[str]:
    return [record.kind for record in table.records]


def test_every_act_is_a_record_in_its_order(tmp_path: Path) -> None:
    """TABLE 6.2, 6.10: button, key turn, token, declaration, refusal"""
    with table_in(tmp_path) as table:
        begun = len(table.records)
        table.play("press COIN_IN", "press FLUSH", *OPEN, "token 3", "declare last-hands 3")
        table.play("key JPL")
        assert kinds(table)[begun:] == ["button", "button", "button", "rail", "last-hands", "key"]
        outcomes = [record.body["outcome"] for record in table.records[begun:]]
        assert outcomes == ["refused", "no effect", "done", "done", "done", "done"]


def test_a_record_bears_numbers_times_and_the_settings_version(tmp_path: Path) -> None:
    """TABLE 6.2"""
    with table_in(tmp_path) as table:
        table.play(*A_NIGHT[:6], "power off", "power on", "wait 2s", *OPEN)
        for sooner, later in pairwise(table.records):
            assert later.seq == sooner.seq + 1
            assert later.boot in (sooner.boot, sooner.boot + 1)
            assert later.boot > sooner.boot or later.at_ms >= sooner.at_ms
            assert later.wall >= sooner.wall
            assert later.round >= sooner.round
        last = table.records[-1]
        assert (last.boot, last.settings_version) == (2, 1)
        assert last.wall.startswith("2000-01-01T")


def test_a_late_token_is_recorded_and_nothing_else(tmp_path: Path) -> None:
    """TABLE 2.21, 2.31"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["PLAYING"])
        before = table.state
        table.play("token 5")
        assert table.decisions("token-late") == [{"decision": "token-late", "seat": 5}]
        assert table.state.balances == before.balances
        assert table.state.seats.accepted == before.seats.accepted


def test_a_changed_card_in_a_game_without_change_is_a_late_token(tmp_path: Path) -> None:
    """TABLE 2.31"""
    with table_in(tmp_path, "game tre-card-stud") as table:
        table.play(*OPEN, "token 1", "press COIN_IN", "take 1", "cover 1", "wait 5s")
        assert [late["seat"] for late in table.decisions("token-late")] == [1]
        assert table.decisions("card-changed") == []


def test_an_awards_life_is_on_record(tmp_path: Path) -> None:
    """TABLE 3.15, 3.16, 3.17, 3.20"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["AWARDING"], "press JPOT", "press FLUSH")
        table.play("press FLUSH", "key JPH", "key JPL", "press JPOT", "key R")
        pending = [(d["winners"], d["each"]) for d in table.decisions("award-pending")]
        assert pending == [(1, 10_002), (2, 10_002), (1, 10_002)]
        assert len(table.decisions("award-cancelled")) == 1
        assert [d["each"] for d in table.decisions("award-final")] == [10_002]


def test_declarations_are_recorded_by_name(tmp_path: Path) -> None:
    """TABLE 4.6, 4.7, 4.8, 4.9, 4.12, 4.13"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["PLAYING"], "declare hand-void 2 returned", "declare round-void")
        table.play("declare last-hands 3")
        acts = {r.kind: r.body["act"] for r in table.records[-3:]}
        assert acts == {
            "hand-void": {"seat": 2, "returned": True, "who": "capotavolo"},
            "round-void": {"who": "capotavolo"},
            "last-hands": {"hands": 3, "who": "capotavolo"},
        }


def test_a_returned_token_is_its_stake_reversed(tmp_path: Path) -> None:
    """TABLE 4.3, 4.8: exactly that token's posting, with its typed reason"""
    with table_in(tmp_path, "token 0.01", "to-jackpot 33.33", "to-reserve 12.34") as table:
        table.play(*TO_PHASE["PLAYING"])
        stakes = [t for r in table.records for t in r.transactions if t.reason.value == "stake"]
        table.play("declare hand-void 2 returned")
        (back,) = table.records[-1].transactions
        assert back.reason.value == "token_returned"
        assert {p.account: -p.amount for p in back.postings} == {
            p.account: p.amount for p in stakes[1].postings
        }
        table.play("declare hand-void 2 returned", "expect refused SEAT_NOT_PLAYING")


def test_the_tray_counted_by_hand_with_the_difference(tmp_path: Path) -> None:
    """TABLE 4.13: since it was counted last"""
    with table_in(tmp_path) as table:
        table.play(*OPEN, "token 1 2 3", "press COIN_IN", *OPEN, "press COIN_IN")
        table.play("declare tray 2", *OPEN, "token 4", "press COIN_IN", *OPEN, "press COIN_IN")
        table.play("declare tray 1")
        decisions = table.decisions("tray-counted")
        counted = [(d["counted"], d["expected"], d["difference"]) for d in decisions]
        assert counted == [(2, 3, -1), (1, 1, 0)]


def test_tokens_that_were_taken_at_another_value_are_counted_as_tokens(tmp_path: Path) -> None:
    """TABLE 4.13: their value was 2.00 EUR, and is 5.00"""
    with table_in(tmp_path, "token 2.00") as table:
        table.play(*OPEN, "token 1 2 3", "press COIN_IN", *OPEN, "press COIN_IN", "declare tray 3")
        table.play(*OPEN, "token 1 2 3 4 5", "press COIN_IN", *OPEN, "press COIN_IN")
    with table_in(tmp_path, "token 5.00") as table:
        table.play(*OPEN, "token 1 2", "press COIN_IN", *OPEN, "press COIN_IN", "declare tray 7")
        table.play(*OPEN, "token 1", "press COIN_IN", *OPEN, "press COIN_IN", "declare tray 1")
        decisions = table.decisions("tray-counted")
        assert [d["expected"] for d in decisions] == [3, 7, 1]
        assert [d["difference"] for d in decisions] == [0, 0, 0]


def test_a_record_of_an_earlier_version_moves_no_mark_of_the_tray() -> None:
    """It replays as it was written."""
    table = PureTable.start(rules_of())
    table.press(ButtonPressed(Button.GAME_OVER))
    table.rail(1, 2)
    table.press(ButtonPressed(Button.COIN_IN))
    table.rail(drops={1: 1, 2: 1}, tray=2)
    table.press(ButtonPressed(Button.GAME_OVER), ButtonPressed(Button.COIN_IN))
    dearer = TablePlan(money=MoneySettings(token=Cents(500))).settings()
    assert table.do(Adopted(dearer)).state.tray_mark == 0


def test_every_account_can_be_rebuilt_from_the_record_alone(tmp_path: Path) -> None:
    """TABLE 4.2, 4.3"""
    with table_in(tmp_path) as table:
        table.play(*A_NIGHT)
        folder = table.machine.disk.folder
        assert verify(folder).problems == ()
        assert rebuild(folder).agrees
        assert rebuild(folder).balances == table.state.balances != Balances()


def states_of(written: list[Record], table: Table) -> list[TableState]:
    """The states the records lead through; each record must replay."""
    states = [TableState()]
    rules = table.simulated_table.service.rules
    for record in written:
        if record.kind == records.SNAPSHOT:
            continue
        state, agrees = records.replay_record(
            states[-1], record.kind, record.body, rules, record.at_ms
        )
        assert agrees, record
        states.append(state)
    return states


def test_a_dispute_can_be_replayed_from_the_record(tmp_path: Path) -> None:
    """TABLE 7.10: each record comes to what it says, the last one to the table as it is"""
    with table_in(tmp_path) as table:
        table.play(*A_NIGHT)
        assert states_of(table.records, table)[-1] == table.state


def test_a_record_that_was_changed_does_not_replay(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["PLAYING"])
        record = table.records[-1]
        forged = {**record.body, "changes": {"choice": "FLUSH", "round": 9}}
        state, rules = states_of(table.records[:-1], table)[-1], table.simulated_table.service.rules
        assert not records.replay_record(state, record.kind, forged, rules, record.at_ms)[1]


def test_a_snapshot_is_the_whole_state(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*A_NIGHT)
        snapshot = records.snapshot_of(table.state, 0, "", 1)
        plain = msgspec.json.decode(msgspec.json.encode(snapshot.body))
        assert records.restore_state(plain, ()) == table.state


def test_only_time_passing_without_effect_is_not_worth_a_record() -> None:
    pure_table = PureTable.start(rules_of())
    quiet = advance(pure_table.state, Elapsed(), pure_table.rules, pure_table.now)
    assert not records.is_worth_recording(Elapsed(), pure_table.state, quiet)
    refused = ButtonPressed(Button.COIN_IN)
    step = advance(pure_table.state, refused, pure_table.rules, pure_table.now)
    assert records.is_worth_recording(refused, pure_table.state, step)


@pytest.mark.parametrize(
    "changes", [{"phase": "DANCING"}, {"mood": "good"}, {"round": "1"}, {"seats": {"accepted": 3}}]
)
def test_what_cannot_be_read_is_said_so(changes: dict[str, object]) -> None:
    with pytest.raises(records.UnreadableRecord):
        records.restore_state(None, [{"changes": changes}])


def test_later_changes_lie_over_earlier_ones() -> None:
    opened, played = {"phase": "BETTING", "round": 1}, {"phase": "PLAYING"}
    bodies: list[dict[str, object]] = [{"changes": opened}, {}, {"changes": played}]
    state = records.restore_state(None, bodies)
    assert (state.phase, state.round) == (Phase.PLAYING, 1)


@pytest.mark.parametrize("changes", [7, "x", [7], [], None])
def test_changes_that_are_none_cannot_be_played(changes: object) -> None:
    """A forged record whose hash is right: `banco ledger verify` says so and does not crash."""
    with pytest.raises(records.UnreadableRecord, match="no state where one belongs"):
        records.state_after(TableState(), {"changes": changes})
