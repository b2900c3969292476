"""The arguments of `banco link`."""

from pathlib import Path

from console.configuration.names import JACKPOT_NAME, TABLE_NAME
from console.office.link.centre_argument import LedgerCommand, add_audited, add_centre
from console.office.link.two_people_arguments import TIES, add_two_people
from console.office.name_argument import name_of


def add_link(command: LedgerCommand) -> None:
    """Add the commands of the centre."""
    _add_init(command)
    _add_jackpot(command)
    _add_join(command)
    for name, text in (
        ("operator", "create an operator role (some actions need two operators)"),
        ("poker-table", "let a poker table share its tournament's clock: make its role"),
        ("reader", "make the role of a reader, such as the room's or an auditor's"),
    ):
        _add_role(command, name, text)
    _add_status(command)
    add_two_people(command)
    _add_leave(command)
    _add_audit(command)


def _add_init(command: LedgerCommand) -> None:
    text = "install the centre's schema in a database, or bring it up to this version"
    example = 'banco link init --centre "host=db1 dbname=banco user=postgres"'
    init = command(name="init", text=text, example=example)
    add_centre(init, "init")


def _add_jackpot(command: LedgerCommand) -> None:
    text = "begin a linked jackpot, on the terms of a table's configuration"
    example = "banco link jackpot stud --config /etc/banco/table.toml"
    jackpot = command(name="jackpot", text=text, example=example)
    jackpot.add_argument(
        "name", metavar="NAME", type=name_of(JACKPOT_NAME), help=JACKPOT_NAME.right
    )
    jackpot.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        required=True,
        help="game, token, shares, opening value and base are those of this table",
    )
    jackpot.add_argument(
        "--tie",
        choices=TIES,
        default="split",
        help="two tables at the same moment: they divide (split), or the first has it (order)",
    )
    add_centre(jackpot, "jackpot")


def _add_join(command: LedgerCommand) -> None:
    text = "let a table, or a tournament's cash desk, join a jackpot: make its role at the centre"
    join = command(name="join", text=text, example="banco link join table-3 stud")
    join.add_argument(
        "table", metavar="TABLE", type=name_of(TABLE_NAME), help="its name in its configuration"
    )
    join.add_argument("jackpot", metavar="JACKPOT", help="a jackpot that has been begun")
    add_centre(join, "join")


def _add_role(command: LedgerCommand, name: str, text: str) -> None:
    role = command(name=name, text=text, example=f"banco link {name} olga")
    role.add_argument(
        "name",
        metavar="NAME",
        type=name_of(TABLE_NAME),
        help="how the role is called at the centre",
    )
    add_centre(role, name)


def _add_status(command: LedgerCommand) -> None:
    text = "show the jackpots, tables, pending awards, rounds that may join, and open proposals"
    status = command(name="status", text=text, example="banco link status --json")
    status.add_argument("--json", action="store_true", help="print one JSON object")
    add_centre(status, "status")


def _add_leave(command: LedgerCommand) -> None:
    text = "ask a table to leave its jackpot: it does when it is paused, with nothing pending"
    leave = command(name="leave", text=text, example="banco link leave table-3")
    leave.add_argument("table", metavar="TABLE")
    add_centre(leave, "leave")


def _add_audit(command: LedgerCommand) -> None:
    text = "check the centre's books, and compare them with ledgers and signed exports"
    example = "banco link audit /var/lib/banco --export table-4.export --key house.pub"
    audit = command(name="audit", text=text, example=example)
    add_audited(audit)
    audit.add_argument("--key", metavar="FILE", type=Path, help="the house's public key")
    add_centre(audit, "audit")
