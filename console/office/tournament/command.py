"""`banco tournament`: the answers of its commands."""

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from console.database.connect import connect_to
from console.link.centre.answering import AnsweredWithWarning
from console.link.centre.jackpot_setup import create_tournament_jackpot
from console.link.centre.limit_wait import limit_wait
from console.link.centre.tournament import CashDesk, DeskAnswer, Level, read_tournaments
from console.office.ledger.exit_status import FAILED, IN_ORDER, UNUSABLE
from console.office.link.two_people import ask_two_people
from console.office.questions import ask_password
from console.office.tournament.texts import (
    describe_booked,
    describe_refusal,
    describe_today,
    render_jackpot,
)
from console.rules.link import CentreBars
from jackpot.failures import Failure
from jackpot.money.amounts import format_cents

WITHIN_S = 10
"""How long a desk waits for an answer."""

NO_JACKPOT = "there is no tournament jackpot: banco tournament begin NAME --base AMOUNT"


def answer(options: Namespace) -> int:
    """Answer a command of `banco tournament`; the exit status (docs/reference/exit-status.md)."""
    try:
        return ANSWERS[options.link](options)
    except CentreBars as error:
        reason = f"{error.barred.value}: this role is no cash desk (banco link join DESK JACKPOT)"
    except AnsweredWithWarning as error:
        reason = f"{error}: type the same command again, it is booked once"
    except (Failure, ValueError) as error:
        reason = str(error)
    print(f"not done: {reason}", file=sys.stderr)
    return UNUSABLE


def _begin(options: Namespace) -> int:
    opening = options.base if options.opening is None else options.opening
    with connect_to(options.centre, ask_password) as connection:
        create_tournament_jackpot(connection, options.name, options.fee, options.base, opening)
    print(
        f"tournament jackpot {options.name}: {format_cents(opening)} EUR, "
        f"base {format_cents(options.base)} EUR, fee {format_cents(options.fee)} EUR"
    )
    return IN_ORDER


def _tell(options: Namespace) -> int:
    with connect_to(options.centre, ask_password) as connection, limit_wait(WITHIN_S):
        given = CALLS[options.link](CashDesk(connection), options)
    if options.json:
        _print_json(given)
    elif given.refusal is not None:
        print(describe_refusal(given.refusal))
    else:
        print(describe_booked(options, given), describe_today(given.today), sep="\n")
    return IN_ORDER if given.refusal is None else FAILED


def _show_status(options: Namespace) -> int:
    with connect_to(options.centre, ask_password) as connection, limit_wait(WITHIN_S):
        jackpots = read_tournaments(connection)
    if options.json:
        _print_json({"jackpots": jackpots})
    elif not jackpots:
        print(NO_JACKPOT)
    else:
        print(*(line for jackpot in jackpots for line in render_jackpot(jackpot)), sep="\n")
    return IN_ORDER


def _print_json(value: Any) -> None:
    print(msgspec.json.encode(value).decode())


CALLS: Mapping[str, Callable[[CashDesk, Namespace], DeskAnswer]] = {
    "day": lambda cashier, options: cashier.begin_day(options.day),
    "level": lambda cashier, options: cashier.set_level(
        options.day, options.tournament, Level(options.level)
    ),
    "fee": lambda cashier, options: cashier.sell_fee(
        options.day, options.tournament, options.ticket
    ),
}
ANSWERS: Mapping[str, Callable[[Namespace], int]] = {
    "begin": _begin,
    **dict.fromkeys(CALLS, _tell),
    "win": ask_two_people,
    "status": _show_status,
}
