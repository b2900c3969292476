"""What the room shows, as the centre's servers tell it, read again and again.

docs/reference/link-rules.md, section 7.
"""

from collections.abc import Callable
from enum import Enum
from threading import Lock
from typing import Generic, TypeVar

import msgspec
import psycopg
from msgspec import Struct
from psycopg import Connection

from console.database.addresses import ServerAddress
from console.database.connect import describe_error
from console.database.first_host import connect_to_first, cut_connection
from console.link.centre.standbys import StandbyCopy
from console.link.centre.tournament import TournamentJackpot
from console.link.courier_messages import (
    CourierOpening,
)
from jackpot.failures import Unavailable
from jackpot.money.amounts import Cents
from jackpot.money.awards import Envy
from jackpot.money.prizes import PrizeTable


class RoomTable(Struct, frozen=True):
    """A table. Before its first beat None: `heard` (ms since 1970), `phase`, `shown`.

    `shown`: None also for dashes. `outbox`: its calls without an answer. `unbooked`: the centre's
    changes that it has not booked. `doubted`: it has sent money that does not fit the terms.
    `stakes` and `winners`: of the open round. `most_tokens`: that it brought in one minute of the
    last day, `most_at` (ms since 1970).
    """

    table: str
    joined: bool
    ended: bool
    doubted: bool
    round: int | None
    stakes: int
    winners: int
    heard: int | None
    phase: str | None
    faults: tuple[str, ...]
    shown: Cents | None
    outbox: int
    unbooked: int
    most_tokens: int = 0
    most_at: int | None = None


class RoomPart(Struct, frozen=True):
    """A table's part of an award; `state`: an `AwardState`'s value.

    `envy`: what each of its `others` gets, the seats that envy from the jackpot goes to.
    """

    table: str
    winners: int
    state: str
    others: int = 0
    envy: Cents = Cents(0)


class RoundHeld(Struct, frozen=True):
    """A round that may still join an award; `since`: ms since 1970."""

    table: str
    round: int
    since: int


class RoomAward(Struct, frozen=True):
    """An award; `at`: when it became final, ms since 1970. `whole`: the base was put in.

    `prize_file`: with its one prize, as it was when the award was frozen; None: there was none.
    """

    number: int
    combination: str
    reading: Cents
    winners: int
    each: Cents
    whole: bool
    parts: tuple[RoomPart, ...]
    holds: tuple[RoundHeld, ...]
    at: int | None
    prize_file: PrizeTable | None = None

    @property
    def envy(self) -> Envy | None:
        """What its other seats get; an award that several tables may share has none (2.20)."""
        parts = (part for part in self.parts if part.others)
        return next((Envy(part.others, part.envy) for part in parts), None)

    @property
    def total(self) -> Cents:
        """Prizes and envy together."""
        envy = self.envy
        more = envy.seats * envy.each if envy is not None else 0
        return Cents(self.each * self.winners + more)


class RoomJackpot(Struct, frozen=True):
    """A jackpot: pending awards, oldest first, and the last final ones, newest first.

    `prize_file`: None where its tables have none.
    """

    jackpot: str
    game: str
    prizes: dict[str, int]
    amount: Cents
    tables: tuple[RoomTable, ...]
    awards: tuple[RoomAward, ...]
    finals: tuple[RoomAward, ...]
    prize_file: PrizeTable | None = None


class RoomClockRow(Struct, frozen=True):
    """A tournament's clock: where it stood `age_ms` ago, by the clock of the server that was read.

    `tables`: those heard within a minute, and `players` at them. `resumes_ms`: as in
    `TournamentClock`. `entries`, `chips`: as they were declared; 0: they were not.
    """

    tournament: str
    step: int
    left_ms: int
    running: bool
    held: bool
    hand_for_hand: bool
    age_ms: int
    tables: int
    players: int
    resumes_ms: int | None = None
    entries: int = 0
    chips: int = 0


class RoomReading(Struct, frozen=True):
    """All jackpots, at one server. `position`: what this server shows at least, bytes of its log.

    `now`: by its clock, ms since 1970. `beat_s`: how often a table is heard.
    """

    position: int
    standby: bool
    beat_s: int
    now: int
    jackpots: tuple[RoomJackpot, ...]
    tournaments: tuple[TournamentJackpot, ...] = ()
    clocks: tuple[RoomClockRow, ...] = ()


class CopyReading(StandbyCopy, frozen=True):
    """A standby, and what it has on its disk: `flushed`, bytes of the primary's log."""

    flushed: int | None


class SlotReading(Struct, frozen=True):
    """What is kept for a standby; `left`: bytes of WAL until it is given up; None: no limit."""

    slot: str
    active: bool
    left: int | None


class ObservedKind(Enum):
    """What a house tells its centre, for the alarms."""

    BACKUP = "backup"
    """When the last one ended, ms since 1970."""
    DISK = "disk"
    """The free part, in percent."""
    CERTIFICATE = "certificate"
    """When it ends, ms since 1970; so a list of revoked ones."""
    AUDIT = "audit"
    """When the last one ended, ms since 1970; 0: it found a difference."""


class HouseObservation(Struct, frozen=True):
    """The last word of a house on a subject: a stanza, a machine's folder, a certificate."""

    kind: ObservedKind
    subject: str
    value: int


class CentreHealth(Struct, frozen=True):
    """What the alarms ask of the primary. `now`, `unarchived`: by its clock, ms since 1970.

    `waits_ms`: how long the oldest commit has been waiting for a standby. `lag_ms`: of the standby
    that is furthest behind. `unarchived`: since when WAL does not reach the archive; None: it does.
    `archives`: whether the server has one at all.
    """

    now: int = 0
    waits_ms: int = 0
    lag_ms: int = 0
    slots: tuple[SlotReading, ...] = ()
    unarchived: int | None = None
    archives: bool = False
    observations: tuple[HouseObservation, ...] = ()

    def of(self, kind: ObservedKind) -> list[HouseObservation]:
        """What was told of this kind."""
        return [one for one in self.observations if one.kind is kind]


class CopiesReading(Struct, frozen=True):
    """What the primary knows. `wanted`: its synchronous_standby_names; "": it answers alone."""

    position: int
    wanted: str
    copies: tuple[CopyReading, ...]
    health: CentreHealth = CentreHealth()

    @property
    def confirmed(self) -> int:
        """Up to here all is answered that will be: it is on a standby's disk, or none is wanted."""
        if not self.wanted:
            return self.position
        return max((copy.flushed or 0 for copy in self.copies if copy.in_sync), default=0)


def read_room(connection: Connection) -> RoomReading:
    """Read it, as of one instant. Raises psycopg.Error."""
    return msgspec.convert(_call(connection, "SELECT link.read_room()"), RoomReading)


def read_replication(connection: Connection) -> CopiesReading:
    """Read it from a primary. Raises psycopg.Error."""
    query = "SELECT link.read_copies() || jsonb_build_object('health', link.read_health())"
    return msgspec.convert(_call(connection, query), CopiesReading)


def is_standby(connection: Connection) -> bool:
    """Whether this server only reads. Raises psycopg.Error."""
    return bool(_call(connection, "SELECT pg_is_in_recovery()"))


def observe(connection: Connection, observation: HouseObservation) -> None:
    """Tell the centre, which keeps the last word of each kind and subject. Raises psycopg.Error."""
    connection.execute(
        "SELECT link.observe(%s, %s, %s)",
        (observation.kind.value, observation.subject, observation.value),
    )


def _call(connection: Connection, query: str) -> object:
    row = connection.execute(query.encode()).fetchone()
    return row[0] if row is not None else None


STATEMENT_MS = 2000
"""The server gives a reading up by itself."""

SETTINGS = f"-c statement_timeout={STATEMENT_MS} -c default_transaction_read_only=on"

ANY_PRIMARY = ("primary",)
STANDBY_FIRST = ("standby", "any")
"""libpq's target_session_attrs, in the order in which all hosts are tried with each.

Not "read-write": that asks for a session that may write, and ours may not."""

Reading = TypeVar("Reading")


class CentreReader(Generic[Reading]):
    """One connection, made again after an error. One thread reads; another may end a reading."""

    def __init__(
        self,
        opening: CourierOpening,
        hosts: tuple[ServerAddress, ...],
        targets: tuple[str, ...],
        read: Callable[[Connection], Reading],
    ) -> None:
        """`hosts`: in order of preference; `targets`: ANY_PRIMARY or STANDBY_FIRST."""
        self._opening = opening
        self._hosts = hosts
        self._targets = targets
        self._read = read
        self._connection: Connection | None = None
        self._lock = Lock()

    def read(self) -> Reading:
        """Read once. Blocks: to connect, as `connect_to_first` does, and then for one answer.

        Raises Unavailable.
        """
        try:
            if self._connection is None:
                self._connection = connect_to_first(
                    self._opening,
                    self._hosts,
                    self._targets,
                    application="banco room",
                    settings=SETTINGS,
                )
            return self._read(self._connection)
        except psycopg.Error as error:
            self.close()
            raise Unavailable(describe_error(error)) from error

    def cut(self) -> None:
        """From another thread: the answer is not waited for any longer; no cancel is sent."""
        with self._lock:
            if self._connection is not None:
                cut_connection(self._connection)

    def close(self) -> None:
        """Close the connection; the next reading makes another."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None
