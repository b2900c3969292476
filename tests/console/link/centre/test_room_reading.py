"""What the centre tells the room, and to whom (docs/reference/link-rules.md, section 7)."""

import pytest
from psycopg.errors import InsufficientPrivilege, ReadOnlySqlTransaction

from console.link.alarms import TOKENS_ALARM, AlarmCode
from console.link.centre.room_reading import read_replication, read_room
from console.office.link.centre import read_alarms, write_alarm
from console.texts.language import Language
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centre.tournament_house import MONDAY, TournamentHouse
from tests.console.link.centres import seat_table
from tests.console.link.clock_tables import ClockRoom


def test_a_reader_sees_tables_awards_and_holds(postgres: PostgresCentre) -> None:
    postgres.make_role("room", "link_reader")
    one, two = seat_table(postgres, "a"), seat_table(postgres, "b")
    for table in (one, two):
        table.open(2)
        table.beat()
    connection = postgres.connect("room")
    (before,) = read_room(connection).jackpots
    assert before.amount == postgres.reading
    assert [(t.table, t.stakes, t.phase, t.outbox) for t in before.tables] == [
        ("a", 2, "PLAYING", 0),
        ("b", 2, "PLAYING", 0),
    ]
    one.claim(Combination.ROYAL_FLUSH)
    reading = read_room(connection)
    (jackpot,) = reading.jackpots
    (award,) = jackpot.awards
    assert [(part.table, part.state) for part in award.parts] == [("a", "pending")]
    assert [hold.table for hold in award.holds] == ["b"]
    assert award.reading == award.each == before.amount
    assert reading.now - award.holds[0].since < 60_000
    assert not reading.standby
    two.close()
    one.agree()
    (jackpot,) = read_room(connection).jackpots
    assert jackpot.awards == ()
    assert [(final.number, final.whole) for final in jackpot.finals] == [(award.number, True)]
    assert jackpot.finals[0].at is not None


def test_a_position_never_goes_back_and_moves_with_what_is_answered(
    postgres: PostgresCentre,
) -> None:
    postgres.make_role("room", "link_reader")
    connection = postgres.connect("room")
    before = read_room(connection).position
    seat_table(postgres, "a").open()
    postgres.superuser.execute("SELECT pg_switch_wal()")
    after = read_replication(connection).position
    assert after > before
    assert read_room(connection).position >= after


def test_without_standby_names_the_primary_says_that_it_is_alone(
    postgres: PostgresCentre,
) -> None:
    postgres.make_role("room", "link_reader")
    copies = read_replication(postgres.connect("room"))
    assert (copies.wanted, copies.copies) == ("", ())


def test_a_member_reads_nothing_of_it(postgres: PostgresCentre) -> None:
    seat_table(postgres, "a")
    with pytest.raises(InsufficientPrivilege):
        read_room(postgres.connect("a"))


def test_it_reads_where_nothing_may_be_written(postgres: PostgresCentre) -> None:
    """LINK 1.1.1: and it may not write either"""
    postgres.make_role("room", "link_reader")
    connection = postgres.connect("room")
    connection.execute("SET default_transaction_read_only = on")
    assert read_room(connection).jackpots
    with pytest.raises(ReadOnlySqlTransaction):
        connection.execute("CREATE TABLE mine ()")


def test_more_tokens_than_a_minute_has_room_for_are_counted_and_alarm(
    postgres: PostgresCentre,
) -> None:
    """What a table's seats can bring in a minute is bounded by its rounds; the rest is looked at"""
    quick, other = seat_table(postgres, "quick"), seat_table(postgres, "other")
    other.open(7)
    for _ in range(TOKENS_ALARM // 7):
        quick.open(7)
    assert AlarmCode.TOKENS not in {one.code for one in read_alarms(postgres.superuser)}
    quick.open(1)
    (alarm,) = (one for one in read_alarms(postgres.superuser) if one.code is AlarmCode.TOKENS)
    assert (alarm.table, alarm.number) == ("quick", TOKENS_ALARM + 1)
    assert postgres.reading == 1_000_000 + 140 * (7 + TOKENS_ALARM + 1)
    assert write_alarm(alarm).startswith("quick: 29 tokens in one minute, ")
    assert write_alarm(alarm, Language.IT).startswith("quick: 29 gettoni in un minuto, ")


def test_tokens_of_another_minute_are_not_added_and_a_day_later_nothing_is_said(
    postgres: PostgresCentre,
) -> None:
    table = seat_table(postgres, "a")
    for _ in range(TOKENS_ALARM // 7):
        table.open(7)
    pass_time(postgres, "61 seconds")
    table.open(7)
    assert AlarmCode.TOKENS not in {one.code for one in read_alarms(postgres.superuser)}
    for _ in range(TOKENS_ALARM // 7):
        table.open(7)
    pass_time(postgres, "23 hours")
    table.open(1)
    assert AlarmCode.TOKENS in {one.code for one in read_alarms(postgres.superuser)}
    pass_time(postgres, "2 hours")
    assert AlarmCode.TOKENS not in {one.code for one in read_alarms(postgres.superuser)}
    table.open(1)
    assert AlarmCode.TOKENS not in {one.code for one in read_alarms(postgres.superuser)}


def test_a_clock_that_was_set_back_begins_a_new_minute(postgres: PostgresCentre) -> None:
    table = seat_table(postgres, "a")
    for _ in range(TOKENS_ALARM // 7):
        table.open(7)
    pass_time(postgres, "-1 hour")
    table.open(7)
    assert AlarmCode.TOKENS not in {one.code for one in read_alarms(postgres.superuser)}


def pass_time(postgres: PostgresCentre, long: str) -> None:
    """What is on record of minutes becomes so much older."""
    postgres.superuser.execute(
        "UPDATE link.member SET minute_began = minute_began - %(long)s::interval, "
        "most_at = most_at - %(long)s::interval",
        {"long": long},
    )


def test_a_tournament_jackpot_has_no_tables(postgres: PostgresCentre) -> None:
    house = TournamentHouse(postgres)
    house.begin(MONDAY, "night")
    house.cashier.sell_fee(MONDAY, "night", "1")
    postgres.make_role("room", "link_reader")
    connection = postgres.connect("room")
    connection.execute("SET default_transaction_read_only = on")
    reading = read_room(connection)
    assert [one.jackpot for one in reading.jackpots] == [JACKPOT]
    assert reading.tournaments == (house.now,)
    connection.execute("RESET ALL")


def test_a_reader_sees_the_clock_of_a_tournament_and_its_players(postgres: PostgresCentre) -> None:
    """The row, and the tables that were heard within a minute"""
    postgres.make_role("room", "link_reader")
    assert read_room(postgres.connect("room")).clocks == ()
    room = ClockRoom(postgres, 0, 5_000)
    one, two = room.tables
    one.declare("players 7")
    one.declare("clock start")
    room.speak()
    room.pass_time(90_000)
    (clock,) = read_room(postgres.connect("room")).clocks
    assert (clock.tournament, clock.step, clock.running, clock.held) == ("night", 0, True, False)
    assert clock.left_ms - clock.age_ms == pytest.approx(1_110_000, abs=5_000)
    assert (clock.tables, clock.players) == (2, 7 + 9)
    two.declare("players 5")
    two.declare("hand-for-hand on")
    room.speak()
    (clock,) = read_room(postgres.connect("room")).clocks
    assert (clock.hand_for_hand, clock.held, clock.players) == (True, True, 7 + 5)
    postgres.superuser.execute(
        "UPDATE link.clock_table SET beat = beat - interval '61 seconds' WHERE member = 'poker-2'"
    )
    (clock,) = read_room(postgres.connect("room")).clocks
    assert (clock.tables, clock.players) == (1, 7)


def test_a_reader_sees_the_entries_of_the_table_that_has_most(postgres: PostgresCentre) -> None:
    """POKER 16.21: As they were declared; a table that has none declared says nothing of them"""
    postgres.make_role("room", "link_reader")
    room = ClockRoom(postgres, 0, 5_000)
    one, two = room.tables
    room.speak()
    (clock,) = read_room(postgres.connect("room")).clocks
    assert (clock.entries, clock.chips) == (0, 0)
    one.declare("entries 40 800000")
    room.speak()
    two.declare("entries 45 900000")
    room.speak()
    (clock,) = read_room(postgres.connect("room")).clocks
    assert (clock.entries, clock.chips) == (45, 900_000)
