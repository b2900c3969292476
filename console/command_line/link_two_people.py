"""What `banco link` does by two people, at one terminal or from two places."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from console.command_line.arguments import add_centre, read_amount
from console.command_line.command import BancoCommand, report_failure
from console.service.supervision.command_parser import whole_number

if TYPE_CHECKING:
    from console.office.link.proposal_requests import Proposes
    from console.office.link.two_people import TwoPeople

ACCOUNTS = ("tray", "jackpot", "reserve", "house")
TIES = ("split", "order")


def read_people(options: Namespace) -> "TwoPeople":
    """Who asks and who approves; of some commands also a superuser, and ledgers that tell."""
    from console.office.link.two_people import TwoPeople

    return TwoPeople(
        centre=options.centre,
        who=options.who,
        second=options.second,
        superuser=getattr(options, "superuser", ""),
        ledgers=tuple(getattr(options, "ledgers", ())),
        propose_only=options.propose,
        as_json=options.json,
    )


def _ask_two(options: Namespace, proposes: "Proposes") -> int:
    from console.office.link.two_people import ask_two_people

    return report_failure(lambda: ask_two_people(read_people(options), proposes))


def _add_correct(correct: ArgumentParser) -> None:
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
    add_people(correct)


def _correct(options: Namespace) -> int:
    from console.office.link.proposal_requests import CorrectionRequest

    return _ask_two(
        options,
        CorrectionRequest(
            options.jackpot,
            options.source,
            options.target,
            options.amount,
            options.reason,
            options.table,
        ),
    )


def _add_transfer(transfer: ArgumentParser) -> None:
    transfer.add_argument("source", metavar="FROM", help="the jackpot that gives it")
    transfer.add_argument("target", metavar="TO", help="the jackpot that gets it")
    transfer.add_argument("amount", metavar="AMOUNT", type=read_amount, help="such as 500.00")
    transfer.add_argument("--reason", required=True, help="why: 10 characters or more")
    add_people(transfer)


def _transfer(options: Namespace) -> int:
    from console.office.link.proposal_requests import TransferRequest

    return _ask_two(
        options, TransferRequest(options.source, options.target, options.amount, options.reason)
    )


def _add_award(award: ArgumentParser) -> None:
    award.add_argument("table", metavar="TABLE")
    award.add_argument(
        "identity",
        metavar="AWARD",
        nargs="?",
        help="such as table-3/round-17/award-1; needed where more than one claim came too late",
    )
    award.add_argument(
        "--combination",
        metavar="COMBINATION",
        help="such as ROYAL_FLUSH, where the claim itself never came",
    )
    award.add_argument("--winners", type=whole_number, metavar="N", help="how many at this table")
    award.add_argument(
        "--others",
        type=whole_number,
        metavar="K",
        help="the other seats of its round, where the jackpot pays them envy",
    )
    add_people(award)


def _award(options: Namespace) -> int:
    from console.office.link.proposal_requests import AwardRequest

    given = (options.combination, options.winners, options.others)
    return _ask_two(options, AwardRequest(options.table, options.identity, *given))


def _add_end(end: ArgumentParser) -> None:
    end.add_argument("table", metavar="TABLE", help="the dead table, unplugged for good")
    end.add_argument(
        "identity", metavar="AWARD", nargs="?", help="needed where more than one is pending"
    )
    add_people(end)


def _finish(options: Namespace) -> int:
    from console.link.centre.proposals import TwoPeopleAct
    from console.office.link.proposal_requests import EndRequest

    return _ask_two(options, EndRequest(TwoPeopleAct.FINISH, options.table, options.identity))


def _cancel(options: Namespace) -> int:
    from console.link.centre.proposals import TwoPeopleAct
    from console.office.link.proposal_requests import EndRequest

    return _ask_two(options, EndRequest(TwoPeopleAct.CANCEL, options.table, options.identity))


def _add_only_table(command: ArgumentParser) -> None:
    command.add_argument("table", metavar="TABLE")
    add_people(command)


def _end_round(options: Namespace) -> int:
    from console.office.link.proposal_requests import RoundOverRequest

    return _ask_two(options, RoundOverRequest(options.table))


def _allow_join(options: Namespace) -> int:
    from console.office.link.proposal_requests import JoinRequest

    return _ask_two(options, JoinRequest(options.table))


def _add_rejoin(rejoin: ArgumentParser) -> None:
    rejoin.add_argument("table", metavar="TABLE")
    rejoin.add_argument(
        "--ledger",
        metavar="FOLDER",
        type=Path,
        required=True,
        help="the table's ledger, or a copy of it made while the table stands still",
    )
    add_people(rejoin)


def _rejoin(options: Namespace) -> int:
    from console.office.link.proposal_requests import RejoinRequest

    return _ask_two(options, RejoinRequest(options.table, options.ledger))


def _add_recover(recover: ArgumentParser) -> None:
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
    add_people(recover)


def _recover(options: Namespace) -> int:
    from console.office.link.proposal_requests import RecoveryRequest

    request = RecoveryRequest(
        options.jackpot,
        tuple(options.without),
        tuple(options.joined),
        tuple(options.ledgers),
        alone=options.propose,
    )
    return _ask_two(options, request)


def _add_settings(settings: ArgumentParser) -> None:
    settings.add_argument("jackpot", metavar="JACKPOT")
    settings.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        required=True,
        help="game, token, shares, prizes and base become those of this table",
    )
    settings.add_argument("--tie", choices=TIES, help="leave it out to keep it")
    settings.add_argument(
        "--next-jackpot",
        action="store_true",
        help="they wait until the jackpot is won: banco link next-jackpot",
    )
    add_people(settings)


def _change_settings(options: Namespace) -> int:
    from console.office.link.proposal_requests import SettingsRequest

    asked = SettingsRequest(options.jackpot, options.config, options.tie, options.next_jackpot)
    return _ask_two(options, asked)


def _add_alone(alone: ArgumentParser) -> None:
    alone.add_argument(
        "--end",
        metavar="LIST",
        default="",
        help="wait for a standby again: 'ANY 1 (standby1)'",
    )
    _add_superuser(alone)
    add_people(alone)


def _answer_alone(options: Namespace) -> int:
    from console.office.link.proposal_requests import AloneRequest

    return _ask_two(options, AloneRequest(options.end))


def _add_approve(approve: ArgumentParser) -> None:
    approve.add_argument(
        "number", metavar="NUMBER", type=whole_number, help="banco link status lists them"
    )
    _add_superuser(approve)
    _add_person(approve)


def _approve(options: Namespace) -> int:
    from console.office.link.two_people import TwoPeople, approve_proposal

    person = TwoPeople(
        centre=options.centre, who=options.who, superuser=options.superuser, as_json=options.json
    )
    return report_failure(lambda: approve_proposal(person, options.number))


def _add_superuser(command: ArgumentParser) -> None:
    command.add_argument(
        "--superuser",
        metavar="CONNECTION",
        default="",
        help="for alone: a role that may change the server's settings, or its connection",
    )


def add_people(command: ArgumentParser) -> None:
    """Add who asks and who approves; `read_people` reads them."""
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
    _add_person(command)


def _add_person(command: ArgumentParser) -> None:
    command.add_argument(
        "--as",
        dest="who",
        metavar="ROLE",
        default="",
        help='your role at the centre, or "user=olga sslcert=olga.crt sslkey=olga.key"',
    )
    add_centre(command)
    command.add_argument("--json", action="store_true", help="print one JSON object at the end")


BY_TWO_PEOPLE = (
    BancoCommand(
        "correct",
        "correct a jackpot's accounts",
        'banco link correct stud house jackpot 12.50 --reason "counted twice on the 3rd" '
        "--as olga --and piero",
        _correct,
        _add_correct,
    ),
    BancoCommand(
        "transfer",
        "move money from one jackpot to another",
        'banco link transfer stud tre-card 500.00 --reason "table 4 moved" --as olga --and piero',
        _transfer,
        _add_transfer,
    ),
    BancoCommand(
        "award",
        "give the award of a claim that came when its round was over",
        "banco link award table-3 --as olga --and piero",
        _award,
        _add_award,
    ),
    BancoCommand(
        "finish",
        "end a dead table's award as agreed: its winners are paid by hand",
        "banco link finish table-3 --as olga --and piero",
        _finish,
        _add_end,
    ),
    BancoCommand(
        "cancel",
        "cancel a dead table's award: nobody there is paid",
        "banco link cancel table-3 --as olga --and piero",
        _cancel,
        _add_end,
    ),
    BancoCommand(
        "round-over",
        "end a table's round at the centre, having looked at the table",
        "banco link round-over table-3 --as olga --and piero",
        _end_round,
        _add_only_table,
    ),
    BancoCommand(
        "allow-join",
        "let a table join with the balances that it asks to bring",
        "banco link allow-join table-3 --as olga --and piero",
        _allow_join,
        _add_only_table,
    ),
    BancoCommand(
        "rejoin",
        "let a table that was forked, or whose epoch has ended, come back in a new epoch",
        "banco link rejoin table-3 --ledger /media/table-3 --as olga --and piero",
        _rejoin,
        _add_rejoin,
    ),
    BancoCommand(
        "recover",
        "let the tables tell a centre that was set back what it had answered",
        "banco link recover stud --without table-9 --as olga --and piero",
        _recover,
        _add_recover,
    ),
    BancoCommand(
        "settings",
        "change what all tables of a jackpot have in common",
        "banco link settings stud --config /etc/banco/table.toml --as olga --and piero",
        _change_settings,
        _add_settings,
    ),
    BancoCommand(
        "alone",
        "answer from one machine, without a standby; every overview is red meanwhile",
        'banco link alone --superuser "user=postgres" --as olga --and piero',
        _answer_alone,
        _add_alone,
    ),
    BancoCommand(
        "approve",
        "approve what another operator has proposed",
        "banco link approve 7 --as piero",
        _approve,
        _add_approve,
    ),
)
"""Those commands of `banco link` that need two people, and the approval."""
