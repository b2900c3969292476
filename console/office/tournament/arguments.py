"""The arguments of `banco tournament`; imports nothing heavy."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date

from console.configuration.names import JACKPOT_NAME, TOURNAMENT_NAME
from console.office.link.centre_argument import LedgerCommand, add_centre
from console.office.link.two_people_arguments import add_people, read_amount
from console.office.name_argument import name_of

LEVELS = ("1", "2", "over")
FEE = "5.00"


def add_tournament(command: LedgerCommand) -> None:
    """Add the commands of the tournament jackpot."""
    _add_begin(command)
    _add_day(command)
    _add_level(command)
    _add_fee(command)
    _add_win(command)
    _add_status(command)


def _add_begin(command: LedgerCommand) -> None:
    text = "begin a tournament jackpot; its cash desks then join: banco link join DESK NAME"
    example = "banco tournament begin poker --base 10000.00"
    begin = command(name="begin", text=text, example=example)
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
    add_centre(begin, "begin")


def _add_day(command: LedgerCommand) -> None:
    text = "begin the next day: the jackpot is raised to its base, and can be won again"
    day = command(name="day", text=text, example="banco tournament day 2026-11-23")
    _add_identity(day, "day")
    _add_desk(day, "day")


def _add_level(command: LedgerCommand) -> None:
    text = "say how far a tournament is; level 1 begins it, and fees are sold"
    example = "banco tournament level 2026-11-23 night 2"
    level = command(name="level", text=text, example=example)
    _add_identity(level, "day", "tournament")
    level.add_argument(
        "level",
        metavar="LEVEL",
        choices=LEVELS,
        help="1: the first; 2: from the second to the end of late registration; over: then",
    )
    _add_desk(level, "level")


def _add_fee(command: LedgerCommand) -> None:
    text = "book a ticket's fee: it takes part in the jackpot of this tournament"
    example = "banco tournament fee 2026-11-23 night 1042"
    fee = command(name="fee", text=text, example=example)
    _add_identity(fee, "day", "tournament", "ticket")
    _add_desk(fee, "fee")


def _add_win(command: LedgerCommand) -> None:
    text = "book the royal flush of a ticket: the floor manager asks, another operator approves"
    example = "banco tournament win 2026-11-23 night 1042 --as olga --and piero"
    win = command(name="win", text=text, example=example)
    _add_identity(win, "day", "tournament", "ticket")
    win.add_argument(
        "--level",
        choices=LEVELS[:2],
        help="in which the hand was dealt, if the tournament is in another now",
    )
    _add_jackpot(win)
    add_people(win, "win")


def _add_status(command: LedgerCommand) -> None:
    text = "show the jackpot: amount, day, tournaments, what a win has now, and the day's win"
    status = command(name="status", text=text, example="banco tournament status --json")
    _add_desk(status, "status")


def _add_identity(command: ArgumentParser, *names: str) -> None:
    for name, read, text in (
        ("day", _read_day, "the gaming day, such as 2026-11-23, also after midnight"),
        ("tournament", name_of(TOURNAMENT_NAME), "its name this day, always written the same"),
        ("ticket", name_of(TOURNAMENT_NAME), "the number on the ticket"),
    ):
        if name in names:
            command.add_argument(name, metavar=name.upper(), type=read, help=text)


def _add_jackpot(command: ArgumentParser) -> None:
    command.add_argument(
        "--jackpot", metavar="NAME", help="needed where there is more than one tournament jackpot"
    )


def _add_desk(command: ArgumentParser, name: str) -> None:
    command.add_argument("--json", action="store_true", help="print one JSON object")
    add_centre(command, name)


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text} is no day such as 2026-11-23") from error
