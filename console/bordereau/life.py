"""The meters of a table's life: what tokens brought, each prize's hits and money, the last wins.

They are added up from the records that the ledger still has; what was archived is in the archives.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from console.bordereau.money_totals import MoneyTotals
from console.bordereau.step import Plain, RecordStep
from console.configuration.person_names import name_people
from console.rules.acts import KINDS, Adopted, AwardVerified
from console.rules.records import settings_in
from console.texts.table_texts import NOT_KNOWN, TableNames, names_of
from jackpot.failures import LedgerCorrupt
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import newest_record, read_records, transactions_since
from jackpot.money.accounts import Account
from jackpot.money.amounts import Cents, format_cents, to_cents
from jackpot.value_mistakes import describe_mistake

Facts = TypeVar("Facts")

MOST_WINS = 25
"""The last wins that a laboratory asks for (docs/reference/laboratory.md, 4.4)."""

ABOUT_AWARDS = '"award-'
"""How the decisions about awards begin in a record."""


class Verified(Struct, frozen=True):
    """Who verified a win by name and PIN, and at which seat."""

    who: str
    seat: int


class LifeWin(Struct, frozen=True):
    """A win that was paid; `each`: what a winner got; `total`: all of it, the envy included."""

    seq: int
    wall: str
    round: int
    combination: str
    winners: int
    each: Cents
    total: Cents
    verified: tuple[Verified, ...] = ()


class PrizeMeter(Struct, frozen=True):
    """How often a prize was won, by how many winners, and what it paid."""

    combination: str
    hits: int = 0
    winners: int = 0
    paid: Cents = Cents(0)

    def after(self, win: LifeWin) -> "PrizeMeter":
        """This meter with one more win."""
        paid = Cents(self.paid + win.total)
        return PrizeMeter(self.combination, self.hits + 1, self.winners + win.winners, paid)


class LifeMeters(Struct, frozen=True):
    """The meters from the first record that is there, `first`, to the newest, `last`."""

    table: str
    first: int
    since: str
    """The first record's label."""
    last: int
    tokens: int
    """Tokens taken, less returned ones."""
    contributions: Mapping[Account, Cents]
    """What the tokens brought to jackpot, reserve and house: the in-meters."""
    paid: Cents
    prizes: tuple[PrizeMeter, ...] = ()
    """In the order of the panel's buttons, then what is no prize any more."""
    wins: tuple[LifeWin, ...] = ()
    """The last ones, the newest first."""
    names: TableNames = NOT_KNOWN
    """What the table calls its combinations, and its currency."""

    @property
    def begins_archived(self) -> bool:
        """Whether older records are in the archive."""
        return self.first > 1

    def plain(self) -> dict[str, Any]:
        """For JSON: amounts as text in whole cents."""
        return {
            "table": self.table,
            "first": self.first,
            "since": self.since,
            "last": self.last,
            "currency": self.names.currency,
            "tokens": self.tokens,
            "contributions": {
                account.value: format_cents(cents) for account, cents in self.contributions.items()
            },
            "paid": format_cents(self.paid),
            "prizes": [
                {**msgspec.to_builtins(one), "paid": format_cents(one.paid)} for one in self.prizes
            ],
            "wins": [
                {
                    **msgspec.to_builtins(win),
                    "table": self.table,
                    "each": format_cents(win.each),
                    "total": format_cents(win.total),
                }
                for win in self.wins
            ],
        }


def read_life(folder: Path, step: Callable[[], None] = lambda: None) -> LifeMeters | None:
    """The meters of this ledger; None for an empty one. `step` is called now and then.

    Raises LedgerUnavailable, LedgerCorrupt, UnreadableRecord.
    """
    with closing(read_records(folder, limit=1)) as records:
        first = next(records, None)
    last = newest_record(folder)
    if first is None or last is None:
        return None
    money = MoneyTotals()
    with closing(transactions_since(folder, 0)) as transactions:
        for transaction in transactions:
            money = money.after(transaction)
            step()
    adopted = newest_record(folder, kind=KINDS[Adopted])
    settings = settings_in(adopted.kind, adopted.body) if adopted is not None else None
    with closing(read_records(folder, containing=ABOUT_AWARDS, limit=-1)) as records:
        wins = list(_wins_in(name_people(records, folder), step))
    names = names_of(settings)
    return LifeMeters(
        table=settings.table if settings is not None else "",
        first=first.seq,
        since=first.wall,
        last=last.seq,
        tokens=money.tokens_left,
        contributions={
            account: to_cents(money.contribution(account))
            for account in (Account.JACKPOT, Account.RESERVE, Account.HOUSE)
        },
        paid=to_cents(money.paid),
        prizes=_meter_prizes([one.combination for one in names.prizes], wins),
        names=names,
        wins=tuple(reversed(wins[-MOST_WINS:])),
    )


def _meter_prizes(names: Iterable[str], wins: Iterable[LifeWin]) -> tuple[PrizeMeter, ...]:
    meters = {name: PrizeMeter(name) for name in names}
    for win in wins:
        meters[win.combination] = meters.get(win.combination, PrizeMeter(win.combination)).after(
            win
        )
    return tuple(meters.values())


def _wins_in(records: Iterable[Record], step: Callable[[], None]) -> Iterable[LifeWin]:
    """Each final award, with those who verified it since the award before ended."""
    verified: list[Verified] = []
    for record in records:
        step()
        act = RecordStep(record, {}, {})
        for decision in act.decisions:
            match decision.get("decision"):
                case AwardVerified.kind:
                    verified.append(_read(record, decision, Verified))
                case "award-cancelled":
                    verified = []
                case "award-final":
                    yield _win_of(record, decision, tuple(verified))
                    verified = []


class _FinalAward(Struct, frozen=True):
    combination: str
    winners: int
    each: int
    envy: int = 0
    others: int = 0


def _win_of(record: Record, decision: Plain, verified: tuple[Verified, ...]) -> LifeWin:
    award = _read(record, decision, _FinalAward)
    return LifeWin(
        record.seq,
        record.wall,
        record.round,
        award.combination,
        award.winners,
        Cents(award.each),
        Cents(award.winners * award.each + award.others * award.envy),
        verified,
    )


def _read(record: Record, decision: Plain, kind: type[Facts]) -> Facts:
    try:
        return msgspec.convert(decision, kind)
    except msgspec.ValidationError as error:
        raise LedgerCorrupt(
            f"record {record.seq}: its award cannot be read: {describe_mistake(error)}"
        ) from error
