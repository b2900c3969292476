"""A bordereau as JSON, with amounts as exact text (docs/reference/bordereau.md, "JSON")."""

import json
from typing import Any

import msgspec
from msgspec import UnsetType

from console.bordereau.figures import (
    AwardEntry,
    Bordereau,
    CorrectionEntry,
    NotStamped,
    TimeStamp,
    When,
    add_up_prizes,
)
from console.bordereau.money_totals import MoneyTotals
from console.bordereau.words import exact
from console.rules.poker_settings import PokerSettings
from console.rules.settings import Settings
from jackpot.money.accounts import Account, accounts_of
from jackpot.money.amounts import Cents, format_cents, format_percent
from jackpot.money.prize_file import write_prize
from jackpot.money.prizes import PrizeTable

VERSION = 1
"""The version of this format: raised when a key goes or changes its meaning."""


def json_of(report: Bordereau) -> str:
    """The whole bordereau, indented, a line feed at its end."""
    return json.dumps(plain(report), indent=2, ensure_ascii=False) + "\n"


def plain(report: Bordereau) -> dict[str, Any]:
    """The bordereau as values for JSON."""
    return {
        "version": VERSION,
        "simulated": report.simulated,
        "night": report.stretch.night,
        "closed": report.stretch.closed,
        "adds_up": not report.differs,
        "differs": list(report.differs),
        "records": {"first": report.first, "last": report.last.seq},
        "hash": report.hash,
        **_stamp(report.stamp),
        "signed": msgspec.to_builtins(report.signed),
        "opened": _when(report.opened),
        "until": _when(report.last),
        "phase": report.phase.value,
        "rounds": {
            "first": report.rounds[0],
            "last": report.rounds[1],
            "opened": report.rounds_opened,
            "with_tokens": report.rounds_staked,
        },
        "settings": [_settings(since, settings) for since, settings in report.settings],
        **_money(report),
        **_by_currency(report),
        **_prizes(report),
        **_happenings(report),
    }


def _stamp(stamp: TimeStamp | NotStamped | None) -> dict[str, Any]:
    """A reply is text in base64."""
    return {} if stamp is None else {"time_stamp": msgspec.to_builtins(stamp)}


def _money(report: Bordereau) -> dict[str, Any]:
    return {
        "tokens": _tokens(report.money),
        "tray": {
            "counts": msgspec.to_builtins(report.trays),
            "difference": report.difference,
        },
        "accounts": {
            account.value: {
                "opening": exact(report.opening.of(account)),
                "closing": exact(report.closing.of(account)),
            }
            for account in accounts_of(report.opening, report.closing)
        },
        "movements": _movements(report.money),
        "awards": [_award(one) for one in report.awards],
        "corrections": [_correction(one) for one in report.corrections],
    }


def _tokens(money: MoneyTotals) -> dict[str, Any]:
    parts = (Account.JACKPOT, Account.RESERVE, Account.HOUSE)
    return {
        "taken": money.tokens_taken,
        "returned": money.tokens_returned,
        "left": money.tokens_left,
        "value": exact(-money.contribution(Account.TRAY)),
        **{account.value: exact(money.contribution(account)) for account in parts},
    }


def _movements(money: MoneyTotals) -> list[dict[str, Any]]:
    return [
        {
            "reason": reason.value,
            "count": moved.count,
            "postings": {
                account.value: exact(moved.of(account)) for account in Account if moved.of(account)
            },
        }
        for reason, moved in money.rows()
    ]


def _by_currency(report: Bordereau) -> dict[str, Any]:
    """Tokens and movements of each currency, of a night with more than one."""
    if len(report.currencies) == 1:
        return {}
    moved = {
        currency: {"tokens": _tokens(money), "movements": _movements(money)}
        for currency, money in report.by_currency.items()
    }
    return {"by_currency": moved}


def _happenings(report: Bordereau) -> dict[str, Any]:
    return {
        "declarations": msgspec.to_builtins(report.declarations),
        "faults": msgspec.to_builtins(report.faults),
        "service": msgspec.to_builtins(report.services),
        "starts": msgspec.to_builtins(report.starts),
        "configurations": [
            {"since": _when(since), "sha256": sha256 or None}
            for since, sha256 in report.configurations
        ],
        **_releases(report),
        "entered": dict(report.entered),
        "wrong_pins": dict(report.wrong_pins),
        "refused": dict(report.refused),
        "refused_not_listed": report.forgotten,
        "noticed": dict(report.noticed),
        "cards": msgspec.to_builtins(report.cards),
        **_poker(report),
    }


def _releases(report: Bordereau) -> dict[str, Any]:
    found = [
        {"since": _when(since), "version": release.version, "sha256": release.digest}
        for since, release in report.releases
    ]
    return {"releases": found} if found else {}


def _poker(report: Bordereau) -> dict[str, Any]:
    """Of a poker table only."""
    poker = report.poker
    if poker is None:
        return {}
    drops = [
        {
            "when": _when(one.when),
            "who": one.who,
            **{name: format_cents(getattr(one, name)) for name in COUNT},
        }
        for one in poker.drops
    ]
    plain = msgspec.to_builtins(poker)
    return {
        "poker": {
            **plain,
            "pots": format_cents(poker.pots),
            "rake": exact(report.rake),
            "drops": drops,
        }
    }


COUNT = ("counted", "expected", "difference")


def _when(when: When | None) -> dict[str, Any] | None:
    return None if when is None else {"seq": when.seq, "wall": when.wall, "round": when.round}


def _settings(since: When | None, settings: Settings) -> dict[str, Any]:
    money = settings.money
    return {
        "since": _when(since),
        "version": settings.version,
        "table": settings.table,
        "game": settings.game,
        "token": format_cents(money.token),
        "to_jackpot": format_percent(money.to_jackpot),
        "to_reserve": format_percent(money.to_reserve),
        "opening": format_cents(money.opening),
        "base": format_cents(money.base),
        "inspector_fitted": settings.inspector_fitted,
        **_poker_settings(settings.poker),
        **_prize_file(settings.prizes),
        **({"link": settings.link} if isinstance(settings.link, str) else {}),
    }


def _poker_settings(poker: PokerSettings | UnsetType) -> dict[str, Any]:
    if not isinstance(poker, PokerSettings):
        return {}
    return {"form": poker.form.value, "house": poker.house.value, "hole": poker.hole}


def _prize_file(prizes: PrizeTable | UnsetType) -> dict[str, Any]:
    """Its currency and limit, and what each prize pays in the words of the file."""
    if not isinstance(prizes, PrizeTable):
        return {}
    return {
        "currency": prizes.currency,
        "limit": format_cents(prizes.limit) if prizes.limit is not None else None,
        "prizes": [write_prize(prize) for prize in prizes.prizes],
    }


def _award(one: AwardEntry) -> dict[str, Any]:
    amounts: dict[str, Cents] = {"reading": one.reading, "each": one.each, "total": one.total}
    return {
        "begun": _when(one.begun),
        "ended": _when(one.ended),
        "outcome": one.status.value,
        "combination": one.combination,
        "winners": one.winners,
        **{name: format_cents(cents) for name, cents in amounts.items()},
        "inspector": one.inspector,
        **_envy(one),
    }


def _envy(one: AwardEntry) -> dict[str, Any]:
    """Of a prize file's award only."""
    if one.prize is None:
        return {}
    each = one.envy and {"seats": one.envy.seats, "each": format_cents(one.envy.each)}
    return {"envy": each, "by_house": format_cents(one.by_house)}


def _prizes(report: Bordereau) -> dict[str, Any]:
    """What the final awards paid, by prize; of a table with a prize file only."""
    if not report.has_prize_file:
        return {}
    mixed = len(report.currencies) > 1
    rows = (
        {
            "combination": row.combination,
            "envy": row.is_envy,
            "paid_to": row.paid_to,
            "jackpot": format_cents(row.by_jackpot),
            "house": format_cents(row.by_house),
            **({"currency": row.currency} if mixed else {}),
        }
        for row in add_up_prizes(report)
    )
    return {"currency": report.currency, "prizes": list(rows)}


def _correction(one: CorrectionEntry) -> dict[str, Any]:
    return {
        "when": _when(one.when),
        "who": one.who,
        "second": one.second,
        "reason": one.reason,
        "postings": {account.value: exact(units) for account, units in one.moved.items()},
    }
