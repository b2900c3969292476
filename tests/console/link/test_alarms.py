"""The twelve alarms: each at its limit, and no second earlier (console/link/alarms.py)."""

import pytest

from console.link.alarms import (
    AlarmCode,
    CentreAlarm,
    find_server_alarms,
)
from console.link.centre.room_reading import (
    CentreHealth,
    CopiesReading,
    HouseObservation,
    ObservedKind,
    SlotReading,
)
from console.office.link.centre import write_alarm
from console.rules.structs import replace
from console.texts.language import Language
from tests.console.web.serving.room.readings import NOON, copies_of

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
GIB = 1024**3


def observation_of(kind: ObservedKind, value: int, subject: str = "centre") -> HouseObservation:
    return HouseObservation(kind, subject, value)


WELL = CentreHealth(
    now=NOON,
    waits_ms=4_999,
    lag_ms=9_999,
    slots=(SlotReading("db2", active=False, left=2 * GIB), SlotReading("db3", True, None)),
    archives=True,
    observations=(
        observation_of(ObservedKind.AUDIT, NOON - 26 * HOUR_MS + 1, ""),
        observation_of(ObservedKind.BACKUP, NOON - 26 * HOUR_MS + 1),
        observation_of(ObservedKind.CERTIFICATE, NOON + 60 * DAY_MS, "table-3"),
        observation_of(ObservedKind.DISK, 15, "db1:/"),
    ),
)
"""Every figure at the limit that it may have."""


def codes(health: CentreHealth) -> list[AlarmCode]:
    reading: CopiesReading = replace(copies_of(), health=health)
    return [alarm.code for alarm in find_server_alarms(reading)]


def observing(kind: ObservedKind, *values: int) -> CentreHealth:
    others = tuple(one for one in WELL.observations if one.kind is not kind)
    return replace(WELL, observations=(*others, *(observation_of(kind, value) for value in values)))


def test_while_all_is_well_there_is_no_alarm() -> None:
    assert codes(WELL) == []


@pytest.mark.parametrize(
    ("health", "code"),
    [
        (replace(WELL, waits_ms=5_000), AlarmCode.WAITS),
        (replace(WELL, lag_ms=10_000), AlarmCode.LAG),
        (replace(WELL, slots=(SlotReading("db2", False, 2 * GIB - 1),)), AlarmCode.SLOT),
        (replace(WELL, unarchived=NOON - 1), AlarmCode.ARCHIVE),
        (observing(ObservedKind.BACKUP), AlarmCode.NO_BACKUP),
        (observing(ObservedKind.BACKUP, NOON - 26 * HOUR_MS), AlarmCode.BACKUP),
        (observing(ObservedKind.DISK, 14), AlarmCode.DISK),
        (
            observing(ObservedKind.CERTIFICATE, NOON + 60 * DAY_MS - 1000),
            AlarmCode.CERTIFICATE_SOON,
        ),
        (
            observing(ObservedKind.CERTIFICATE, NOON + 14 * DAY_MS - 1000),
            AlarmCode.CERTIFICATE_ENDS,
        ),
        (observing(ObservedKind.CERTIFICATE, NOON - 1), AlarmCode.CERTIFICATE_ENDS),
        (observing(ObservedKind.AUDIT), AlarmCode.NO_AUDIT),
        (observing(ObservedKind.AUDIT, NOON - 26 * HOUR_MS), AlarmCode.AUDIT),
        (observing(ObservedKind.AUDIT, 0), AlarmCode.AUDIT_DIFFERS),
    ],
)
def test_each_is_raised_at_its_limit(health: CentreHealth, code: AlarmCode) -> None:
    assert codes(health) == [code]


def test_a_trial_without_an_archive_is_asked_for_no_backup_and_no_audit() -> None:
    assert codes(replace(WELL, archives=False, observations=(), unarchived=NOON)) == []


def test_each_code_is_one_of_the_twelve_and_each_of_the_twelve_has_one() -> None:
    assert {code.alarm for code in AlarmCode} == set(CentreAlarm)


def test_an_alarm_is_written_in_both_languages() -> None:
    (alarm,) = find_server_alarms(
        replace(copies_of(), health=observing(ObservedKind.CERTIFICATE, NOON + 5 * DAY_MS))
    )
    assert write_alarm(alarm).startswith("centre: the certificate ends in 5 days")
    assert write_alarm(alarm, Language.IT).startswith("centre: il certificato scade fra 5 giorni")
