"""Several tables of a tournament share one clock in a real PostgreSQL.

docs/reference/poker-rules.md, 16.
"""

import psycopg
import pytest

from console.rules.codes import Fault, Refusal
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.clock_tables import MINUTE, ClockRoom

WITHIN_MS = 200


@pytest.fixture
def room(postgres: PostgresCentre) -> ClockRoom:
    """Two tables that were booted at different times."""
    room = ClockRoom(postgres, 1_000, 7_000_000)
    room.speak()
    return room


def differ_ms(room: ClockRoom) -> int:
    """How far the tables' clocks are from each other."""
    left = [table.left_ms for table in room.tables]
    return max(left) - min(left)


def test_a_clock_started_at_one_table_runs_at_all(room: ClockRoom) -> None:
    """POKER 16.16"""
    room.tables[0].declare("clock start")
    room.pass_time(150)
    room.speak()
    room.pass_time(21 * MINUTE)
    assert [table.seen.clock for table in room.tables] == ["4:00", "4:00"]
    assert [table.seen.level for table in room.tables] == [1, 1]
    assert differ_ms(room) <= WITHIN_MS
    room.tables[1].declare("clock stop")
    room.speak()
    room.pass_time(MINUTE)
    assert [table.seen.clock for table in room.tables] == ["4:00", "4:00"]


def test_a_table_whose_own_time_drifts_follows_the_row(room: ClockRoom) -> None:
    """POKER 16.17"""
    room.tables[0].declare("clock start")
    room.speak()
    room.tables[1].pass_time(900)
    assert differ_ms(room) > WITHIN_MS
    room.speak()
    assert differ_ms(room) <= WITHIN_MS


def test_an_extra_break_holds_at_all_tables(room: ClockRoom) -> None:
    """POKER 20.21, 20.22"""
    first, second = room.tables
    first.declare("clock start")
    room.speak()
    room.pass_time(3 * MINUTE)
    second.declare("break 10m")
    room.speak()
    assert [table.seen.clock for table in room.tables] == ["10:00", "10:00"]
    second.restart(5_000)
    room.speak()
    room.pass_time(11 * MINUTE)
    assert [table.seen.clock for table in room.tables] == ["16:00", "16:00"]
    first.declare("match-new")
    room.speak()
    assert [table.seen.clock for table in room.tables] == ["20:00", "20:00"]
    assert differ_ms(room) <= WITHIN_MS


def test_of_two_that_declare_at_once_both_are_heard(room: ClockRoom) -> None:
    first, second = room.tables
    first.declare("clock set 2 7m")
    second.declare("clock start")
    answers = [table.ask() for table in room.tables]
    first.take(answers[0])
    second.take(answers[1])  # stale: it was made from the row as it was before
    room.speak()
    assert [table.seen.clock for table in room.tables] == ["7:00", "7:00"]
    assert [table.seen.level for table in room.tables] == [2, 2]
    room.pass_time(MINUTE)
    assert [table.seen.clock for table in room.tables] == ["6:00", "6:00"]


def test_a_change_is_taken_once_also_if_its_answer_was_lost(room: ClockRoom) -> None:
    first, second = room.tables
    first.declare("clock set 2 7m")
    first.ask()
    second.speak()
    second.declare("clock set 1 3m")
    second.speak()
    first.speak()  # it asks again, as it was not answered
    assert [table.seen.clock for table in room.tables] == ["3:00", "3:00"]


def test_a_killed_table_tells_what_was_declared_and_takes_the_row(room: ClockRoom) -> None:
    first, second = room.tables
    first.declare("clock start")
    first.restart(boot=50)
    assert first.poker.clock is not None
    assert not first.poker.clock.running  # until the centre answers
    room.speak()
    room.pass_time(MINUTE)
    assert [table.seen.clock for table in room.tables] == ["19:00", "19:00"]
    second.restart(boot=90_000)
    room.pass_time(MINUTE)
    room.speak()
    assert [table.seen.clock for table in room.tables] == ["18:00", "18:00"]


def play_hand(room: ClockRoom) -> None:
    """A hand at every table."""
    for table in room.tables:
        table.press()
        assert table.refusal is None
    room.speak()
    for table in room.tables:
        table.end_hand()
    room.speak()


def test_hand_for_hand_a_hand_costs_two_minutes_once_for_all(room: ClockRoom) -> None:
    first, second = room.tables
    first.declare("clock start")
    room.speak()
    first.press()
    room.pass_time(150_000)
    second.declare("hand-for-hand on")
    room.speak()
    assert [table.poker.hand_for_hand for table in room.tables] == [True, True]
    first.end_hand()
    room.speak()
    second.press()
    assert second.refusal is Refusal.HAND_FOR_HAND
    clocks = []
    for _ in range(3):
        second.declare("go")
        room.speak()
        play_hand(room)
        assert differ_ms(room) <= WITHIN_MS
        clocks.append(first.seen.clock)
    assert clocks == ["15:30", "13:30", "11:30"]


def test_two_tables_that_begin_at_once_take_the_two_minutes_once(room: ClockRoom) -> None:
    first, second = room.tables
    first.declare("hand-for-hand on")
    room.speak()
    for _ in range(2):
        first.declare("go")
        room.speak()
        for table in room.tables:
            table.press()
        answers = [table.ask() for table in room.tables]
        first.take(answers[0])
        second.take(answers[1])
        room.speak()
        for table in room.tables:
            table.end_hand()
    assert [table.seen.clock for table in room.tables] == ["18:00", "18:00"]


def test_go_is_sent_when_every_hand_is_over(room: ClockRoom) -> None:
    """POKER 16.17"""
    first, second = room.tables
    second.press()
    second.speak()
    first.declare("hand-for-hand on")
    first.declare("go")
    room.speak()
    assert not first.poker.go
    second.end_hand()
    room.speak()
    assert [table.poker.go for table in room.tables] == [True, True]


def test_without_the_centre_a_table_counts_on_and_the_row_holds_from_the_next_hand(
    room: ClockRoom,
) -> None:
    """POKER 16.18"""
    first, second = room.tables
    first.declare("clock start")
    room.speak()
    first.press()
    first.lose_centre()
    assert Fault.CLOCK_LOST in first.state.faults
    second.declare("clock set 2 20m")
    second.speak()
    room.pass_time(MINUTE)
    assert (first.seen.clock, first.seen.level) == ("19:00", 1)
    first.find_centre()
    first.speak()
    assert Fault.CLOCK_LOST not in first.state.faults
    assert (first.seen.clock, first.seen.level) == ("19:00", 1)
    first.end_hand()
    first.press()
    assert (first.seen.level, first.seen.blinds) == (2, "600/1200")
    assert differ_ms(room) <= WITHIN_MS


def test_what_is_declared_without_the_centre_holds_at_this_table(room: ClockRoom) -> None:
    first, second = room.tables
    first.lose_centre()
    first.declare("clock start")
    first.pass_time(MINUTE)
    assert first.seen.clock == "19:00"
    first.find_centre()
    room.speak()
    assert [table.seen.clock for table in room.tables] == ["20:00", "20:00"]
    assert second.poker.clock is not None
    assert not second.poker.clock.running


def test_a_table_sees_its_call_and_no_row(room: ClockRoom, postgres: PostgresCentre) -> None:
    del room
    connection = postgres.connect("poker-1")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("SELECT * FROM link.tournament_clock")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("SELECT link.send_go('night')")
