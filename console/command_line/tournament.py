"""`banco tournament`: the tournament jackpot, its cash desks and its wins."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from console.command_line.arguments import add_centre, name_of, read_amount
from console.command_line.command import UNUSABLE, BancoCommand, Family
from console.command_line.link_two_people import add_people, read_people
from console.configuration.section import JACKPOT_NAME, TOURNAMENT_NAME

if TYPE_CHECKING:
    from console.office.tournament import DeskPlace

LEVELS = ("1", "2", "over")
FEE = "5.00"


def _ask_desk(do: Callable[[], int]) -> int:
    """Do it; print why it is not done."""
    from console.link.centre.postgres_calls import AnsweredWithWarning
    from console.rules.link import CentreBars
    from jackpot.failures import Failure

    try:
        return do()
    except CentreBars as error:
        reason = f"{error.barred.value}: this role is no cash desk (banco link join DESK JACKPOT)"
    except AnsweredWithWarning as error:
        reason = f"{error}: type the same command again, it is booked once"
    except (Failure, ValueError) as error:
        reason = str(error)
    print(f"not done: {reason}", file=sys.stderr)
    return UNUSABLE


def _add_begin(begin: ArgumentParser) -> None:
    begin.add_argument("name", metavar="NAME", type=name_of(JACKPOT_NAME), help=JACKPOT_NAME.right)
    begin.add_argument(
        "--base", metavar="AMOUNT", type=read_amount, required=True, help="in EUR, such as 10000.00"
    )
    begin.add_argument(
        "--opening",
        metavar="AMOUNT",
        type=read_amount,
        help="what is in it at first, if it is not the base",
    )
    begin.add_argument(
        "--fee",
        metavar="AMOUNT",
        type=read_amount,
        default=read_amount(FEE),
        help=f"what a ticket pays beside its buy-in, all to the jackpot: {FEE}",
    )
    add_centre(begin)


def _begin(options: Namespace) -> int:
    from console.office.tournament import begin_tournament_jackpot

    opening = options.base if options.opening is None else options.opening
    return _ask_desk(
        lambda: begin_tournament_jackpot(
            options.centre, options.name, fee=options.fee, base=options.base, opening=opening
        )
    )


def _add_day(day: ArgumentParser) -> None:
    _add_identity(day, "day")
    _add_desk(day)


def _begin_day(options: Namespace) -> int:
    from console.office.tournament import begin_day

    return _ask_desk(lambda: begin_day(_read_desk(options), options.day))


def _add_level(level: ArgumentParser) -> None:
    _add_identity(level, "day", "tournament")
    level.add_argument(
        "level",
        metavar="LEVEL",
        choices=LEVELS,
        help="1: the first; 2: from the second to the end of late registration; over: then",
    )
    _add_desk(level)


def _set_level(options: Namespace) -> int:
    from console.link.centre.tournament import Level
    from console.office.tournament import set_level

    level = Level(options.level)
    return _ask_desk(lambda: set_level(_read_desk(options), options.day, options.tournament, level))


def _add_fee(fee: ArgumentParser) -> None:
    _add_identity(fee, "day", "tournament", "ticket")
    _add_desk(fee)


def _sell_fee(options: Namespace) -> int:
    from console.office.tournament import sell_fee

    return _ask_desk(
        lambda: sell_fee(_read_desk(options), options.day, options.tournament, options.ticket)
    )


def _add_win(win: ArgumentParser) -> None:
    _add_identity(win, "day", "tournament", "ticket")
    win.add_argument(
        "--level",
        choices=LEVELS[:2],
        help="in which the hand was dealt, if the tournament is in another now",
    )
    win.add_argument(
        "--jackpot", metavar="NAME", help="needed where there is more than one tournament jackpot"
    )
    add_people(win)


def _win(options: Namespace) -> int:
    from console.link.centre.tournament import Level
    from console.office.link.proposal_requests import WinRequest
    from console.office.link.two_people import ask_two_people

    request = WinRequest(
        options.day,
        options.tournament,
        options.ticket,
        Level(options.level) if options.level else None,
        options.jackpot,
    )
    return _ask_desk(lambda: ask_two_people(read_people(options), request))


def _show_status(options: Namespace) -> int:
    from console.office.tournament import show_status

    return _ask_desk(lambda: show_status(_read_desk(options)))


def _add_identity(command: ArgumentParser, *names: str) -> None:
    for name, read, text in (
        ("day", _read_day, "the gaming day, such as 2026-11-23, also after midnight"),
        ("tournament", name_of(TOURNAMENT_NAME), "its name this day, always written the same"),
        ("ticket", name_of(TOURNAMENT_NAME), "the number on the ticket"),
    ):
        if name in names:
            command.add_argument(name, metavar=name.upper(), type=read, help=text)


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text} is no day such as 2026-11-23") from error


def _add_desk(command: ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print one JSON object")
    add_centre(command)


def _read_desk(options: Namespace) -> "DeskPlace":
    from console.office.tournament import DeskPlace

    return DeskPlace(options.centre, options.json)


COMMANDS = (
    Family(
        "tournament",
        "run a tournament jackpot",
        "banco tournament status --json",
        (
            BancoCommand(
                "begin",
                "begin a tournament jackpot; its cash desks then join: banco link join DESK NAME",
                "banco tournament begin poker --base 10000.00",
                _begin,
                _add_begin,
            ),
            BancoCommand(
                "day",
                "begin the next day: the jackpot is raised to its base, and can be won again",
                "banco tournament day 2026-11-23",
                _begin_day,
                _add_day,
            ),
            BancoCommand(
                "level",
                "say how far a tournament is; level 1 begins it, and fees are sold",
                "banco tournament level 2026-11-23 night 2",
                _set_level,
                _add_level,
            ),
            BancoCommand(
                "fee",
                "book a ticket's fee: it takes part in the jackpot of this tournament",
                "banco tournament fee 2026-11-23 night 1042",
                _sell_fee,
                _add_fee,
            ),
            BancoCommand(
                "win",
                "book the royal flush of a ticket: the floor manager asks, another operator "
                "approves",
                "banco tournament win 2026-11-23 night 1042 --as olga --and piero",
                _win,
                _add_win,
            ),
            BancoCommand(
                "status",
                "show the jackpot: amount, day, tournaments, what a win has now, and the day's win",
                "banco tournament status --json",
                _show_status,
                _add_desk,
            ),
        ),
        needs=("psycopg",),
    ),
)
