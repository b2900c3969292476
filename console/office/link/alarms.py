"""What somebody must see to, for a person who asks at the command line."""

from collections.abc import Mapping

from console.database.connect import DatabaseConnection
from console.link.centre.room_reading import read_replication, read_room
from console.link.overview.alarms import DAY_S, AlarmCode, RoomAlarm
from console.link.overview.describe import describe_room
from console.link.overview.room_state import RoomState
from console.texts.language import Language, Words
from console.texts.page_words import Page, page_word, page_words

HOUR_S, MINUTE_S = 3600, 60
AGES = ((2 * DAY_S, DAY_S, "days"), (2 * HOUR_S, HOUR_S, "hours"), (120, MINUTE_S, "minutes"))


def read_alarms(connection: DatabaseConnection) -> tuple[RoomAlarm, ...]:
    """The room's own, as the primary tells them at this instant. Raises psycopg.Error."""
    state = RoomState(0.0)
    state.take_copies(read_replication(connection), 0.0, 0.0)
    state.take_room(read_room(connection), 0.0)
    return describe_room(state, 0.0).alarms


def render_alarms(alarms: tuple[RoomAlarm, ...]) -> list[str]:
    """Each as a line; that the server answers alone the status says first of all."""
    return [
        f"alarm, {one.code.alarm.value}: {write_alarm(one)}"
        for one in alarms
        if one.code is not AlarmCode.ALONE
    ]


def write_alarm(alarm: RoomAlarm, language: Language = Language.EN) -> str:
    """An alarm in the page's words, as console/web/pages/room/alarms.js writes it."""
    group = page_words(Page.ROOM)["alarmWords"]
    assert isinstance(group, Mapping)
    words: Words = group[alarm.code.value]
    return words.in_(language).format(
        age=write_age(alarm.age_s, language),
        table=alarm.table,
        award=alarm.award,
        subject=alarm.subject,
        number=alarm.number,
    )


def write_age(seconds: int, language: Language) -> str:
    """As console/web/pages/room/age.js does."""
    for least, unit, name in AGES:
        if seconds >= least:
            return page_word(Page.ROOM, name).in_(language).format(n=seconds // unit)
    return page_word(Page.ROOM, "seconds").in_(language).format(n=seconds)
