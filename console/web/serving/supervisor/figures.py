"""Rounds, money and the jackpot's course, counted from the record for the supervisor's page.

A tally is of a night or another stretch: read once, then only what is new, by one thread
(`reading_thread.py`). A closed night never changes; of the one that is open, and of a stretch that
was not read to its end within one answer, the next answer goes on where this one was. Three sorts
of records count: buttons, what moves money, and what `happenings.py` notes. Amounts are in units
and times are the clock's labels; they become text only for the page, and a plot has at most as many
points as it can show.
"""

import heapq
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from console.bordereau.figures import RecordRange
from console.bordereau.money_totals import MoneyTotals
from console.bordereau.nights import Night, nights
from console.configuration.person_names import name_people
from console.rules.acts import KINDS, Started
from console.rules.structs import replace
from console.web.serving.supervisor.happenings import NOTED, Happenings
from console.web.serving.supervisor.reading_thread import Limit
from devices.roles import Button, ButtonPressed
from jackpot.failures import Refused
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import newest_record
from jackpot.ledger.selection import Selection, select_records
from jackpot.money.accounts import Account, Transaction
from jackpot.money.amounts import Units, format_cents, to_cents

BUTTON = KINDS[ButtonPressed]
STARTED = KINDS[Started]

MOST_ROUNDS = 2_000
"""The most rounds of one stretch; the newest are kept."""

MOST_POINTS = 20_000
"""The most points of the jackpot in one stretch; the newest are kept."""

LONGEST_HAND_MS = 30 * 60 * 1000
"""A longer time is a pause or the end of the night, not a hand."""

MOST_SHOWN = 2_000
"""The most points of one plot."""

MOST_NIGHTS = 31
"""The most nights in the list; `banco report --night` has older ones."""

KEPT = 12
"""The most tallies that are kept."""


class RoundFigures(Struct, frozen=True):
    """One round."""

    number: int
    opened: str
    """The label of GAME OVER."""
    closed: str = ""
    """The label of the first COIN IN that was done; empty: none yet."""
    hand_ms: int | None = None
    """From COIN IN to the next GAME OVER.

    None: not over yet, the service was started in between, or longer than a hand can take.
    """
    tokens: int = 0
    """Accepted tokens minus returned ones."""
    awards: int = 0
    paid: int = 0
    """Units of its final awards."""
    drop: int = 0
    """Units of its accepted tokens, less returned ones."""
    jackpot: int | None = None
    """Units at its end; None: not known yet."""

    def plain(self) -> dict[str, Any]:
        """As the page reads it: amounts are whole cents `12.50`, the hand is in seconds."""
        return {
            "round": self.number,
            "opened": self.opened,
            "closed": self.closed,
            "hand_s": None if self.hand_ms is None else round(self.hand_ms / 1000, 1),
            "tokens": self.tokens,
            "awards": self.awards,
            "paid": format_account(self.paid),
            "jackpot": None if self.jackpot is None else format_account(self.jackpot),
        }


class Point(Struct, frozen=True):
    """The jackpot, in units, after a record; what is being checked is still of it."""

    wall: str
    units: int


class _Closing(Struct, frozen=True):
    """A COIN IN that was done: the start of the service, and the time on its clock."""

    boot: int
    at_ms: int


class Tally:
    """A stretch's figures so far; records are taken in their order, each once.

    `seen`: the last record taken. `dropped`: rounds that are no longer kept, since newer ones came.
    """

    def __init__(self, after: int, most_rounds: int = MOST_ROUNDS) -> None:
        self._most_rounds = most_rounds
        self.seen = after
        self.dropped = 0
        self.jackpot: deque[Point] = deque(maxlen=MOST_POINTS)
        self._rounds: deque[RoundFigures] = deque()
        self._closing: _Closing | None = None
        self.money = MoneyTotals()
        self.happenings = Happenings()
        self._money_of_round = MoneyTotals()

    @property
    def rounds(self) -> tuple[RoundFigures, ...]:
        """The rounds, oldest first."""
        return tuple(self._rounds)

    def take(self, records: Iterable[Record]) -> None:
        """Add records, in order."""
        for record in records:
            self.seen = record.seq
            if record.kind == BUTTON and record.body.get("outcome") == "done":
                self._add_press(record)
            for transaction in record.transactions:
                self._add_transaction(record, transaction)
            if record.transactions:
                self._jackpot_after(record)
            self.happenings.take(record)

    def _add_press(self, record: Record) -> None:
        act = record.body.get("act")
        button = act.get("button") if isinstance(act, Mapping) else None
        if button == Button.GAME_OVER.value:
            self._end_hand(record)
            self._closing = None
            self._begin(record)
        elif button == Button.COIN_IN.value and self._closing is None:
            self._closing = _Closing(record.boot, record.at_ms)
            self._change(record, closed=record.wall)

    def _begin(self, record: Record) -> None:
        jackpot = self.jackpot[-1].units if self.jackpot else None
        self._money_of_round = MoneyTotals()
        self._rounds.append(RoundFigures(record.round, record.wall, jackpot=jackpot))
        if len(self._rounds) > self._most_rounds:
            self._rounds.popleft()
            self.dropped += 1

    def _end_hand(self, record: Record) -> None:
        closing = self._closing
        if closing is None or closing.boot != record.boot or not self._rounds:
            return
        taken = record.at_ms - closing.at_ms
        if 0 <= taken <= LONGEST_HAND_MS:
            self._rounds[-1] = replace(self._rounds[-1], hand_ms=taken)

    def _add_transaction(self, record: Record, transaction: Transaction) -> None:
        self.money = self.money.after(transaction)
        if self._rounds and self._rounds[-1].number == record.round:
            of_round = self._money_of_round = self._money_of_round.after(transaction)
            self._change(
                record,
                tokens=of_round.tokens_left,
                awards=of_round.awards,
                paid=of_round.paid,
                drop=of_round.drop,
            )

    def _jackpot_after(self, record: Record) -> None:
        changes = record.body.get("changes")
        balances = changes.get("balances") if isinstance(changes, Mapping) else None
        if not isinstance(balances, Mapping):
            return
        units, checked = (balances.get(one.value) for one in (Account.JACKPOT, Account.PENDING))
        if isinstance(units, int) and isinstance(checked, int):
            self.jackpot.append(Point(record.wall, units + checked))
            self._change(record, jackpot=units + checked)

    def _change(self, record: Record, **changed: Any) -> None:
        if self._rounds and self._rounds[-1].number == record.round:
            self._rounds[-1] = replace(self._rounds[-1], **changed)


def format_account(units: int) -> str:
    """Whole cents of an account, rounded towards minus infinity: `12345.67`."""
    return format_cents(to_cents(Units(units)))


def plot_columns(rounds: Sequence[RoundFigures], jackpot: Iterable[Point]) -> dict[str, Any]:
    """The columns of three plots. A point for several rounds has the first number and the mean.

    `jackpot`: `at` in seconds since 1970, `cents`. `stakes`: tokens by round; `hands`: seconds by
    round. `at` of a round is when it was opened. `rounds_a_point`: 1, unless there are too many.
    """
    step = max(1, -(-len(rounds) // MOST_SHOWN))
    parts = [rounds[at : at + step] for at in range(0, len(rounds), step)]
    return {
        "rounds_a_point": step,
        "jackpot": jackpot_columns(jackpot),
        "stakes": _by_round(parts, lambda one: one.tokens if one.closed else None),
        "hands": _by_round(parts, lambda one: None if one.hand_ms is None else one.hand_ms / 1000),
    }


def seconds_of(wall: str) -> float | None:
    """A label as seconds since 1970; None if it is not a time."""
    try:
        return round(datetime.fromisoformat(wall).timestamp(), 3)
    except (ValueError, OverflowError):
        return None


def thin_out(points: Sequence[tuple[float, int]], most: int) -> Iterator[tuple[float, int]]:
    """At most `most` points, in time; the lowest and the highest of each part are kept."""
    if len(points) <= most:
        yield from points
        return
    size = -(-len(points) // (most // 2))
    for at in range(0, len(points), size):
        part = points[at : at + size]
        low = min(range(len(part)), key=lambda one: part[one][1])
        high = max(range(len(part)), key=lambda one: part[one][1])
        yield from (part[one] for one in sorted({low, high}))


def jackpot_columns(points: Iterable[Point], most: int = MOST_SHOWN) -> dict[str, Any]:
    """`at` in seconds since 1970, `cents`; at most so many points."""
    known = [
        (at, to_cents(one.units)) for one in points if (at := seconds_of(one.wall)) is not None
    ]
    known.sort(key=lambda point: point[0])  # a clock set back must not make a plot run backwards
    shown = list(thin_out(known, most))
    return {"at": [at for at, _ in shown], "cents": [cents for _, cents in shown]}


def _by_round(
    parts: Iterable[Sequence[RoundFigures]], value: Callable[[RoundFigures], float | None]
) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {"round": [], "at": [], "value": []}
    for part in parts:
        values = [one for one in map(value, part) if one is not None]
        if values:
            columns["round"].append(part[0].number)
            columns["at"].append(seconds_of(part[0].opened))
            columns["value"].append(round(sum(values) / len(values), 2))
    return columns


class Tallies:
    """The tallies of one ledger's stretches, as far as they have been read."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int], Tally] = OrderedDict()
        self._nights: tuple[int, tuple[Night, ...]] = (0, ())

    def nights(self, folder: Path, limit: Limit) -> tuple[Night, ...]:
        """The newest nights, the newest first; searched only once for each head of the ledger."""
        head = head_of(folder)
        if self._nights[0] != head:
            self._nights = head, tuple(islice(nights(folder, limit.step), MOST_NIGHTS))
        return self._nights[1]

    def night(self, folder: Path, first: int | None, limit: Limit) -> Night:
        """The night whose first round this is; None: the newest. Raises Refused."""
        for night in self.nights(folder, limit):
            if first is None or night.rounds[0] == first:
                return night
        raise Refused("no such night is on record")

    def tally(self, folder: Path, stretch: RecordRange, limit: Limit) -> tuple[Tally, bool]:
        """A stretch's figures, and whether it was read to its end."""
        key = stretch.after, stretch.last if not _goes_on(stretch) else 0
        tally = self._kept.pop(key, None) or Tally(stretch.after)
        try:
            return tally, _continue_tally(folder, tally, stretch.last, limit)
        finally:  # an interrupted one continues the next time
            self._kept[key] = tally
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def _goes_on(stretch: RecordRange) -> bool:
    return stretch.night and not stretch.closed


def head_of(folder: Path) -> int:
    """The newest record's number; 0: there is none."""
    newest = newest_record(folder)
    return newest.seq if newest is not None else 0


def _continue_tally(folder: Path, tally: Tally, last: int, limit: Limit) -> bool:
    """Add the records after those added before; whether the last one was reached."""
    if tally.seen >= last:
        return True
    with (
        closing(
            select_records(folder, Selection(kinds=(BUTTON, STARTED), after=tally.seen))
        ) as pressed,
        closing(select_records(folder, Selection(moving=True, after=tally.seen))) as moving,
        closing(select_records(folder, Selection(containing=NOTED, after=tally.seen))) as noted,
    ):
        records = name_people(_merge(pressed, moving, noted), folder)
        tally.take(_take_until(records, last, limit))
    if limit.left <= 0:
        return False
    tally.seen = last
    return True


def _take_until(records: Iterator[Record], last: int, limit: Limit) -> Iterator[Record]:
    """The records up to the last one, as many as may still be read."""
    while limit.left > 0:
        record = next(records, None)
        if record is None or record.seq > last:
            return
        yield record
        limit.step()


def _merge(*sources: Iterator[Record]) -> Iterator[Record]:
    """Each record once, in order: a button that moves money comes from both."""
    seen = 0
    for record in heapq.merge(*sources, key=lambda one: one.seq):
        if record.seq > seen:
            seen = record.seq
            yield record


def rounds_of(tallies: Sequence[Tally]) -> list[RoundFigures]:
    """The rounds of several stretches, in the order of the stretches."""
    return [one for tally in tallies for one in tally.rounds]
