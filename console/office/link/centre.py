"""What one person does at the centre of a linked jackpot."""

from pathlib import Path

import msgspec

from console.configuration.file import load_configuration
from console.database.connect import connect_to
from console.database.install import install_schema
from console.link.awaited_terms import describe_awaited
from console.link.centre.membership import admit_member, ask_to_leave, create_jackpot
from console.link.centre.proposals import Proposal, TwoPeopleAct, begin_next_jackpot
from console.link.centre.roles import RoleGroup, load_link_schema, make_role
from console.link.centre.status import (
    CentreStatus,
    JackpotStatus,
    TableStatus,
    ToldSince,
    read_status,
)
from console.link.centre.tournament import TOURNAMENT
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.link.alarms import read_alarms, render_alarms
from console.office.link.proposal_requests import read_terms
from console.office.link.proposal_words import MEANINGS
from console.office.questions import ask_password
from jackpot.money.amounts import format_cents, format_units

MOST_AWARDS = 20
"""The most awards of a recovery that are named."""

NO_JACKPOT = "no jackpot has been begun: banco link jackpot NAME --config FILE"
ALONE = (
    "ALONE: synchronous_standby_names is empty. The server answers from one machine, and what it "
    "answers is lost with it"
)


def render_status(status: CentreStatus) -> list[str]:
    """The status as lines of text."""
    lines = [ALONE] if status.alone else []
    if not status.jackpots:
        return [*lines, NO_JACKPOT]
    for jackpot in status.jackpots:
        lines += _render_jackpot(jackpot)
    return lines + [_render_proposal(proposal) for proposal in status.proposals]


def _render_proposal(proposal: Proposal) -> str:
    of = proposal.text.jackpot or "the centre"
    if proposal.text.what is TwoPeopleAct.TRANSFER:
        of = f"{of} to {proposal.text.arguments['target']}"
    whose = f"proposal {proposal.number} of {proposal.proposer}: {proposal.text.what.value}, {of}"
    until = proposal.expires.isoformat(timespec="minutes")
    return f"{whose}, {'expired' if proposal.expired else 'open till'} {until}"


def _render_jackpot(jackpot: JackpotStatus) -> list[str]:
    if jackpot.game == TOURNAMENT:
        return _render_tournament_jackpot(jackpot)
    currency = jackpot.currency
    lines = [
        f"jackpot {jackpot.jackpot}: {format_cents(jackpot.amount)} {currency}, {jackpot.game}, "
        f"tie {jackpot.tie}"
    ]
    lines += [f"  {_render_table(table, currency)}" for table in jackpot.tables]
    lines += [
        f"  {one.table}: holds {one.answered} answers, and is not known here: it joined since the "
        f"backup: banco link recover {jackpot.jackpot}"
        for one in jackpot.newcomers
    ]
    for award in jackpot.awards:
        paid = f"{award.winners} x {format_cents(award.each)} {currency}"
        if award.envy is not None:
            paid += f" and envy {award.envy.seats} x {format_cents(award.envy.each)} {currency}"
        lines.append(
            f"  award {award.number}: {award.combination} of {format_cents(award.reading)} "
            f"{currency}, {paid}, at {', '.join(award.tables)}"
        )
        if award.held:
            lines.append(f"    may still join: {', '.join(award.held)}")
        lines += [
            f"    in doubt: {table}, say what became of its part: banco link finish {table}, or "
            f"banco link cancel {table}"
            for table in award.in_doubt
        ]
    if jackpot.next_settings is not None:
        both = f"{jackpot.next_settings.proposer} and {jackpot.next_settings.approver}"
        lines.append(
            f"  settings of {both} wait; once the jackpot is won: banco link next-jackpot "
            f"{jackpot.jackpot}"
        )
    for since in jackpot.since:
        lines += _render_since(since, currency)
    return lines


def _render_since(since: ToldSince, currency: str) -> list[str]:
    """What two operators have not decided themselves: they look at it."""
    lines = [f"  told since the backup, recovered by act {since.act}:"]
    for one in since.joined:
        brought = [f"{name} {format_units(units)}" for name, units in one.brought.items() if units]
        lines.append(
            f"    joined: {one.table}"
            + (f", with {', '.join(brought)} {currency}" if brought else "")
        )
    lines += [f"    left: {table}" for table in since.left]
    lines += [
        f"    award {one.award}, {one.combination}, {format_cents(one.amount)} {currency}, "
        f"{one.state}: {one.table} alone has told of it"
        for one in since.alone[:MOST_AWARDS]
    ]
    if len(since.alone) > MOST_AWARDS:
        lines.append(f"    and {len(since.alone) - MOST_AWARDS} more awards, each of one table")
    return lines if len(lines) > 1 else []


def _render_tournament_jackpot(jackpot: JackpotStatus) -> list[str]:
    names = ", ".join(one.table for one in jackpot.tables) or "none"
    return [
        f"tournament jackpot {jackpot.jackpot}: {format_cents(jackpot.amount)} {jackpot.currency}",
        f"  cash desks: {names}; all else: banco tournament status",
    ]


def _render_table(table: TableStatus, currency: str) -> str:
    barred = _explain_bar(table, currency)
    if barred:
        return f"{table.table}: {barred}"
    if not table.joined and table.leaving:
        return f"{table.table}: has left"
    if not table.joined:
        return f"{table.table}: has not joined yet"
    if table.heard is None:
        return f"{table.table}: joined, not heard yet"
    shown = "dashes" if table.shown is None else f"{format_cents(table.shown)} {currency}"
    heard = table.heard.isoformat(timespec="seconds")
    parts = [f"{table.table}: {table.phase}", f"shows {shown}", f"heard {heard}", *table.faults]
    if table.round is not None:
        parts.insert(1, f"round {table.round} open with {table.stakes} stakes")
    if table.leaving:
        parts.append("is asked to leave")
    return ", ".join(parts)


def _explain_bar(table: TableStatus, currency: str) -> str:
    """Why the centre does not let the table play, and what is to be done; "" if it does."""
    if table.ended:
        return "its epoch has ended; back only by rejoin"
    if table.forged:
        return (
            "barred, it tells again what the centre never answered (LINK_FORKED): "
            "banco link recover --without, then look at it, and rejoin"
        )
    if table.doubted:
        return (
            f"barred, call {table.n} does not fit the terms (NOT_THE_TERMS): "
            "look at it, then banco link rejoin, or correct --table"
        )
    if table.awaits is not None:
        return f"waits, {describe_awaited(table.awaits, currency)}: banco link settings"
    if table.asks:
        return "asks to join with money of its own: banco link allow-join"
    return "has not told yet what it was answered" if table.recovering else ""


def install_centre(centre: str) -> int:
    """Install the schema, or bring it up to this version; the exit status.

    Raises Unavailable, as all here do.
    """
    with connect_to(centre) as connection:
        version = install_schema(connection, load_link_schema())
    print(f"the centre has the schema, version {version}")
    return IN_ORDER


def begin_jackpot(centre: str, name: str, file: Path, tie: str) -> int:
    """Begin a linked jackpot, on the terms of the configuration in `file`; the exit status.

    Raises FileUnusable, Refused.
    """
    plan = load_configuration(file).plan()
    rules = plan.rules(None)
    terms = read_terms(file, rules)
    money = rules.money
    with connect_to(centre) as connection:
        create_jackpot(connection, name, terms, money.base, money.opening, tie)
    print(
        f"jackpot {name}: {plan.game}, opening value {format_cents(money.opening)} "
        f"{terms.currency}, base {format_cents(money.base)} {terms.currency}, tie {tie}"
    )
    return IN_ORDER


def let_join(centre: str, table: str, jackpot: str) -> int:
    """Let a table join a jackpot: make its role; the exit status."""
    with connect_to(centre) as connection:
        admit_member(connection, table, jackpot)
    print(f"{table} may join {jackpot}: its role is {table}")
    return IN_ORDER


def put_next_settings_in_force(centre: str, jackpot: str) -> int:
    """Begin the next jackpot with what two people approved for it; the exit status."""
    with connect_to(centre, ask_password) as connection:
        refusal = begin_next_jackpot(connection, jackpot)
    if refusal is not None:
        print(f"Refused: {refusal.value}, {MEANINGS[refusal]}. Nothing was done.")
        return FAILED
    print(f"Done. Start each table of {jackpot} with these settings.")
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
        alarms = read_alarms(connection)
    if as_json:
        print(msgspec.json.encode({**msgspec.structs.asdict(status), "alarms": alarms}).decode())
        return IN_ORDER
    first, *others = render_status(status)
    lines = [first, *render_alarms(alarms)] if status.alone else [*render_alarms(alarms), first]
    print(*lines, *others, sep="\n")
    return IN_ORDER
