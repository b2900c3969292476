"""The arguments of the commands of `banco link` that need two people."""

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path

from console.office.link.centre_argument import LedgerCommand, add_centre
from console.service.supervision.command_parser import whole_number
from jackpot.amounts import Cents, parse_cents
from jackpot.prizes import Combination

ACCOUNTS = ("tray", "jackpot", "reserve", "house")
TIES = ("split", "order")


def add_two_people(command: LedgerCommand) -> None:
    """Add them, and `approve`."""
    _add_correct(command)
    _add_award(command)
    for name, text in (
        ("finish", "end a dead table's award as agreed: its winners are paid by hand"),
        ("cancel", "cancel a dead table's award: nobody there is paid"),
    ):
        _add_end(command, name, text)
    _add_round_over(command)
    _add_allow_join(command)
    _add_rejoin(command)
    _add_recover(command)
    _add_settings(command)
    _add_alone(command)
    _add_approve(command)


def _add_correct(command: LedgerCommand) -> None:
    text = "correct a jackpot's accounts"
    example = (
        'banco link correct stud house jackpot 12.50 --reason "counted twice on the 3rd" '
        "--as olga --and piero"
    )
    correct = command(name="correct", text=text, example=example)
    correct.add_argument("jackpot", metavar="JACKPOT")
    correct.add_argument("source", metavar="FROM", choices=ACCOUNTS, help=", ".join(ACCOUNTS))
    correct.add_argument("target", metavar="TO", choices=ACCOUNTS, help="another of them")
    correct.add_argument("amount", metavar="AMOUNT", type=read_amount, help="in EUR, such as 12.50")
    correct.add_argument("--reason", required=True, help="why: 10 characters or more")
    correct.add_argument(
        "--table",
        metavar="TABLE",
        default="",
        help="the table that is barred for what it sent (NOT_THE_TERMS): it is let in again",
    )
    add_people(correct, "correct")


def _add_award(command: LedgerCommand) -> None:
    text = "give the award of a claim that came when its round was over"
    award = command(
        name="award", text=text, example="banco link award table-3 --as olga --and piero"
    )
    award.add_argument("table", metavar="TABLE")
    award.add_argument(
        "identity",
        metavar="AWARD",
        nargs="?",
        help="such as table-3/round-17/award-1; needed where more than one claim came too late",
    )
    award.add_argument(
        "--combination",
        choices=[one.value for one in Combination],
        metavar="COMBINATION",
        help="such as ROYAL_FLUSH, where the claim itself never came",
    )
    award.add_argument("--winners", type=whole_number, metavar="N", help="how many at this table")
    add_people(award, "award")


def _add_end(command: LedgerCommand, name: str, text: str) -> None:
    example = f"banco link {name} table-3 --as olga --and piero"
    end = command(name=name, text=text, example=example)
    end.add_argument("table", metavar="TABLE", help="the dead table, unplugged for good")
    end.add_argument(
        "identity", metavar="AWARD", nargs="?", help="needed where more than one is pending"
    )
    add_people(end, name)


def _add_round_over(command: LedgerCommand) -> None:
    text = "end a table's round at the centre, having looked at the table"
    example = "banco link round-over table-3 --as olga --and piero"
    over = command(name="round-over", text=text, example=example)
    over.add_argument("table", metavar="TABLE")
    add_people(over, "round-over")


def _add_allow_join(command: LedgerCommand) -> None:
    text = "let a table join with the balances that it asks to bring"
    example = "banco link allow-join table-3 --as olga --and piero"
    allow = command(name="allow-join", text=text, example=example)
    allow.add_argument("table", metavar="TABLE")
    add_people(allow, "allow-join")


def _add_rejoin(command: LedgerCommand) -> None:
    text = "let a table that was forked, or whose epoch has ended, come back in a new epoch"
    example = "banco link rejoin table-3 --ledger /media/table-3 --as olga --and piero"
    rejoin = command(name="rejoin", text=text, example=example)
    rejoin.add_argument("table", metavar="TABLE")
    rejoin.add_argument(
        "--ledger",
        metavar="FOLDER",
        type=Path,
        required=True,
        help="the table's ledger, or a copy of it made while the table stands still",
    )
    add_people(rejoin, "rejoin")


def _add_recover(command: LedgerCommand) -> None:
    text = "let the tables tell a centre that was set back what it had answered"
    example = "banco link recover stud --without table-9 --as olga --and piero"
    recover = command(name="recover", text=text, example=example)
    recover.add_argument("jackpot", metavar="JACKPOT")
    recover.add_argument(
        "--without",
        metavar="TABLE",
        action="append",
        default=[],
        help="a table that will not come back; may be given several times",
    )
    recover.add_argument(
        "--joined",
        metavar="TABLE",
        action="append",
        default=[],
        help="a table that joined since the backup, where the centre has not heard it yet; so, too",
    )
    recover.add_argument(
        "--ledger",
        dest="ledgers",
        metavar="FOLDER",
        type=Path,
        action="append",
        default=[],
        help="the ledger of a table that has left, which tells for it; so, too, at one terminal",
    )
    add_people(recover, "recover")


def _add_settings(command: LedgerCommand) -> None:
    text = "change what all tables of a jackpot have in common"
    example = "banco link settings stud --config /etc/banco/table.toml --as olga --and piero"
    settings = command(name="settings", text=text, example=example)
    settings.add_argument("jackpot", metavar="JACKPOT")
    settings.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        required=True,
        help="game, token, shares, prizes and base become those of this table",
    )
    settings.add_argument("--tie", choices=TIES, help="leave it out to keep it")
    add_people(settings, "settings")


def _add_alone(command: LedgerCommand) -> None:
    text = "answer from one machine, without a standby; every overview is red meanwhile"
    example = 'banco link alone --superuser "user=postgres" --as olga --and piero'
    alone = command(name="alone", text=text, example=example)
    alone.add_argument(
        "--end",
        metavar="LIST",
        default="",
        help="wait for a standby again: 'ANY 1 (standby1)'",
    )
    _add_superuser(alone)
    add_people(alone, "alone")


def _add_approve(command: LedgerCommand) -> None:
    text = "approve what another operator has proposed"
    approve = command(name="approve", text=text, example="banco link approve 7 --as piero")
    approve.add_argument(
        "number", metavar="NUMBER", type=whole_number, help="banco link status lists them"
    )
    _add_superuser(approve)
    _add_person(approve, "approve")


def _add_superuser(command: ArgumentParser) -> None:
    command.add_argument(
        "--superuser",
        metavar="CONNECTION",
        default="",
        help="for alone: a role that may change the server's settings, or its connection",
    )


def add_people(command: ArgumentParser, name: str) -> None:
    """Add who asks and who approves; `name`: the command, which answers it."""
    command.add_argument(
        "--and",
        dest="second",
        metavar="ROLE",
        default="",
        help="the second operator, as --as; asked for if not given",
    )
    command.add_argument(
        "--propose", action="store_true", help="only propose it; another operator approves it later"
    )
    _add_person(command, name)


def _add_person(command: ArgumentParser, name: str) -> None:
    command.add_argument(
        "--as",
        dest="who",
        metavar="ROLE",
        default="",
        help='your role at the centre, or "user=olga sslcert=olga.crt sslkey=olga.key"',
    )
    add_centre(command, name)
    command.add_argument("--json", action="store_true", help="print one JSON object at the end")


def read_amount(text: str) -> Cents:
    """An amount in EUR, as an argument. Raises ArgumentTypeError."""
    try:
        return parse_cents(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
