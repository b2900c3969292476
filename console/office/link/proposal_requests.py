"""What each command proposes, from its options and from what the centre has."""

import re
from argparse import Namespace
from collections.abc import Callable, Mapping
from contextlib import closing

import msgspec

from console.configuration.file import load_configuration
from console.configuration.places import ledger_in
from console.database.connect import DatabaseConnection
from console.link.centre.alone import check_standbys
from console.link.centre.membership import read_entries, read_known
from console.link.centre.proposal_facts import (
    NotAtTheCentre,
    read_asked,
    read_late_claims,
    read_live_parts,
    read_newcomers,
    read_round,
    read_settings,
    read_tellers,
)
from console.link.centre.proposals import ProposalText, TwoPeopleAct
from console.link.centre.tournament import Level, TournamentJackpot, read_tournaments
from console.link.rejoin_list import list_missing
from console.office.export.table_name import table_of
from console.office.link.told_ledgers import read_told_ledger
from console.rules.link_orders import terms_of
from jackpot.failures import Refused
from jackpot.ledger.ledger import read_records, verify
from jackpot.money.amounts import to_units

_AWARD = re.compile(r"(?P<table>.+)/round-(?P<round>[0-9]{1,15})/award-[0-9]{1,9}")


class NotLinkable(Refused):
    """A configuration without a progressive jackpot."""


def make_proposal(connection: DatabaseConnection, options: Namespace) -> ProposalText:
    """What the options ask. Raises NotAtTheCentre, NotLinkable, ConfigurationErrors, ValueError."""
    return REQUESTS[options.link](connection, options)


def _correct(_connection: DatabaseConnection, options: Namespace) -> ProposalText:
    arguments = {
        "source": options.source,
        "target": options.target,
        "amount": to_units(options.amount),
        "reason": options.reason,
        **({"member": options.table} if options.table else {}),
    }
    return ProposalText(options.jackpot, TwoPeopleAct.CORRECT, arguments)


def _award(connection: DatabaseConnection, options: Namespace) -> ProposalText:
    table = read_round(connection, options.table)
    claims = read_late_claims(connection, options.table)
    if options.identity is None and len(claims) != 1:
        there = ", ".join(claim.identity for claim in claims) or "none came too late"
        raise NotAtTheCentre(f"name the award, such as {table.table}/round-17/award-1: {there}")
    identity = options.identity or claims[0].identity
    claim = next((one for one in claims if one.identity == identity), None)
    named = _AWARD.fullmatch(identity)
    if named is None or named["table"] != table.table:
        raise ValueError(f"{identity} is not an award such as {table.table}/round-17/award-1")
    combination = options.combination or (claim.combination.value if claim else None)
    winners = options.winners or (claim.winners if claim else None)
    if combination is None or winners is None or winners < 1:
        raise NotAtTheCentre(
            f"the centre has no claim {identity}: give --combination and --winners (1 or more)"
        )
    arguments = {
        "member": table.table,
        "round": int(named["round"]),
        "identity": identity,
        "combination": combination,
        "winners": winners,
    }
    return ProposalText(table.jackpot, TwoPeopleAct.AWARD, arguments)


def _end(connection: DatabaseConnection, options: Namespace) -> ProposalText:
    parts = read_live_parts(connection, options.table)
    if options.identity is not None:
        parts = [part for part in parts if part.identity == options.identity]
    if len(parts) != 1:
        jackpot = read_round(connection, options.table).jackpot
        there = ", ".join(part.identity for part in parts) or "none"
        raise NotAtTheCentre(f"pending awards of {options.table} in {jackpot}: {there}")
    arguments = {"member": options.table, "identity": parts[0].identity}
    return ProposalText(parts[0].jackpot, TwoPeopleAct(options.link), arguments)


def _round_over(connection: DatabaseConnection, options: Namespace) -> ProposalText:
    there = read_round(connection, options.table)
    arguments = {"member": options.table, "round": there.round}
    return ProposalText(there.jackpot, TwoPeopleAct.ROUND_OVER, arguments)


def _allow_join(connection: DatabaseConnection, options: Namespace) -> ProposalText:
    jackpot = read_round(connection, options.table).jackpot
    arguments = {"member": options.table, "balances": read_asked(connection, options.table)}
    return ProposalText(jackpot, TwoPeopleAct.JOIN, arguments)


def _rejoin(connection: DatabaseConnection, options: Namespace) -> ProposalText:
    table = read_round(connection, options.table)
    folder = ledger_in(options.ledger)
    if (of_ledger := table_of(folder)) != table.table:
        raise ValueError(f"{options.ledger}: the ledger of {of_ledger or 'no table'}")
    problems = verify(folder).problems
    if problems:
        raise ValueError(f"{options.ledger}: not in order: {problems[0]}")
    known = read_known(connection, table.table)
    entries = read_entries(connection, table.table)
    with closing(read_records(folder, limit=-1)) as records:
        missing = list_missing(records, entries, table.epoch, known)
    arguments = {"member": table.table, **msgspec.to_builtins(missing)}
    return ProposalText(table.jackpot, TwoPeopleAct.REJOIN, arguments)


def _recover(connection: DatabaseConnection, options: Namespace) -> ProposalText:
    read_settings(connection, options.jackpot)  # it is there
    if options.ledgers and options.propose:
        raise ValueError("--ledger: both at one terminal; what is proposed alone has no ledger")
    heard = {one.table for one in read_newcomers(connection, options.jackpot)}
    ledgers = [read_told_ledger(place) for place in options.ledgers]
    unknown = {one.table for one in ledgers}.difference(read_tellers(connection, options.jackpot))
    arguments = {
        "without": sorted(set(options.without)),
        "joined": sorted({*options.joined, *heard, *unknown}),
        "told": {one.table: {"n": one.n, "hash": one.hash, "left": one.left} for one in ledgers},
    }
    return ProposalText(options.jackpot, TwoPeopleAct.RECOVER, arguments)


def _settings(connection: DatabaseConnection, options: Namespace) -> ProposalText:
    now = read_settings(connection, options.jackpot)
    rules = load_configuration(options.config).plan().rules(None)
    if rules.prizes is None:
        raise NotLinkable(f"{options.config}: {rules.game.name} has no jackpot to be linked")
    arguments = {
        "terms": msgspec.to_builtins(terms_of(rules), str_keys=True),
        "base": rules.money.base,
        "tie": options.tie or now.tie,
    }
    return ProposalText(options.jackpot, TwoPeopleAct.SETTINGS, arguments)


def _win(connection: DatabaseConnection, options: Namespace) -> ProposalText:
    jackpot = _find_tournament_jackpot(connection, options.jackpot)
    there = next((one for one in jackpot.tournaments if one.tournament == options.tournament), None)
    level = options.level or (there.level if there else None)
    if jackpot.day == options.day and level is None:
        names = ", ".join(one.tournament for one in jackpot.tournaments) or "none"
        raise NotAtTheCentre(f"{options.tournament} has not begun this day; there: {names}")
    if level is Level.OVER:
        raise NotAtTheCentre(
            f"{options.tournament}: late registration is over, no win; if the hand was dealt "
            "before, give its --level"
        )
    arguments = {
        "day": str(options.day),
        "tournament": options.tournament,
        "ticket": options.ticket,
        "level": level or Level.FIRST,
    }
    return ProposalText(jackpot.jackpot, TwoPeopleAct.WIN, arguments)


def _find_tournament_jackpot(connection: DatabaseConnection, name: str | None) -> TournamentJackpot:
    jackpots = read_tournaments(connection)
    found = [one for one in jackpots if name in (None, one.jackpot)]
    if len(found) != 1:
        there = ", ".join(one.jackpot for one in jackpots) or "none"
        raise NotAtTheCentre(f"name the tournament jackpot with --jackpot: {there}")
    return found[0]


def _alone(_connection: DatabaseConnection, options: Namespace) -> ProposalText:
    standbys = check_standbys(options.end) if options.end else ""
    return ProposalText(None, TwoPeopleAct.ALONE, {"standbys": standbys})


REQUESTS: Mapping[str, Callable[[DatabaseConnection, Namespace], ProposalText]] = {
    "correct": _correct,
    "award": _award,
    "finish": _end,
    "cancel": _end,
    "round-over": _round_over,
    "allow-join": _allow_join,
    "rejoin": _rejoin,
    "recover": _recover,
    "settings": _settings,
    "alone": _alone,
    "win": _win,
}
