"""A bordereau as JSON for other programs (docs/bordereau.md, "JSON"): amounts are exact text."""

import json
from typing import Any

import msgspec

from console.office.bordereau.figures import AwardEntry, Bordereau, CorrectionEntry, When
from console.office.bordereau.words import exact
from console.rules.settings import Settings
from jackpot.accounts import Account
from jackpot.amounts import Cents, format_cents, format_percent

VERSION = 1
"""Of this form; raised when a key changes its meaning or goes."""


def json_of(told: Bordereau) -> str:
    """The whole bordereau, indented, a line feed at its end."""
    return json.dumps(plain(told), indent=2, ensure_ascii=False) + "\n"


def plain(told: Bordereau) -> dict[str, Any]:
    """The same as values JSON knows."""
    return {
        "version": VERSION,
        "night": told.stretch.night,
        "closed": told.stretch.closed,
        "adds_up": not told.differs,
        "differs": list(told.differs),
        "records": {"first": told.first, "last": told.last.seq},
        "hash": told.hash,
        "opened": _when(told.opened),
        "until": _when(told.last),
        "phase": told.phase.value,
        "rounds": {
            "first": told.rounds[0],
            "last": told.rounds[1],
            "opened": told.rounds_opened,
            "with_tokens": told.rounds_staked,
        },
        "settings": [_settings(since, settings) for since, settings in told.settings],
        **_money(told),
        **_happenings(told),
    }


def _money(told: Bordereau) -> dict[str, Any]:
    parts = (Account.JACKPOT, Account.RESERVE, Account.HOUSE)
    return {
        "tokens": {
            "taken": told.money.tokens_taken,
            "returned": told.money.tokens_returned,
            "left": told.money.tokens_left,
            "value": exact(-told.money.contributed(Account.TRAY)),
            **{account.value: exact(told.money.contributed(account)) for account in parts},
        },
        "tray": {
            "counts": msgspec.to_builtins(told.trays),
            "difference": told.difference,
        },
        "accounts": {
            account.value: {
                "opening": exact(told.opening.of(account)),
                "closing": exact(told.closing.of(account)),
            }
            for account in Account
        },
        "movements": [
            {
                "reason": reason.value,
                "count": moved.count,
                "postings": {
                    account.value: exact(moved.of(account))
                    for account in Account
                    if moved.of(account)
                },
            }
            for reason, moved in told.money.rows()
        ],
        "awards": [_award(one) for one in told.awards],
        "corrections": [_correction(one) for one in told.corrections],
    }


def _happenings(told: Bordereau) -> dict[str, Any]:
    return {
        "declarations": msgspec.to_builtins(told.declarations),
        "faults": msgspec.to_builtins(told.faults),
        "service": msgspec.to_builtins(told.services),
        "starts": msgspec.to_builtins(told.starts),
        "entered": dict(told.entered),
        "wrong_pins": dict(told.wrong_pins),
        "refused": dict(told.refused),
        "refused_not_listed": told.forgotten,
        "noticed": dict(told.seen),
        "cards": msgspec.to_builtins(told.cards),
    }


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
    }


def _award(one: AwardEntry) -> dict[str, Any]:
    amounts: dict[str, Cents] = {"reading": one.reading, "each": one.each, "total": one.total}
    return {
        "begun": _when(one.begun),
        "ended": _when(one.ended),
        "outcome": one.fate.value,
        "combination": one.combination.value,
        "winners": one.winners,
        **{name: format_cents(cents) for name, cents in amounts.items()},
        "inspector": one.inspector,
    }


def _correction(one: CorrectionEntry) -> dict[str, Any]:
    return {
        "when": _when(one.when),
        "who": one.who,
        "second": one.second,
        "reason": one.reason,
        "postings": {account.value: exact(units) for account, units in one.moved.items()},
    }
