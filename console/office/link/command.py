"""`banco link`: install the centre, begin a jackpot, let tables join, show the status."""

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping

import msgspec

from console.configuration.file import ConfigurationErrors, load_configuration
from console.link.centre.connect import CentreUnusable, connect_to
from console.link.centre.install import SchemaDiffers, install_schema, load_migrations
from console.link.centre.jackpot_setup import admit_member, create_jackpot
from console.link.centre.status import CentreStatus, JackpotStatus, TableStatus, read_status
from console.office.ledger.exit_status import IN_ORDER, UNUSABLE
from console.rules.link_orders import terms_of
from jackpot.amounts import format_cents

NO_JACKPOT = "no jackpot has been begun: banco link jackpot NAME --config FILE"


class NotLinkable(Exception):
    """A configuration without a progressive jackpot."""


def answer(options: Namespace) -> int:
    """Answer a command of `banco link`; the exit status."""
    try:
        ANSWERS[options.link](options)
    except (CentreUnusable, ConfigurationErrors, NotLinkable, SchemaDiffers) as error:
        print(f"not done: {error}", file=sys.stderr)
        return UNUSABLE
    return IN_ORDER


def _init(options: Namespace) -> None:
    with connect_to(options.centre) as connection:
        version = install_schema(connection, load_migrations())
    print(f"the centre has the schema, version {version}")


def _begin_jackpot(options: Namespace) -> None:
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


def _join(options: Namespace) -> None:
    with connect_to(options.centre) as connection:
        admit_member(connection, options.table, options.jackpot)
    print(f"{options.table} may join {options.jackpot}: its role is {options.table}")


def _show_status(options: Namespace) -> None:
    with connect_to(options.centre) as connection:
        status = read_status(connection)
    if options.json:
        print(msgspec.json.encode(status).decode())
        return
    for line in render_status(status):
        print(line)


def render_status(status: CentreStatus) -> list[str]:
    """The status as lines of text."""
    if not status.jackpots:
        return [NO_JACKPOT]
    return [line for jackpot in status.jackpots for line in _render_jackpot(jackpot)]


def _render_jackpot(jackpot: JackpotStatus) -> list[str]:
    lines = [
        f"jackpot {jackpot.jackpot}: {format_cents(jackpot.amount)} EUR, {jackpot.game}, "
        f"tie {jackpot.tie}"
    ]
    lines += [f"  {_render_table(table)}" for table in jackpot.tables]
    for award in jackpot.awards:
        lines.append(
            f"  award {award.number}: {award.combination} of {format_cents(award.reading)} EUR, "
            f"{award.winners} x {format_cents(award.each)} EUR, at {', '.join(award.tables)}"
        )
        if award.held:
            lines.append(f"    may still join: {', '.join(award.held)}")
    return lines


def _render_table(table: TableStatus) -> str:
    if table.ended:
        return f"{table.table}: its epoch has ended; back only by rejoin"
    if not table.joined:
        return f"{table.table}: has not joined yet"
    if table.heard is None:
        return f"{table.table}: joined, not heard yet"
    shown = "dashes" if table.shown is None else f"{format_cents(table.shown)} EUR"
    heard = table.heard.isoformat(timespec="seconds")
    parts = [f"{table.table}: {table.phase}", f"shows {shown}", f"heard {heard}", *table.faults]
    if table.round is not None:
        parts.insert(1, f"round {table.round} open with {table.stakes} stakes")
    return ", ".join(parts)


ANSWERS: Mapping[str, Callable[[Namespace], None]] = {
    "init": _init,
    "jackpot": _begin_jackpot,
    "join": _join,
    "status": _show_status,
}
