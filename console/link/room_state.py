"""What is known of the centre, from its readings, and how old it is. Pure: time is handed in."""

import math
from collections import defaultdict, deque
from collections.abc import Hashable, Iterable

from console.link.centre.room_reading import (
    CopiesReading,
    RoomAward,
    RoomJackpot,
    RoomReading,
    RoomTable,
)
from jackpot.money.amounts import Cents

KEPT_S = 120.0


class PrimaryPositions:
    """Where the primary was, and when. Times are seconds of the monotonic clock."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, int]] = deque()

    def add(self, asked_at: float, position: int) -> None:
        """The primary, asked then, was here: what was answered before is not behind it.

        A position that is lower is another history's, after a restore.
        """
        if self._marks and position < self._marks[-1][1]:
            self._marks.clear()
        self._marks.append((asked_at, position))
        while self._marks[0][0] < asked_at - KEPT_S:
            self._marks.popleft()

    def find_lag(self, position: int) -> float | None:
        """How long the primary had been beyond this position when it was last asked.

        None: longer than anybody remembers.
        """
        reached = self.find_time(position)
        return None if reached is None else self._marks[-1][0] - reached

    def find_time(self, position: int) -> float | None:
        """All that was answered before this time is at this position; None: nobody knows."""
        reached = [asked_at for asked_at, at in self._marks if at <= position]
        return reached[-1] if reached else None


class Ages:
    """How long something has been as it is. Times are seconds of the monotonic clock."""

    def __init__(self) -> None:
        self._since: dict[Hashable, tuple[int, float]] = {}

    def note(self, what: Hashable, label: int, label_now: int, now: float) -> None:
        """It has this label, ms since 1970; `label_now`: by the same kind of clock, now.

        Only what is seen for the first time is as old as its label says.
        """
        known = self._since.get(what)
        if known is None:
            self._since[what] = label, now - max(0.0, (label_now - label) / 1000)
        elif known[0] != label:
            self._since[what] = label, now

    def find_age(self, what: Hashable, now: float) -> float:
        """In seconds. Raises KeyError."""
        return now - self._since[what][1]

    def keep_only(self, what: Iterable[Hashable]) -> None:
        """Forget all others."""
        kept = set(what)
        self._since = {key: since for key, since in self._since.items() if key in kept}


RECENT_S = 5.0
"""A table may show an amount that the jackpot had so long ago."""

ODD_S = 3.0
"""A reading each second misses amounts: a table that shows another one is given time."""


LEAST_WATCHED_S = 600.0
"""Of less nothing is told by the hour."""

HOUR_S = 3600.0


class Growth:
    """What tokens have put into a jackpot lately. Times are seconds of the monotonic clock."""

    def __init__(self, now: float) -> None:
        self._began = now
        self._grown: deque[tuple[float, int]] = deque()
        self._before: RoomJackpot | None = None

    def note(self, jackpot: RoomJackpot, now: float) -> None:
        """It has been read. What an award moves is no growth."""
        before, self._before = self._before, jackpot
        if before is not None and not _has_award_between(before, jackpot):
            grown = jackpot.amount - before.amount
            if grown > 0:
                self._grown.append((now, grown))
        while self._grown and self._grown[0][0] < now - HOUR_S:
            self._grown.popleft()

    def by_the_hour(self, now: float) -> Cents | None:
        """Of the last hour, or of the time since the room began; None before 10 min of it."""
        watched = min(now - self._began, HOUR_S)
        if watched < LEAST_WATCHED_S:
            return None
        return Cents(round(sum(grown for _, grown in self._grown) * HOUR_S / watched))


def _has_award_between(before: RoomJackpot, after: RoomJackpot) -> bool:
    return bool(before.awards or after.awards) or before.finals != after.finals


class Answering:
    """Whether a server answers: since when it has been silent."""

    def __init__(self, now: float) -> None:
        self.silent_since: float | None = now

    def note(self, now: float, *, answered: bool) -> None:
        """It has answered, or failed to."""
        if answered:
            self.silent_since = None
        elif self.silent_since is None:
            self.silent_since = now


class RoomState:
    """The newest readings. Times are seconds of the monotonic clock."""

    def __init__(self, now: float) -> None:
        self.room: RoomReading | None = None
        self.copies: CopiesReading | None = None
        self.ages = Ages()
        self.reader = Answering(now)
        self.primary = Answering(now)
        self.servers: list[Answering] = []
        """Each as a primary: a standby is silent."""
        self.positions = PrimaryPositions()
        self._began = self._read_at = now
        self._confirmed = 0
        self._odd_since: dict[str, float] = {}
        self._amounts: defaultdict[str, deque[tuple[float, Cents]]] = defaultdict(deque)
        self._growth: dict[str, Growth] = {}

    def take_room(self, reading: RoomReading, now: float) -> None:
        """Jackpots and tables have been read."""
        self.room, self._read_at = reading, now
        self.reader.note(now, answered=True)
        for jackpot in reading.jackpots:
            self._growth.setdefault(jackpot.jackpot, Growth(now)).note(jackpot, now)
            recent = self._amounts[jackpot.jackpot]
            recent.append((now, jackpot.amount))
            while recent[0][0] < now - RECENT_S:
                recent.popleft()
        self._note_ages(reading, now)
        self._note_odd(reading, now)

    def take_copies(self, reading: CopiesReading, asked_at: float, now: float) -> None:
        """The primary has answered; it was asked at `asked_at`."""
        self.primary.note(now, answered=True)
        set_back = self.copies is not None and reading.position < self.copies.position
        self._confirmed = max(0 if set_back else self._confirmed, reading.confirmed)
        self.copies = reading
        self.positions.add(asked_at, reading.position)

    def growth_of(self, jackpot: str, now: float) -> Cents | None:
        """What tokens put into this jackpot in an hour; None: not known yet."""
        growth = self._growth.get(jackpot)
        return None if growth is None else growth.by_the_hour(now)

    @property
    def primaries(self) -> int:
        """How many servers take writes, as far as they were asked."""
        return sum(server.silent_since is None for server in self.servers)

    def silent_for(self, now: float) -> float:
        """How old the jackpots' amounts may be: no younger stake is missing from them.

        What is read counts as far as the primary had got, and as far as a standby has it on its
        disk: nothing else has been answered to a table.
        """
        since = None
        if self.room is not None and self.copies is not None:
            since = self.positions.find_time(min(self.room.position, self._confirmed))
        return now - (self._began if since is None else since)

    def is_known(self, now: float, within_s: float) -> bool:
        """Whether the amounts are no older than that."""
        return self.room is not None and self.silent_for(now) <= within_s

    def read_ago(self, now: float) -> int:
        """How long ago the room was read, in milliseconds."""
        return round((now - self._read_at) * 1000)

    def differs(self, table: RoomTable, now: float) -> bool:
        """Whether the table has shown for `ODD_S` what the jackpot has not been lately."""
        return now - self._odd_since.get(table.table, now) >= ODD_S

    def _is_odd(self, jackpot: RoomJackpot, table: RoomTable) -> bool:
        """Whether it shows what the jackpot has not been lately, and no award of its own."""
        if table.shown is None:
            return False
        recent = [amount for _, amount in self._amounts[jackpot.jackpot]]
        if min(recent) <= table.shown <= max(recent):
            return False
        own = (award for award in (*jackpot.awards, *jackpot.finals) if _is_in(table, award))
        return all(award.each != table.shown for award in own)

    def beat_age(self, table: RoomTable, now: float) -> int | None:
        """Seconds since its last beat; None: it has never been heard."""
        return None if table.heard is None else self._age(("beat", table.table), now)

    def hold_age(self, jackpot: str, award: int, table: str, now: float) -> int:
        """Seconds for which this round has held the award."""
        return self._age(("hold", jackpot, award, table), now)

    def _note_odd(self, reading: RoomReading, now: float) -> None:
        odd = [
            table.table
            for jackpot in reading.jackpots
            for table in jackpot.tables
            if self._is_odd(jackpot, table)
        ]
        self._odd_since = {name: self._odd_since.get(name, now) for name in odd}

    def _age(self, what: tuple[object, ...], now: float) -> int:
        return max(0, math.floor(self.ages.find_age(what, now)))

    def _note_ages(self, reading: RoomReading, now: float) -> None:
        labels: dict[tuple[object, ...], int] = {}
        for jackpot in reading.jackpots:
            for table in jackpot.tables:
                if table.heard is not None:
                    labels["beat", table.table] = table.heard
            for award in jackpot.awards:
                for hold in award.holds:
                    labels["hold", jackpot.jackpot, award.number, hold.table] = hold.since
        for what, label in labels.items():
            self.ages.note(what, label, reading.now, now)
        self.ages.keep_only(labels)


def _is_in(table: RoomTable, award: RoomAward) -> bool:
    return any(part.table == table.table for part in award.parts)
