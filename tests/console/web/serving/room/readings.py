"""Readings of a centre, as a test needs them: one jackpot, its tables, its copies."""

from typing import Any

from console.link.centre.room_reading import (
    CopiesReading,
    CopyReading,
    RoomAward,
    RoomJackpot,
    RoomPart,
    RoomReading,
    RoomTable,
    RoundHeld,
)
from console.link.room_state import RoomState
from jackpot.money.amounts import Cents
from jackpot.money.prizes import PrizeTable

AMOUNT = Cents(1_000_420)
WANTED = "ANY 1 (db1, db2)"
NOON = 1_764_000_000_000
"""The servers' clock when a test begins, ms since 1970."""


def table_of(name: str = "table-1", **changed: Any) -> RoomTable:
    """A table that plays, and was heard at noon."""
    fields: dict[str, Any] = {
        "table": name,
        "joined": True,
        "ended": False,
        "doubted": False,
        "round": 3,
        "stakes": 2,
        "winners": 0,
        "heard": NOON,
        "phase": "PLAYING",
        "faults": (),
        "shown": AMOUNT,
        "outbox": 0,
        "unbooked": 0,
    }
    return RoomTable(**(fields | changed))


def award_of(
    *holds: RoundHeld,
    table: str = "table-1",
    each: Cents = AMOUNT,
    prize_file: PrizeTable | None = None,
) -> RoomAward:
    """A royal flush at a table, pending."""
    parts = (RoomPart(table, 1, "pending"),)
    return RoomAward(1, "ROYAL_FLUSH", each, 1, each, True, parts, holds, None, prize_file)


def room_of(
    *tables: RoomTable,
    amount: Cents = AMOUNT,
    awards: tuple[RoomAward, ...] = (),
    position: int = 100,
    now: int = NOON,
    prize_file: PrizeTable | None = None,
) -> RoomReading:
    """The jackpot "stud", read at a standby."""
    prizes = {"ROYAL_FLUSH": 10_000, "FLUSH": 100}
    jackpot = RoomJackpot("stud", "caribbean-stud", prizes, amount, tables, awards, (), prize_file)
    return RoomReading(position, True, 1, now, (jackpot,), ())


def copies_of(
    position: int = 100, *, wanted: str = WANTED, sync: str = "quorum", flushed: int | None = None
) -> CopiesReading:
    """A primary with one standby, db2."""
    has = position if flushed is None else flushed
    copy = CopyReading(name="db2", state="streaming", sync=sync, flushed=has)
    return CopiesReading(position, wanted, (copy,))


class WatchedRoom:
    """What is known of a centre that is read each second, by a clock of the test's own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.state = RoomState(0.0)

    def read(self, room: RoomReading | None, copies: CopiesReading | None) -> None:
        """A second passes, then both are read; None: no answer."""
        self.now += 1
        if room is None:
            self.state.reader.note(self.now, answered=False)
        else:
            self.state.take_room(room, self.now)
        if copies is None:
            self.state.primary.note(self.now, answered=False)
        else:
            self.state.take_copies(copies, self.now, self.now)
