"""The overview, from what is known of the centre.

docs/reference/link-rules.md, sections 3.7, 4, 5.2, 7.
"""

import math
from datetime import datetime
from enum import Enum

from msgspec import Struct

from console.link.alarms import (
    HOLD_ALARM_S,
    LOST_ALARM_S,
    OUTBOX_ALARM,
    AlarmCode,
    RoomAlarm,
    find_server_alarms,
    find_token_alarms,
)
from console.link.centre.room_reading import RoomAward, RoomJackpot, RoomReading, RoomTable
from console.link.room_state import RoomState
from console.rules.link import LOST_AFTER_BEATS
from console.texts.catalogue.findings import FindingCode
from console.texts.language import Words
from console.texts.table_texts import TableNames, name_combination
from jackpot.money.amounts import format_cents
from jackpot.money.prizes import EURO

STALE_S = 5.0
"""The servers answer, but what they show is older than this."""

DASHES_AFTER_S = 10.0
"""After so much silence no amount is shown (docs/reference/link-rules.md, section 7)."""


class TableCondition(Enum):
    """How a table stands with the centre."""

    UP = "up"
    LOST = "lost"
    """Not heard for three beats."""
    NOT_HEARD = "not-heard"
    """Never yet."""
    NOT_JOINED = "not-joined"
    DOUBTED = "doubted"
    """Barred for what it sent: two operators must look."""
    ENDED = "ended"
    """Its epoch has ended: back only by rejoin."""


class TableRow(Struct, frozen=True):
    """A table. `shown`: None: dashes. `differs`: it stays other than the jackpot.

    `faults`: the last that it told; None: whether it has one is not known.
    """

    table: str
    condition: TableCondition
    age_s: int | None
    phase: str | None
    round: int | None
    stakes: int
    faults: tuple[str, ...] | None
    shown: str | None
    differs: bool
    outbox: int
    unbooked: int


class PartRow(Struct, frozen=True):
    """A table's part of an award."""

    table: str
    winners: int
    state: str


class HoldRow(Struct, frozen=True):
    """A round that may still join an award; `late`: it alarms."""

    table: str
    round: int
    age_s: int
    late: bool


class AwardRow(Struct, frozen=True):
    """An award that is pending, or has become final `at` (ISO 8601, local time).

    `name`: of its combination, and `currency`: of the prizes that were in force when it was won.
    `total`: prizes and envy. `envy`: what each of `envy_seats` gets, the other seats; None: none.
    """

    number: int
    combination: str
    name: Words
    currency: str
    winners: int
    each: str
    total: str
    envy_seats: int
    envy: str | None
    parts: tuple[PartRow, ...]
    holds: tuple[HoldRow, ...]
    at: str | None


class JackpotRow(Struct, frozen=True):
    """A jackpot and its tables. `amount`: None while it is not known; `at_limit`: it is its limit.

    `growth`: what tokens put into it in an hour; None: not known yet.
    """

    jackpot: str
    game: str
    currency: str
    amount: str | None
    at_limit: bool
    growth: str | None
    tables: tuple[TableRow, ...]
    awards: tuple[AwardRow, ...]
    finals: tuple[AwardRow, ...]


class CopyRow(Struct, frozen=True):
    """A standby; `lag_s`: None: more than two minutes, or not known."""

    name: str
    state: str
    sync: str
    in_sync: bool
    lag_s: int | None


class Overview(Struct, frozen=True, tag_field="kind", tag="room"):
    """The whole of it. `age_s`: of what is shown; None: nothing is known yet.

    `silent`: no server answers now. `wanted`: the primary's synchronous_standby_names; None: not
    known. `at_standby`: where jackpots and tables were read.
    """

    age_s: int | None
    silent: bool
    at_standby: bool
    wanted: str | None
    alarms: tuple[RoomAlarm, ...]
    jackpots: tuple[JackpotRow, ...]
    copies: tuple[CopyRow, ...]


def describe_room(state: RoomState, now: float) -> Overview:
    """The overview at this time, in seconds of the monotonic clock."""
    room, copies = state.room, state.copies
    primary_answers = state.primary.silent_since is None
    jackpots = _describe_jackpots(state, now)
    return Overview(
        age_s=math.floor(state.silent_for(now)) if room else None,
        silent=state.reader.silent_since is not None,
        at_standby=room is not None and room.standby,
        wanted=copies.wanted if copies and primary_answers else None,
        alarms=(
            *_centre_alarms(state, now),
            *_alarms_of(jackpots),
            *(find_token_alarms(room) if room else ()),
        ),
        jackpots=jackpots,
        copies=_describe_copies(state) if primary_answers else (),
    )


def _describe_jackpots(state: RoomState, now: float) -> tuple[JackpotRow, ...]:
    """While no server answers, ages stand still: nobody knows better."""
    room = state.room
    if room is None:
        return ()
    seen = now if state.reader.silent_since is None else state.reader.silent_since
    known = state.is_known(now, DASHES_AFTER_S)
    return tuple(_describe_jackpot(state, room, one, seen, known=known) for one in room.jackpots)


def _describe_jackpot(
    state: RoomState, room: RoomReading, jackpot: RoomJackpot, now: float, *, known: bool
) -> JackpotRow:
    growth = state.growth_of(jackpot.jackpot, now)
    names = TableNames(jackpot.game, jackpot.prize_file)
    return JackpotRow(
        jackpot=jackpot.jackpot,
        game=jackpot.game,
        currency=names.currency,
        amount=format_cents(jackpot.amount) if known else None,
        at_limit=names.limit is not None and known and jackpot.amount >= names.limit,
        growth=None if growth is None else format_cents(growth),
        tables=tuple(_describe_table(state, room, one, now) for one in jackpot.tables),
        awards=tuple(_describe_award(state, jackpot.jackpot, one, now) for one in jackpot.awards),
        finals=tuple(_describe_award(state, jackpot.jackpot, one, now) for one in jackpot.finals),
    )


def _describe_table(state: RoomState, room: RoomReading, table: RoomTable, now: float) -> TableRow:
    age = state.beat_age(table, now)
    condition = _find_condition(table, age, room.beat_s)
    up = condition is TableCondition.UP
    return TableRow(
        table=table.table,
        condition=condition,
        age_s=age,
        phase=table.phase,
        round=table.round,
        stakes=table.stakes,
        faults=table.faults if up or table.faults else None,
        shown=format_cents(table.shown) if up and table.shown is not None else None,
        differs=up and state.differs(table, now),
        outbox=table.outbox,
        unbooked=table.unbooked,
    )


def _find_condition(table: RoomTable, age: int | None, beat_s: int) -> TableCondition:
    if table.ended:
        return TableCondition.ENDED
    if table.doubted:
        return TableCondition.DOUBTED
    if not table.joined:
        return TableCondition.NOT_JOINED
    if age is None:
        return TableCondition.NOT_HEARD
    return TableCondition.LOST if age > LOST_AFTER_BEATS * beat_s else TableCondition.UP


def _describe_award(state: RoomState, jackpot: str, award: RoomAward, now: float) -> AwardRow:
    holds, envy = [], award.envy
    for hold in award.holds:
        age = state.hold_age(jackpot, award.number, hold.table, now)
        holds.append(HoldRow(hold.table, hold.round, age, late=age >= HOLD_ALARM_S))
    return AwardRow(
        number=award.number,
        combination=award.combination,
        name=name_combination(award.combination, award.prize_file),
        currency=award.prize_file.currency if award.prize_file is not None else EURO,
        winners=award.winners,
        each=format_cents(award.each),
        total=format_cents(award.total),
        envy_seats=envy.seats if envy is not None else 0,
        envy=format_cents(envy.each) if envy is not None else None,
        parts=tuple(PartRow(part.table, part.winners, part.state) for part in award.parts),
        holds=tuple(holds),
        at=write_time(award.at) if award.at is not None else None,
    )


def write_time(at: int) -> str:
    """An instant, ms since 1970, in this machine's local time: ISO 8601."""
    return datetime.fromtimestamp(at / 1000).astimezone().isoformat(timespec="seconds")


def _describe_copies(state: RoomState) -> tuple[CopyRow, ...]:
    rows = []
    for copy in state.copies.copies if state.copies else ():
        lag = state.positions.find_lag(copy.flushed or 0)
        whole = None if lag is None else math.floor(lag)
        rows.append(CopyRow(copy.name, copy.state, copy.sync, copy.in_sync, whole))
    return tuple(rows)


def _centre_alarms(state: RoomState, now: float) -> list[RoomAlarm]:
    alarms = []
    reader, primary = state.reader.silent_since, state.primary.silent_since
    if reader is not None:
        alarms.append(RoomAlarm(AlarmCode.CENTRE_SILENT, math.floor(now - reader)))
    elif primary is not None:
        alarms.append(RoomAlarm(AlarmCode.PRIMARY_SILENT, math.floor(now - primary)))
    elif state.copies is not None:
        stale = state.silent_for(now)
        if state.primaries > 1:
            alarms.append(RoomAlarm(AlarmCode.PRIMARIES, number=state.primaries))
        if not state.copies.wanted:
            alarms.append(RoomAlarm(AlarmCode.ALONE))
        if not state.copies.confirmed:
            alarms.append(RoomAlarm(AlarmCode.NO_COPY, math.floor(stale)))
        elif stale > STALE_S:
            alarms.append(RoomAlarm(AlarmCode.STALE, math.floor(stale)))
        alarms += find_server_alarms(state.copies)
    return alarms


def _alarms_of(jackpots: tuple[JackpotRow, ...]) -> list[RoomAlarm]:
    lost = [
        RoomAlarm(AlarmCode.LINK_LOST, table.age_s, table.table, jackpot.jackpot)
        for jackpot in jackpots
        for table in jackpot.tables
        if table.condition is TableCondition.LOST
        and table.age_s is not None
        and table.age_s >= LOST_ALARM_S
    ]
    doubted = [
        RoomAlarm(AlarmCode.NOT_THE_TERMS, 0, table.table, jackpot.jackpot)
        for jackpot in jackpots
        for table in jackpot.tables
        if table.condition is TableCondition.DOUBTED
    ]
    guessed = [
        RoomAlarm(AlarmCode.PIN_GUESSED, 0, table.table, jackpot.jackpot)
        for jackpot in jackpots
        for table in jackpot.tables
        if FindingCode.PIN_GUESSED.value in (table.faults or ())
    ]
    behind = [
        RoomAlarm(AlarmCode.TABLE_BEHIND, 0, table.table, jackpot.jackpot, number=most)
        for jackpot in jackpots
        for table in jackpot.tables
        if (most := max(table.outbox, table.unbooked)) > OUTBOX_ALARM
    ]
    held = [
        RoomAlarm(AlarmCode.HOLD, hold.age_s, hold.table, jackpot.jackpot, award.number)
        for jackpot in jackpots
        for award in jackpot.awards
        for hold in award.holds
        if hold.late
    ]
    return doubted + lost + behind + held + guessed
