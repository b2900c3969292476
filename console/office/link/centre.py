"""What one person does at the centre of a linked jackpot."""

from pathlib import Path

import msgspec

from console.configuration.file import load_configuration
from console.database.connect import connect_to
from console.database.install import install_schema
from console.link.centre.jackpot_setup import admit_member, create_jackpot
from console.link.centre.link_schema import load_link_schema
from console.link.centre.membership import ask_to_leave
from console.link.centre.roles import RoleGroup, make_role
from console.link.centre.status import read_status
from console.office.ledger.exit_status import IN_ORDER
from console.office.link.proposal_requests import NotLinkable
from console.office.link.status_lines import render_status
from console.office.questions import ask_password
from console.rules.link_orders import terms_of
from jackpot.money.amounts import format_cents


def install_centre(centre: str) -> int:
    """Install the schema, or bring it up to this version; the exit status.

    Raises DatabaseUnusable, as all here do.
    """
    with connect_to(centre) as connection:
        version = install_schema(connection, load_link_schema())
    print(f"the centre has the schema, version {version}")
    return IN_ORDER


def begin_jackpot(centre: str, name: str, file: Path, tie: str) -> int:
    """Begin a linked jackpot, on the terms of the configuration in `file`; the exit status.

    Raises ConfigurationErrors, NotLinkable.
    """
    plan = load_configuration(file).plan()
    rules = plan.rules(None)
    if rules.prizes is None:
        raise NotLinkable(f"{file}: {plan.game} has no jackpot to be linked")
    money = rules.money
    with connect_to(centre) as connection:
        create_jackpot(connection, name, terms_of(rules), money.base, money.opening, tie)
    print(
        f"jackpot {name}: {plan.game}, opening value {format_cents(money.opening)} EUR, "
        f"base {format_cents(money.base)} EUR, tie {tie}"
    )
    return IN_ORDER


def let_join(centre: str, table: str, jackpot: str) -> int:
    """Let a table join a jackpot: make its role; the exit status."""
    with connect_to(centre) as connection:
        admit_member(connection, table, jackpot)
    print(f"{table} may join {jackpot}: its role is {table}")
    return IN_ORDER


def let_leave(centre: str, table: str) -> int:
    """Ask a table to leave its jackpot; the exit status."""
    with connect_to(centre, ask_password) as connection:
        ask_to_leave(connection, table)
    print(f"{table} leaves when it is paused, with nothing pending; see banco link status")
    return IN_ORDER


def add_role(centre: str, name: str, group: RoleGroup) -> int:
    """Make a role of this group; the exit status."""
    with connect_to(centre) as connection:
        make_role(connection, name, group)
    print(f"{name} is in the group {group.value}")
    print(f"now give it a password (in psql: \\password {name}), or a certificate")
    return IN_ORDER


def show_status(centre: str, *, as_json: bool) -> int:
    """Print what is at the centre; the exit status."""
    with connect_to(centre) as connection:
        status = read_status(connection)
    if as_json:
        print(msgspec.json.encode(status).decode())
        return IN_ORDER
    for line in render_status(status):
        print(line)
    return IN_ORDER
