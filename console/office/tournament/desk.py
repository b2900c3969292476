"""What a cash desk tells the centre of a tournament jackpot."""

from collections.abc import Callable
from datetime import date
from typing import Any

import msgspec
from msgspec import Struct

from console.database.connect import connect_to
from console.link.centre.jackpot_setup import create_tournament_jackpot
from console.link.centre.limit_wait import limit_wait
from console.link.centre.tournament import CashDesk, DeskAnswer, Level, read_tournaments
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.questions import ask_password
from console.office.tournament.texts import (
    describe_booked,
    describe_level,
    describe_refusal,
    describe_today,
    render_jackpot,
)
from jackpot.money.amounts import Cents, format_cents

WITHIN_S = 10
"""How long a desk waits for an answer."""

NO_JACKPOT = "there is no tournament jackpot: banco tournament begin NAME --base AMOUNT"


class DeskPlace(Struct, frozen=True):
    """The cash desk's connection to the centre, and how it is answered."""

    centre: str
    as_json: bool


def begin_tournament_jackpot(
    centre: str, name: str, *, fee: Cents, base: Cents, opening: Cents
) -> int:
    """Begin a tournament jackpot; the exit status.

    Raises DatabaseUnusable, CentreBars, AnsweredWithWarning, ValueError, as all here do.
    """
    with connect_to(centre, ask_password) as connection:
        create_tournament_jackpot(connection, name, fee, base, opening)
    print(
        f"tournament jackpot {name}: {format_cents(opening)} EUR, "
        f"base {format_cents(base)} EUR, fee {format_cents(fee)} EUR"
    )
    return IN_ORDER


def begin_day(place: DeskPlace, day: date) -> int:
    """Begin the next day; the exit status."""
    return _tell(place, lambda cashier: cashier.begin_day(day), f"the day {day} has begun")


def set_level(place: DeskPlace, day: date, tournament: str, level: Level) -> int:
    """Say how far a tournament is; the exit status."""
    what = describe_level(tournament, level)
    return _tell(place, lambda cashier: cashier.set_level(day, tournament, level), what)


def sell_fee(place: DeskPlace, day: date, tournament: str, ticket: str) -> int:
    """Book a ticket's fee; the exit status."""
    what = f"ticket {ticket} takes part in {tournament}"
    return _tell(place, lambda cashier: cashier.sell_fee(day, tournament, ticket), what, pays=True)


def _tell(
    place: DeskPlace, call: Callable[[CashDesk], DeskAnswer], what: str, *, pays: bool = False
) -> int:
    with connect_to(place.centre, ask_password) as connection, limit_wait(WITHIN_S):
        given = call(CashDesk(connection))
    if place.as_json:
        _print_json(given)
    elif given.refusal is not None:
        print(describe_refusal(given.refusal))
    else:
        print(describe_booked(what, given, pays=pays), describe_today(given.today), sep="\n")
    return IN_ORDER if given.refusal is None else FAILED


def show_status(place: DeskPlace) -> int:
    """Print the tournament jackpots; the exit status."""
    with connect_to(place.centre, ask_password) as connection, limit_wait(WITHIN_S):
        jackpots = read_tournaments(connection)
    if place.as_json:
        _print_json({"jackpots": jackpots})
    elif not jackpots:
        print(NO_JACKPOT)
    else:
        print(*(line for jackpot in jackpots for line in render_jackpot(jackpot)), sep="\n")
    return IN_ORDER


def _print_json(value: Any) -> None:
    print(msgspec.json.encode(value).decode())
