"""What the overview shows, as its page gets it. Ages are whole seconds, amounts text `12345.67`."""

from enum import Enum

from msgspec import Struct


class AlarmCode(Enum):
    """What somebody must see to. The page has the words (console/texts/pages/room.toml)."""

    CENTRE_SILENT = "CENTRE_SILENT"
    """No server answers."""
    PRIMARY_SILENT = "PRIMARY_SILENT"
    ALONE = "ALONE"
    """The primary answers without a standby (link rules, 5.2)."""
    NO_COPY = "NO_COPY"
    """No standby is in sync: nothing is answered."""
    STALE = "STALE"
    """What is shown is old, though the servers answer."""
    LINK_LOST = "LINK_LOST"
    """A table has not been heard for 60 s (link rules, section 4)."""
    NOT_THE_TERMS = "NOT_THE_TERMS"
    """A table has sent money that does not fit the terms (link rules, 2.4)."""
    HOLD = "HOLD"
    """A round has held an award for 180 s (link rules, 3.7)."""


class RoomAlarm(Struct, frozen=True):
    """An alarm; `age_s`: how long it has been so."""

    code: AlarmCode
    age_s: int = 0
    table: str = ""
    jackpot: str = ""
    award: int = 0


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
    """An award that is pending, or has become final `at` (ISO 8601, local time)."""

    number: int
    combination: str
    winners: int
    each: str
    total: str
    parts: tuple[PartRow, ...]
    holds: tuple[HoldRow, ...]
    at: str | None


class JackpotRow(Struct, frozen=True):
    """A jackpot and its tables. `amount`: None while it is not known."""

    jackpot: str
    game: str
    amount: str | None
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
