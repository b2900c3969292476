"""What one person does at the centre of a linked jackpot, and what its status says.

A day's books are audited, fixed, and may be put away: docs/reference/link-rules.md, 5.6.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from console.configuration.file import load_configuration
from console.database.connect import DatabaseConnection, connect_to
from console.database.install import install_schema
from console.link.alarms import DAY_S, AlarmCode, RoomAlarm
from console.link.awaited_terms import describe_awaited
from console.link.centre.membership import admit_member, ask_to_leave, create_jackpot
from console.link.centre.proposals import Proposal, TwoPeopleAct, begin_next_jackpot
from console.link.centre.roles import RoleGroup, load_link_schema, make_role
from console.link.centre.room_reading import read_replication, read_room
from console.link.centre.seals import attach, detach, find_last_seal, make_seal
from console.link.centre.status import (
    CentreStatus,
    JackpotStatus,
    TableStatus,
    ToldSince,
    read_status,
)
from console.link.centre.tournament import TOURNAMENT
from console.link.overview import describe_room
from console.link.room_state import RoomState
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.link.audit import audit, render_report
from console.office.link.observations import tell_audit
from console.office.link.proposal_requests import read_terms
from console.office.link.proposal_words import MEANINGS
from console.office.questions import ask_password
from console.texts.language import Language, Words
from console.texts.page_words import Page, page_word, page_words
from jackpot.failures import Refused
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


HOUR_S, MINUTE_S = 3600, 60
AGES = ((2 * DAY_S, DAY_S, "days"), (2 * HOUR_S, HOUR_S, "hours"), (120, MINUTE_S, "minutes"))


def read_alarms(connection: DatabaseConnection) -> tuple[RoomAlarm, ...]:
    """The room's own, as the primary tells them at this instant. Raises psycopg.Error."""
    state = RoomState(0.0)
    state.take_copies(read_replication(connection), 0.0, 0.0)
    state.take_room(read_room(connection), 0.0)
    return describe_room(state, 0.0).alarms


def render_alarms(alarms: tuple[RoomAlarm, ...]) -> list[str]:
    """Each as a line; that the server answers alone the status says first of all."""
    return [
        f"alarm, {one.code.alarm.value}: {write_alarm(one)}"
        for one in alarms
        if one.code is not AlarmCode.ALONE
    ]


def write_alarm(alarm: RoomAlarm, language: Language = Language.EN) -> str:
    """An alarm in the page's words, as console/web/pages/room/alarms.js writes it."""
    group = page_words(Page.ROOM)["alarmWords"]
    assert isinstance(group, Mapping)
    words: Words = group[alarm.code.value]
    return words.in_(language).format(
        age=write_age(alarm.age_s, language),
        table=alarm.table,
        award=alarm.award,
        subject=alarm.subject,
        number=alarm.number,
    )


def write_age(seconds: int, language: Language) -> str:
    """As console/web/pages/room/age.js does."""
    for least, unit, name in AGES:
        if seconds >= least:
            return page_word(Page.ROOM, name).in_(language).format(n=seconds // unit)
    return page_word(Page.ROOM, "seconds").in_(language).format(n=seconds)


KEPT_SEALS = 2
"""So many later seals, each after an audit, must stand before a day is detached."""


def seal_books(centre: str) -> int:
    """Audit what is later than the last seal, and seal; 1, and no seal, if it differs.

    Raises Unavailable, Refused.
    """
    with connect_to(centre) as connection:
        report = audit(connection, [], find_last_seal(connection))
        tell_audit(connection, right=report.right)
        print(*render_report(report), sep="\n")
        if not report.right:
            return FAILED
        seal = make_seal(connection)
        acts = connection.execute(
            "SELECT a.jackpot_id, a.number, encode(a.hash, 'hex') FROM link.act AS a"
            " JOIN link.sealed_jackpot AS s ON s.jackpot_id = a.jackpot_id AND s.act = a.number"
            " WHERE s.seal = %s ORDER BY a.jackpot_id",
            (seal,),
        ).fetchall()
    print(f"seal {seal}")
    for jackpot, act, digest in acts:
        print(f"{jackpot}: act {act}, {digest}")
    return IN_ORDER


def detach_days(centre: str, seal: int, folder: Path) -> int:
    """Audit all that is here, and put the days before a seal into files; 1 if it differs.

    Raises Refused, Unavailable, OSError.
    """
    with connect_to(centre) as connection:
        last = find_last_seal(connection)
        if not 0 < seal <= last - KEPT_SEALS:
            raise Refused(
                f"seal {seal}: the last is {last}, and {KEPT_SEALS} later ones must stand"
            )
        report = audit(connection, [])
        print(*render_report(report), sep="\n")
        if not report.right:
            return FAILED
        rows = detach(connection, seal, folder)
    _print_rows("detached", rows)
    return IN_ORDER


def attach_days(centre: str, seal: int, folder: Path) -> int:
    """Put the days before a seal back, and audit; 1 if that differs.

    Raises Refused, Unavailable, OSError.
    """
    with connect_to(centre) as connection:
        rows = attach(connection, seal, folder)
        _print_rows("attached", rows)
        report = audit(connection, [])
    print(*render_report(report), sep="\n")
    return IN_ORDER if report.right else FAILED


def _print_rows(what: str, rows: dict[str, int]) -> None:
    print(f"{what}: {rows['entry']} calls, {rows['movement']} movements")
