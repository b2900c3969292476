"""What the overview shows, and each of its alarms.

docs/reference/link-rules.md, 3.7, 4, 5.2, 7.
"""

from collections.abc import Mapping

import pytest

from console.link.alarms import AlarmCode
from console.link.centre.room_reading import CopiesReading, RoundHeld
from console.link.overview import Overview, TableCondition, describe_room
from console.rules.link import AwardState
from console.texts.language import Words
from console.texts.page_words import Page, page_words
from jackpot.money.amounts import Cents
from jackpot.money.prizes import Prize, PrizeTable
from tests.console.web.serving.room.readings import (
    AMOUNT,
    NOON,
    WatchedRoom,
    award_of,
    copies_of,
    room_of,
    table_of,
)


def look(watched: WatchedRoom) -> Overview:
    return describe_room(watched.state, watched.now)


def alarms(watched: WatchedRoom) -> list[AlarmCode]:
    return [alarm.code for alarm in look(watched).alarms]


def beating(watched: WatchedRoom, seconds: int) -> None:
    """So many seconds of a house in which all is well: one table, heard each second."""
    for _ in range(seconds):
        beat = NOON + round(watched.now) * 1000
        watched.read(room_of(table_of(heard=beat), now=beat), copies_of())


def test_while_all_is_well_there_is_no_alarm() -> None:
    watched = WatchedRoom()
    beating(watched, 70)
    overview = look(watched)
    assert overview.alarms == ()
    (jackpot,) = overview.jackpots
    (table,) = jackpot.tables
    assert (jackpot.amount, table.shown, table.differs) == ("10004.20", "10004.20", False)
    assert (table.condition, table.age_s, table.phase) == (TableCondition.UP, 0, "PLAYING")
    (copy,) = overview.copies
    assert (copy.name, copy.in_sync, copy.lag_s) == ("db2", True, 0)


def growth_after(seconds: int, *, won_at: int = -1) -> str | None:
    """The growth told after so many seconds, in which each adds a cent; an award is won then."""
    watched = WatchedRoom()
    for second in range(seconds):
        won = second == won_at
        amount = Cents(AMOUNT + second - (500_000 if second >= won_at > 0 else 0))
        awards = (award_of(),) if won else ()
        watched.read(room_of(table_of(), amount=amount, awards=awards), copies_of())
    return look(watched).jackpots[0].growth


def test_growth_by_the_hour_is_told_after_ten_minutes() -> None:
    assert growth_after(590) is None
    assert growth_after(700) == "36.00"
    assert growth_after(4_000) == "36.01"


def test_what_an_award_moves_is_no_growth() -> None:
    assert growth_after(700, won_at=300) == "35.90"


def test_a_table_is_lost_after_three_beats_and_alarms_after_a_minute() -> None:
    """LINK 4.12: and no second earlier"""
    watched = WatchedRoom()
    beating(watched, 1)
    for second in range(1, 62):
        watched.read(room_of(table_of(), now=NOON + second * 1000), copies_of())
        (table,) = look(watched).jackpots[0].tables
        lost = table.condition is TableCondition.LOST
        assert lost == (second > 3)
        assert (table.shown is None) == lost
        assert table.faults == (None if lost else ())
        assert (AlarmCode.LINK_LOST in alarms(watched)) == (second >= 60)
    (alarm,) = look(watched).alarms
    assert (alarm.table, alarm.jackpot, alarm.age_s) == ("table-1", "stud", 61)


def test_an_age_is_counted_by_the_room_and_not_by_the_servers_clocks() -> None:
    """The standby's clock is an hour ahead: only at first sight, until the next beat, it counts"""
    watched = WatchedRoom()
    ahead = NOON + 3_600_000
    watched.read(room_of(table_of(), now=ahead), copies_of())
    assert look(watched).jackpots[0].tables[0].age_s == 3600
    watched.read(room_of(table_of(heard=NOON + 1000), now=ahead + 1000), copies_of())
    assert look(watched).jackpots[0].tables[0].age_s == 0


def test_a_round_that_holds_an_award_alarms_after_three_minutes() -> None:
    """LINK 3.7.1: and no second earlier"""
    watched = WatchedRoom()
    held = award_of(RoundHeld("table-2", 9, NOON))
    for second in range(182):
        beat = NOON + second * 1000
        watched.read(room_of(table_of(heard=beat), awards=(held,), now=beat), copies_of())
        assert (AlarmCode.HOLD in alarms(watched)) == (second >= 180)
    (alarm,) = look(watched).alarms
    assert (alarm.table, alarm.award) == ("table-2", 1)
    assert [hold.late for hold in look(watched).jackpots[0].awards[0].holds] == [True]


def test_a_jackpot_has_the_currency_and_the_words_of_its_prize_file() -> None:
    own = Prize("ROYAL_FLUSH", 10_000, high=True, it="SCALA D'ORO", en="GOLDEN ROYAL")
    house = PrizeTable((own,), currency="CHF", limit=AMOUNT)
    older, newer = Words("scala reale", "royal flush"), Words("scala d'oro", "golden royal")
    for now, then, words in ((None, house, newer), (house, None, older)):
        watched = WatchedRoom()
        room = room_of(table_of(), awards=(award_of(prize_file=then),), prize_file=now)
        watched.read(room, copies_of())
        (jackpot,) = look(watched).jackpots
        currencies = ("CHF", "EUR") if now else ("EUR", "CHF")
        assert (jackpot.currency, jackpot.awards[0].currency) == currencies
        assert (jackpot.awards[0].name, jackpot.at_limit) == (words, now is not None)


@pytest.mark.parametrize(
    ("copies", "expected"),
    [
        (copies_of(wanted=""), [AlarmCode.ALONE]),
        (copies_of(sync="async"), [AlarmCode.NO_COPY]),
        (CopiesReading(100, "ANY 1 (db1, db2)", ()), [AlarmCode.NO_COPY]),
        (None, [AlarmCode.PRIMARY_SILENT]),
    ],
)
def test_what_is_wrong_with_the_servers_is_said_at_once(
    copies: CopiesReading | None, expected: list[AlarmCode]
) -> None:
    """LINK 5.2.3: among it that the primary answers alone"""
    watched = WatchedRoom()
    beating(watched, 5)
    watched.read(room_of(table_of(heard=NOON + 5000), now=NOON + 5000), copies)
    assert alarms(watched) == expected


def test_a_silent_centre_is_said_at_once_and_ages_stand_still() -> None:
    watched = WatchedRoom()
    beating(watched, 5)
    for _ in range(100):
        watched.read(None, None)
        assert alarms(watched) == [AlarmCode.CENTRE_SILENT]
    overview = look(watched)
    assert overview.silent
    assert overview.jackpots[0].tables[0].age_s == 1
    assert overview.jackpots[0].amount is None
    assert (overview.wanted, overview.copies) == (None, ())


@pytest.mark.parametrize("stands", ["reader", "standby", "confirmation", "primary"])
def test_no_amount_is_older_than_ten_seconds(stands: str) -> None:
    """LINK 7.12: whatever stands still: dashes when no younger commit can have been seen"""
    watched = WatchedRoom()
    for second in range(1, 30):
        old = second > 10
        position = 100 + second
        still = min(position, 110)
        room = room_of(table_of(), position=still if stands == "standby" else position)
        flushed = still if stands == "confirmation" else position
        watched.read(
            None if stands == "reader" and old else room,
            None if stands == "primary" and old else copies_of(position, flushed=flushed),
        )
        amount = look(watched).jackpots[0].amount
        assert (amount is None) == (second > 20), second


def test_servers_that_answer_with_what_is_old_alarm_too() -> None:
    watched = WatchedRoom()
    beating(watched, 3)
    for second in range(10):
        beat = NOON + (3 + second) * 1000
        room = room_of(table_of(heard=beat), now=beat, position=100)
        watched.read(room, copies_of(101 + second))
    assert alarms(watched) == [AlarmCode.STALE]


def test_a_table_that_told_of_money_outside_the_terms_alarms_at_once() -> None:
    """LINK 2.4.3"""
    watched = WatchedRoom()
    watched.read(room_of(table_of("liar", doubted=True), table_of("other")), copies_of())
    assert alarms(watched) == [AlarmCode.NOT_THE_TERMS]
    conditions = {row.table: row.condition for row in look(watched).jackpots[0].tables}
    assert conditions == {"liar": TableCondition.DOUBTED, "other": TableCondition.UP}


def test_a_table_where_a_pin_is_guessed_alarms() -> None:
    watched = WatchedRoom()
    guessed = table_of(faults=("LINK_LOST", "PIN_GUESSED"))
    watched.read(room_of(guessed, table_of("table-2")), copies_of())
    found = [(one.code, one.table) for one in look(watched).alarms]
    assert found == [(AlarmCode.PIN_GUESSED, "table-1")]


def test_an_amount_that_the_jackpot_has_not_had_lately_is_marked() -> None:
    watched = WatchedRoom()
    amount = AMOUNT
    for second in range(20):
        amount = Cents(AMOUNT + 140 * second)
        beat = NOON + second * 1000
        behind = table_of("behind", shown=Cents(amount - 140), heard=beat)
        stuck = table_of("stuck", shown=AMOUNT, heard=beat)
        watched.read(room_of(behind, stuck, amount=amount, now=beat), copies_of())
        differs = {row.table: row.differs for row in look(watched).jackpots[0].tables}
        if second > 0:
            assert differs == {"behind": False, "stuck": second > 8}


def test_what_a_table_pays_is_no_wrong_amount() -> None:
    watched = WatchedRoom()
    won = table_of(shown=Cents(10_004))
    other = table_of("table-2", shown=Cents(10_004))
    award = award_of(each=Cents(10_004))
    for _ in range(10):
        watched.read(room_of(won, other, awards=(award,), now=NOON), copies_of())
    assert not watched.state.differs(won, watched.now)
    assert watched.state.differs(other, watched.now)


def test_the_page_has_words_for_whatever_it_may_be_told() -> None:
    groups = {
        "conditions": [condition.value for condition in TableCondition],
        "alarmWords": [code.value for code in AlarmCode],
        "parts": [state.value for state in AwardState if state is not AwardState.CANCELLED],
    }
    words = page_words(Page.ROOM)
    for group, values in groups.items():
        known = words[group]
        assert isinstance(known, Mapping)
        assert set(known) == set(values), group
