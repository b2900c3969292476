"""An alarm in words, where there is no page: those of the page."""

from collections.abc import Mapping

from console.link.overview.alarms import DAY_S, RoomAlarm
from console.texts.language import Language, Words
from console.texts.page_words import Page, page_word, page_words

HOUR_S, MINUTE_S = 3600, 60
AGES = ((2 * DAY_S, DAY_S, "days"), (2 * HOUR_S, HOUR_S, "hours"), (120, MINUTE_S, "minutes"))


def write_alarm(alarm: RoomAlarm, language: Language = Language.EN) -> str:
    """As console/web/pages/room/alarms.js does."""
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
