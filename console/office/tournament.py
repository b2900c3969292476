"""What a cash desk tells the centre of a tournament jackpot."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import msgspec
from msgspec import Struct

from console.database.connect import connect_to, limit_wait
from console.link.centre.membership import create_tournament_jackpot
from console.link.centre.tournament import (
    CashDesk,
    DeskAnswer,
    Level,
    Tournament,
    TournamentJackpot,
    TournamentRefusal,
    read_tournaments,
)
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.questions import ask_password
from jackpot.money.amounts import Cents, format_cents, format_percent

MEANINGS: Mapping[TournamentRefusal, str] = {
    TournamentRefusal.DAY_OVER: "a later day has begun, and no day comes back",
    TournamentRefusal.DAY_NOT_BEGUN: "that day has not begun: banco tournament day DAY",
    TournamentRefusal.DAY_FAR_AHEAD: "it is more than 2 days after the centre's date: correct the "
    "date, or the centre's clock",
    TournamentRefusal.TOURNAMENT_RUNNING: "a tournament can still win: "
    "banco tournament level DAY TOURNAMENT over",
    TournamentRefusal.NO_TOURNAMENT: "there is none of this name this day; it begins with level 1",
    TournamentRefusal.LEVEL_OVER: "that level is over",
    TournamentRefusal.WON_TODAY: "the jackpot is won; it begins again with the next day",
}
LEVELS: Mapping[Level, str] = {
    Level.FIRST: "level 1, fees are sold",
    Level.LATE: "level 2 to the end of late registration",
    Level.OVER: "late registration is over",
}


WITHIN_S = 10
"""How long a desk waits for an answer."""

NO_JACKPOT = "there is no tournament jackpot: banco tournament begin NAME --base AMOUNT"


def describe_refusal(refusal: TournamentRefusal) -> str:
    """Why the centre refused."""
    return f"Refused: {refusal.value}, {MEANINGS[refusal]}. Nothing was booked."


def describe_booked(what: str, given: DeskAnswer, *, pays: bool) -> str:
    """What is booked; or that it was already. `pays`: with the fee that it costs."""
    if given.again:
        return f"{what}: told already at {given.cash_desk}, nothing was booked again"
    paid = f", {format_cents(given.today.fee)} EUR" if pays else ""
    return f"{what}{paid}"


def describe_level(tournament: str, level: Level) -> str:
    """How far a tournament is."""
    return f"{tournament}: {LEVELS[level]}"


def describe_today(jackpot: TournamentJackpot) -> str:
    """The jackpot as it now is, in one line."""
    return f"jackpot {jackpot.jackpot}: {format_cents(jackpot.amount)} EUR"


def render_jackpot(jackpot: TournamentJackpot) -> list[str]:
    """All that is known of it, as lines of text."""
    day = "no day has begun" if jackpot.day is None else f"day {jackpot.day}"
    lines = [
        f"{describe_today(jackpot)}, base {format_cents(jackpot.base)} EUR",
        f"  {day}, {jackpot.fees} fees of {format_cents(jackpot.fee)} EUR",
    ]
    lines += [f"  {_render_tournament(one)}" for one in jackpot.tournaments]
    if jackpot.win is not None:
        win = jackpot.win
        lines.append(
            f"  won by ticket {win.ticket} in {win.tournament}: {format_cents(win.amount)} EUR, "
            f"{format_percent(win.share)} % of {format_cents(win.reading)} EUR"
        )
    return lines


def _render_tournament(tournament: Tournament) -> str:
    share = f"a win has {format_percent(tournament.share)} %" if tournament.share else "no win now"
    return f"{tournament.tournament}: {LEVELS[tournament.level]}, {share}, {tournament.fees} fees"


class DeskPlace(Struct, frozen=True):
    """The cash desk's connection to the centre, and how it is answered."""

    centre: str
    as_json: bool


def begin_tournament_jackpot(
    centre: str, name: str, *, fee: Cents, base: Cents, opening: Cents
) -> int:
    """Begin a tournament jackpot; the exit status.

    Raises Unavailable, CentreBars, AnsweredWithWarning, ValueError, as all here do.
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
