"""What somebody must see to: the twelve alarms of a centre, declared once (docs/how-to/alarms.md).

The room's page, `banco link status` and Prometheus's rules (systemd/monitoring/) have the same.
"""

import math
from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from console.link.centre.room_reading import (
    CentreHealth,
    CopiesReading,
    ObservedKind,
    RoomReading,
)
from devices.roles import SEATS

LOST_ALARM_S = 60
HOLD_ALARM_S = 180
OUTBOX_ALARM = 20
"""More calls without an answer, or changes not booked, than a table has in a round."""

SHORTEST_ROUND_S = 15
TOKENS_ALARM = len(SEATS) * 60 // SHORTEST_ROUND_S
"""No table plays more in one minute: a token a seat, in rounds that nobody deals so fast."""

WAIT_ALARM_S = 5
LAG_ALARM_S = 10
SLOT_ALARM_BYTES = 2 * 1024**3
"""So little WAL more, and a standby that is away must be copied anew."""

NIGHTLY_ALARM_S = 26 * 3600
"""A backup and an audit each night, and two hours for them."""

DISK_ALARM_PERCENT = 15
CERTIFICATE_WARNING_DAYS = 60
CERTIFICATE_ALARM_DAYS = 14
DAY_S = 86_400


class CentreAlarm(Enum):
    """The twelve, in the order in which they are looked at: may tables play?"""

    PRIMARIES = "primaries"
    """Not just one server takes writes."""
    STANDBYS = "standbys"
    """No standby streams: nothing is answered."""
    ALONE = "alone"
    """The primary answers without a standby (link rules, 5.2)."""
    WAITS = "waits"
    """A commit has been waiting for a standby for 5 s."""
    LAG = "lag"
    """A standby, or what is shown, is behind."""
    SLOTS = "slots"
    """A standby that is away will soon need a new copy."""
    ARCHIVE = "archive"
    """WAL does not reach the archive."""
    BACKUP = "backup"
    """The last one is older than 26 hours."""
    DISK = "disk"
    """Less than 15 % is free."""
    CERTIFICATES = "certificates"
    """One ends, or the list of revoked ones: a warning at 60 days, an alarm at 14."""
    TABLES = "tables"
    """One is not heard for 60 s, is behind, has an outbox over 20, is barred, brings more tokens
    than its seats can, or a PIN is guessed there."""
    AUDIT = "audit"
    """The last one is older than 26 hours, or found something; or a hold lasts 180 s."""


class AlarmCode(Enum):
    """What is said of it. The page has the words (console/texts/pages/room.toml)."""

    CENTRE_SILENT = "CENTRE_SILENT"
    """No server answers."""
    PRIMARY_SILENT = "PRIMARY_SILENT"
    PRIMARIES = "PRIMARIES"
    """Several servers take writes: an old one was switched on again. It answers nobody."""
    NO_COPY = "NO_COPY"
    ALONE = "ALONE"
    WAITS = "WAITS"
    STALE = "STALE"
    """What is shown is old, though the servers answer."""
    LAG = "LAG"
    SLOT = "SLOT"
    ARCHIVE = "ARCHIVE"
    NO_BACKUP = "NO_BACKUP"
    BACKUP = "BACKUP"
    DISK = "DISK"
    CERTIFICATE_ENDS = "CERTIFICATE_ENDS"
    CERTIFICATE_SOON = "CERTIFICATE_SOON"
    LINK_LOST = "LINK_LOST"
    """A table has not been heard for 60 s (link rules, section 4)."""
    TABLE_BEHIND = "TABLE_BEHIND"
    NOT_THE_TERMS = "NOT_THE_TERMS"
    """A table has sent money that does not fit the terms (link rules, 2.4)."""
    PIN_GUESSED = "PIN_GUESSED"
    """A table tells that wrong PINs are given, more than by mistake (docs/how-to/access.md)."""
    TOKENS = "TOKENS"
    """A table has brought more tokens in one minute than its seats can."""
    NO_AUDIT = "NO_AUDIT"
    AUDIT = "AUDIT"
    AUDIT_DIFFERS = "AUDIT_DIFFERS"
    HOLD = "HOLD"
    """A round has held an award for 180 s (link rules, 3.7)."""

    @property
    def alarm(self) -> CentreAlarm:
        """Which of the twelve it is."""
        return _OF_TWELVE.get(self) or CentreAlarm[self.name]


_OF_TWELVE = {
    AlarmCode.CENTRE_SILENT: CentreAlarm.PRIMARIES,
    AlarmCode.PRIMARY_SILENT: CentreAlarm.PRIMARIES,
    AlarmCode.NO_COPY: CentreAlarm.STANDBYS,
    AlarmCode.STALE: CentreAlarm.LAG,
    AlarmCode.SLOT: CentreAlarm.SLOTS,
    AlarmCode.NO_BACKUP: CentreAlarm.BACKUP,
    AlarmCode.CERTIFICATE_ENDS: CentreAlarm.CERTIFICATES,
    AlarmCode.CERTIFICATE_SOON: CentreAlarm.CERTIFICATES,
    AlarmCode.LINK_LOST: CentreAlarm.TABLES,
    AlarmCode.TABLE_BEHIND: CentreAlarm.TABLES,
    AlarmCode.NOT_THE_TERMS: CentreAlarm.TABLES,
    AlarmCode.PIN_GUESSED: CentreAlarm.TABLES,
    AlarmCode.TOKENS: CentreAlarm.TABLES,
    AlarmCode.NO_AUDIT: CentreAlarm.AUDIT,
    AlarmCode.AUDIT_DIFFERS: CentreAlarm.AUDIT,
    AlarmCode.HOLD: CentreAlarm.AUDIT,
}


class RoomAlarm(Struct, frozen=True):
    """An alarm; `age_s`: how long it has been so, or what is left of it.

    `subject`: what it is about that is no table: a slot, a disk, a certificate. `number`: percent,
    or how many.
    """

    code: AlarmCode
    age_s: int = 0
    table: str = ""
    jackpot: str = ""
    award: int = 0
    subject: str = ""
    number: int = 0


def find_token_alarms(room: RoomReading) -> Iterator[RoomAlarm]:
    """Tables that brought more in one minute of the last day than seats and rounds allow."""
    for jackpot in room.jackpots:
        for table in jackpot.tables:
            if table.most_at is not None and table.most_tokens > TOKENS_ALARM:
                age = max(0, room.now - table.most_at) // 1000
                yield RoomAlarm(
                    AlarmCode.TOKENS,
                    age,
                    table.table,
                    jackpot.jackpot,
                    number=table.most_tokens,
                )


def find_server_alarms(copies: CopiesReading) -> Iterator[RoomAlarm]:
    """What the primary knows of its standbys and its archive, and what its house told it."""
    health = copies.health
    if health.waits_ms >= WAIT_ALARM_S * 1000:
        yield RoomAlarm(AlarmCode.WAITS, health.waits_ms // 1000)
    if health.lag_ms >= LAG_ALARM_S * 1000:
        yield RoomAlarm(AlarmCode.LAG, health.lag_ms // 1000)
    for slot in health.slots:
        if slot.left is not None and slot.left < SLOT_ALARM_BYTES:
            yield RoomAlarm(AlarmCode.SLOT, subject=slot.slot, number=slot.left // 1024**2)
    if health.archives:
        yield from _find_house_alarms(health)


def _find_house_alarms(health: CentreHealth) -> Iterator[RoomAlarm]:
    """A server without an archive is a trial, which nobody backs up and audits."""
    if health.unarchived is not None:
        yield RoomAlarm(AlarmCode.ARCHIVE, _age(health, health.unarchived))
    yield from _find_backup_alarms(health)
    for disk in health.of(ObservedKind.DISK):
        if disk.value < DISK_ALARM_PERCENT:
            yield RoomAlarm(AlarmCode.DISK, subject=disk.subject, number=disk.value)
    for one in health.of(ObservedKind.CERTIFICATE):
        left = -_age(health, one.value)
        code = judge_end(left)
        if code is not None:
            yield RoomAlarm(code, max(0, left), subject=one.subject)
    yield from _find_audit_alarms(health)


def judge_end(left_s: float) -> AlarmCode | None:
    """What is said of a certificate that ends so soon."""
    if left_s < CERTIFICATE_ALARM_DAYS * DAY_S:
        return AlarmCode.CERTIFICATE_ENDS
    return AlarmCode.CERTIFICATE_SOON if left_s < CERTIFICATE_WARNING_DAYS * DAY_S else None


def _find_backup_alarms(health: CentreHealth) -> Iterator[RoomAlarm]:
    backups = health.of(ObservedKind.BACKUP)
    if not backups:
        yield RoomAlarm(AlarmCode.NO_BACKUP)
    elif (age := min(_age(health, one.value) for one in backups)) >= NIGHTLY_ALARM_S:
        yield RoomAlarm(AlarmCode.BACKUP, age)


def _find_audit_alarms(health: CentreHealth) -> Iterator[RoomAlarm]:
    audits = health.of(ObservedKind.AUDIT)
    if not audits:
        yield RoomAlarm(AlarmCode.NO_AUDIT)
    elif not (last := max(one.value for one in audits)):
        yield RoomAlarm(AlarmCode.AUDIT_DIFFERS)
    elif (age := _age(health, last)) >= NIGHTLY_ALARM_S:
        yield RoomAlarm(AlarmCode.AUDIT, age)


def _age(health: CentreHealth, at: int) -> int:
    return math.floor((health.now - at) / 1000)
