"""The figures of a stretch of the record: its rounds, what moved, and the jackpot's course.

Only two sorts of records count: buttons, and what moves money. Amounts are in units and times are
the clock's labels; they become text only for the page.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from console.bordereau.money_totals import MoneyTotals
from console.rules.acts import KINDS
from console.rules.structs import replace
from devices.roles import Button, ButtonPressed
from jackpot.ledger.journal import Record
from jackpot.money.accounts import Account, Transaction
from jackpot.money.amounts import Units, format_cents, to_cents

BUTTON = KINDS[ButtonPressed]

MOST_ROUNDS = 2_000
"""The most rounds of one stretch; the newest are kept."""

MOST_POINTS = 20_000
"""The most points of the jackpot in one stretch; the newest are kept."""

LONGEST_HAND_MS = 30 * 60 * 1000
"""A longer time is a pause or the end of the night, not a hand."""


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
                record, tokens=of_round.tokens_left, awards=of_round.awards, paid=of_round.paid
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
