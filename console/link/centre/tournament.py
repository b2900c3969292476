"""The tournament jackpot, as a cash desk and its page see it.

docs/reference/link-rules.md, section 6.
"""

from datetime import date
from enum import StrEnum

import msgspec
from msgspec import Struct
from psycopg import Connection
from psycopg.rows import dict_row

from console.link.centre.postgres_calls import AnsweringCentre
from jackpot.money.amounts import Cents

TOURNAMENT = "tournament"
"""The game of a tournament jackpot."""


class Level(StrEnum):
    """How far a tournament is: `LATE` is from level 2 to the end of late registration."""

    FIRST = "1"
    LATE = "2"
    OVER = "over"


class TournamentRefusal(StrEnum):
    """Why the centre does not do what a cash desk says."""

    DAY_OVER = "DAY_OVER"
    DAY_NOT_BEGUN = "DAY_NOT_BEGUN"
    DAY_FAR_AHEAD = "DAY_FAR_AHEAD"
    TOURNAMENT_RUNNING = "TOURNAMENT_RUNNING"
    NO_TOURNAMENT = "NO_TOURNAMENT"
    LEVEL_OVER = "LEVEL_OVER"
    WON_TODAY = "WON_TODAY"


class TournamentWin(Struct, frozen=True):
    """The day's win. `level`: its hand's; `share`: basis points of `reading`; amounts in cents."""

    tournament: str
    ticket: str
    level: Level
    share: int
    reading: Cents
    amount: Cents


class Tournament(Struct, frozen=True):
    """A tournament of the day. `share`: of a win now, in basis points; `fees`: how many it has."""

    tournament: str
    level: Level
    share: int
    fees: int


class TournamentJackpot(Struct, frozen=True):
    """A tournament jackpot. Amounts in cents; `day`: None before the first; `fees`: of the day."""

    jackpot: str
    amount: Cents
    base: Cents
    fee: Cents
    day: date | None
    fees: int
    win: TournamentWin | None
    tournaments: tuple[Tournament, ...]


class DeskAnswer(Struct, frozen=True):
    """What the centre answers. `again`: it was there already, with this refusal, of `cash_desk`.

    `n`: the number of that desk's entry.
    """

    n: int
    cash_desk: str
    refusal: TournamentRefusal | None
    again: bool
    today: TournamentJackpot


class CashDesk:
    """A cash desk's calls, each known by what it says: told again, it is not booked again.

    Raises CentreBars; psycopg.Error and AnsweredWithWarning are no answers: tell it again.
    """

    def __init__(self, connection: Connection) -> None:
        self._centre = AnsweringCentre(connection)

    def begin_day(self, day: date) -> DeskAnswer:
        """The next day begins; the jackpot is raised to its base.

        Not more than 2 days after the centre's date: no day comes back.
        """
        return self._tell("day", day=day)

    def set_level(self, day: date, tournament: str, level: Level) -> DeskAnswer:
        """The tournament is at this level; the first one begins it."""
        return self._tell("level", day=day, tournament=tournament, level=level)

    def sell_fee(self, day: date, tournament: str, ticket: str) -> DeskAnswer:
        """A ticket takes part in the jackpot."""
        return self._tell("fee", day=day, tournament=tournament, ticket=ticket)

    def _tell(self, call: str, **what: date | str) -> DeskAnswer:
        return msgspec.convert(self._centre.ask(call, {"call": call, **what}), DeskAnswer)


def read_tournaments(connection: Connection) -> tuple[TournamentJackpot, ...]:
    """All tournament jackpots. Raises psycopg.Error."""
    row = connection.execute("SELECT link.read_tournaments()").fetchone()
    return msgspec.convert(row[0] if row else [], tuple[TournamentJackpot, ...])


def read_win_share(connection: Connection, jackpot: str, level: str) -> tuple[Cents, int]:
    """The reading, and a win's share at this level, in basis points. Raises psycopg.Error."""
    row = connection.execute(
        "SELECT coalesce((prizes ->> %s)::integer, 0) FROM link.jackpot WHERE id = %s",
        (level, jackpot),
    ).fetchone()
    (reading,) = (one.amount for one in read_tournaments(connection) if one.jackpot == jackpot)
    return reading, row[0] if row else 0


def read_win(connection: Connection, jackpot: str, day: str) -> TournamentWin | None:
    """The day's win, if there is one. Raises psycopg.Error."""
    with connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(
            "SELECT tournament, ticket, level, share, reading, amount FROM link.tournament_win "
            "WHERE jackpot_id = %s AND day = %s",
            (jackpot, day),
        ).fetchone()
    return msgspec.convert(row, TournamentWin) if row else None


def was_told_before(connection: Connection, jackpot: str, proposal: int) -> bool:
    """Whether this proposal told a win that was booked before it. Raises psycopg.Error."""
    row = connection.execute(
        "SELECT EXISTS (SELECT FROM link.act WHERE jackpot_id = %s AND kind = 'win-again' "
        "AND (details ->> 'proposal')::bigint = %s)",
        (jackpot, proposal),
    ).fetchone()
    return row is not None and bool(row[0])
