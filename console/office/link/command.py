"""`banco link`: the answers of its commands."""

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping

import msgspec

from console.configuration.file import ConfigurationErrors, load_configuration
from console.database.connect import connect_to
from console.database.install import install_schema
from console.link.centre.jackpot_setup import admit_member, create_jackpot
from console.link.centre.link_schema import load_link_schema
from console.link.centre.membership import ask_to_leave
from console.link.centre.roles import RoleGroup, make_role
from console.link.centre.status import read_status
from console.office.ledger.exit_status import IN_ORDER, UNUSABLE
from console.office.link.audit_command import audit_link
from console.office.link.proposal_requests import REQUESTS, NotLinkable
from console.office.link.status_lines import render_status
from console.office.link.two_people import approve_proposal, ask_two_people
from console.office.questions import ask_password
from console.rules.link_orders import terms_of
from console.service.supervision.process_end import describe_failure
from jackpot.failures import Failure
from jackpot.money.amounts import format_cents


def answer(options: Namespace) -> int:
    """Answer a command of `banco link`; the exit status (docs/reference/exit-status.md)."""
    try:
        return ANSWERS[options.link](options)
    except (Failure, ConfigurationErrors, OSError, ValueError) as error:
        print(f"not done: {describe_failure(error)}", file=sys.stderr)
        return UNUSABLE


def _init(options: Namespace) -> int:
    with connect_to(options.centre) as connection:
        version = install_schema(connection, load_link_schema())
    print(f"the centre has the schema, version {version}")
    return IN_ORDER


def _begin_jackpot(options: Namespace) -> int:
    plan = load_configuration(options.config).plan()
    rules = plan.rules(None)
    if rules.prizes is None:
        raise NotLinkable(f"{options.config}: {plan.game} has no jackpot to be linked")
    money = rules.money
    with connect_to(options.centre) as connection:
        create_jackpot(
            connection, options.name, terms_of(rules), money.base, money.opening, options.tie
        )
    print(
        f"jackpot {options.name}: {plan.game}, opening value {format_cents(money.opening)} EUR, "
        f"base {format_cents(money.base)} EUR, tie {options.tie}"
    )
    return IN_ORDER


def _join(options: Namespace) -> int:
    with connect_to(options.centre) as connection:
        admit_member(connection, options.table, options.jackpot)
    print(f"{options.table} may join {options.jackpot}: its role is {options.table}")
    return IN_ORDER


def _ask_to_leave(options: Namespace) -> int:
    with connect_to(options.centre, ask_password) as connection:
        ask_to_leave(connection, options.table)
    print(f"{options.table} leaves when it is paused, with nothing pending; see banco link status")
    return IN_ORDER


def _make_role(options: Namespace) -> int:
    group = ROLES[options.link]
    with connect_to(options.centre) as connection:
        make_role(connection, options.name, group)
    print(f"{options.name} is in the group {group.value}")
    print(f"now give it a password (in psql: \\password {options.name}), or a certificate")
    return IN_ORDER


def _show_status(options: Namespace) -> int:
    with connect_to(options.centre) as connection:
        status = read_status(connection)
    if options.json:
        print(msgspec.json.encode(status).decode())
        return IN_ORDER
    for line in render_status(status):
        print(line)
    return IN_ORDER


ROLES = {
    "operator": RoleGroup.OPERATOR,
    "reader": RoleGroup.READER,
    "poker-table": RoleGroup.POKER_TABLE,
}
ANSWERS: Mapping[str, Callable[[Namespace], int]] = {
    "init": _init,
    "jackpot": _begin_jackpot,
    "join": _join,
    **dict.fromkeys(ROLES, _make_role),
    "status": _show_status,
    **dict.fromkeys(REQUESTS, ask_two_people),
    "approve": approve_proposal,
    "audit": audit_link,
    "leave": _ask_to_leave,
}
