"""What two people are asked, and what of it is proposed from what the centre has."""

import re
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from console.configuration.file import load_configuration
from console.configuration.places import ledger_in
from console.database.connect import DatabaseConnection
from console.link.centre.membership import check_prize_file, read_entries, read_known
from console.link.centre.proposals import (
    ProposalText,
    TwoPeopleAct,
    read_asked,
    read_late_claims,
    read_live_parts,
    read_newcomers,
    read_round,
    read_settings,
    read_tellers,
)
from console.link.centre.standbys import check_standbys
from console.link.centre.tournament import Level, TournamentJackpot, read_tournaments
from console.link.rejoin_list import list_missing
from console.office.link.told_ledgers import read_told_ledger
from console.office.table_of_ledger import table_of
from console.rules.centre_orders import terms_of
from console.rules.link import Terms
from console.rules.linked_prizes import find_unlinked_envy
from console.rules.state import Rules
from console.texts.file_texts import word_unlinked_envy
from jackpot.failures import Refused
from jackpot.ledger.ledger import read_records, verify
from jackpot.money.amounts import Cents, to_units

_AWARD = re.compile(r"(?P<table>.+)/round-(?P<round>[0-9]{1,15})/award-[0-9]{1,9}")


def read_terms(file: Path, rules: Rules) -> Terms:
    """The terms of the configuration in `file`. Raises Refused."""
    if rules.prizes is None:
        raise Refused(f"{file}: {rules.game.name} has no jackpot to be linked")
    unlinked = [
        word_unlinked_envy(f"{file}: game.prizes", name).en
        for name in find_unlinked_envy(rules.prizes)
    ]
    if unlinked:
        raise Refused("\n".join(unlinked))
    return terms_of(rules)


class Proposes(Protocol):
    """What is asked of two people."""

    def propose(self, connection: DatabaseConnection) -> ProposalText:
        """What the centre is asked, from what it has.

        Raises Refused, FileUnusable, ValueError.
        """


class CorrectionRequest(Struct, frozen=True):
    """Correct a jackpot's accounts. `table`: is barred and let in again; "": none."""

    jackpot: str
    source: str
    target: str
    amount: Cents
    reason: str
    table: str

    def propose(self, _connection: DatabaseConnection) -> ProposalText:
        """The correction as it is asked."""
        arguments = {
            "source": self.source,
            "target": self.target,
            "amount": to_units(self.amount),
            "reason": self.reason,
            **({"member": self.table} if self.table else {}),
        }
        return ProposalText(self.jackpot, TwoPeopleAct.CORRECT, arguments)


class TransferRequest(Struct, frozen=True):
    """Move money from one jackpot to another."""

    source: str
    target: str
    amount: Cents
    reason: str

    def propose(self, connection: DatabaseConnection) -> ProposalText:
        """The transfer as it is asked."""
        for jackpot in (self.source, self.target):
            read_settings(connection, jackpot)  # it is there
        units = to_units(self.amount)
        arguments = {"target": self.target, "amount": units, "reason": self.reason}
        return ProposalText(self.source, TwoPeopleAct.TRANSFER, arguments)


class AwardRequest(Struct, frozen=True):
    """Give the award of a claim that came too late; what is None is as the claim has it."""

    table: str
    identity: str | None
    combination: str | None
    winners: int | None
    others: int | None
    """The seats that envy from the jackpot goes to."""

    def propose(self, connection: DatabaseConnection) -> ProposalText:
        """The award of the one claim, or of the one that is named."""
        table = read_round(connection, self.table)
        claims = read_late_claims(connection, self.table)
        if self.identity is None and len(claims) != 1:
            there = ", ".join(claim.identity for claim in claims) or "none came too late"
            raise Refused(f"name the award, such as {table.table}/round-17/award-1: {there}")
        identity = self.identity or claims[0].identity
        claim = next((one for one in claims if one.identity == identity), None)
        named = _AWARD.fullmatch(identity)
        if named is None or named["table"] != table.table:
            raise ValueError(f"{identity} is not an award such as {table.table}/round-17/award-1")
        combination = self.combination or (claim.combination if claim else None)
        winners = self.winners or (claim.winners if claim else None)
        if combination is None or winners is None or winners < 1:
            raise Refused(
                f"the centre has no claim {identity}: give --combination and --winners (1 or more)"
            )
        arguments = {
            "member": table.table,
            "round": int(named["round"]),
            "identity": identity,
            "combination": combination,
            "winners": winners,
        }
        others = self.others
        if others is None and claim is not None:
            others = max(claim.others + claim.winners - winners, 0)
        if others:
            arguments["others"] = others
        return ProposalText(table.jackpot, TwoPeopleAct.AWARD, arguments)


class EndRequest(Struct, frozen=True):
    """End a dead table's award, by `act`; `identity`: which, if there is more than one."""

    act: TwoPeopleAct
    table: str
    identity: str | None

    def propose(self, connection: DatabaseConnection) -> ProposalText:
        """The end of the one award that is pending, or of the one that is named."""
        parts = read_live_parts(connection, self.table)
        if self.identity is not None:
            parts = [part for part in parts if part.identity == self.identity]
        if len(parts) != 1:
            jackpot = read_round(connection, self.table).jackpot
            there = ", ".join(part.identity for part in parts) or "none"
            raise Refused(f"pending awards of {self.table} in {jackpot}: {there}")
        arguments = {"member": self.table, "identity": parts[0].identity}
        return ProposalText(parts[0].jackpot, self.act, arguments)


class RoundOverRequest(Struct, frozen=True):
    """End a table's round at the centre."""

    table: str

    def propose(self, connection: DatabaseConnection) -> ProposalText:
        """The end of the round that the centre has open."""
        there = read_round(connection, self.table)
        arguments = {"member": self.table, "round": there.round}
        return ProposalText(there.jackpot, TwoPeopleAct.ROUND_OVER, arguments)


class JoinRequest(Struct, frozen=True):
    """Let a table join with what it asks to bring."""

    table: str

    def propose(self, connection: DatabaseConnection) -> ProposalText:
        """Its balances, as it has told them."""
        jackpot = read_round(connection, self.table).jackpot
        arguments = {"member": self.table, "balances": read_asked(connection, self.table)}
        return ProposalText(jackpot, TwoPeopleAct.JOIN, arguments)


class RejoinRequest(Struct, frozen=True):
    """Let a table come back in a new epoch, by its ledger."""

    table: str
    ledger: Path

    def propose(self, connection: DatabaseConnection) -> ProposalText:
        """The calls that its ledger has and the centre has not."""
        table = read_round(connection, self.table)
        folder = ledger_in(self.ledger)
        if (of_ledger := table_of(folder)) != table.table:
            raise ValueError(f"{self.ledger}: the ledger of {of_ledger or 'no table'}")
        problems = verify(folder).problems
        if problems:
            raise ValueError(f"{self.ledger}: not in order: {problems[0]}")
        known = read_known(connection, table.table)
        entries = read_entries(connection, table.table)
        with closing(read_records(folder, limit=-1)) as records:
            missing = list_missing(records, entries, table.epoch, known)
        arguments = {"member": table.table, **msgspec.to_builtins(missing)}
        return ProposalText(table.jackpot, TwoPeopleAct.REJOIN, arguments)


class RecoveryRequest(Struct, frozen=True):
    """Let the tables tell a centre that was set back. `alone`: it is only proposed here."""

    jackpot: str
    without: tuple[str, ...]
    joined: tuple[str, ...]
    ledgers: tuple[Path, ...]
    """Of tables that have left, which tell for them."""

    alone: bool

    def propose(self, connection: DatabaseConnection) -> ProposalText:
        """Who is to tell, with what the ledgers hold."""
        read_settings(connection, self.jackpot)  # it is there
        if self.ledgers and self.alone:
            raise ValueError("--ledger: both at one terminal; what is proposed alone has no ledger")
        heard = {one.table for one in read_newcomers(connection, self.jackpot)}
        ledgers = [read_told_ledger(place) for place in self.ledgers]
        unknown = {one.table for one in ledgers}.difference(read_tellers(connection, self.jackpot))
        arguments = {
            "without": sorted(set(self.without)),
            "joined": sorted({*self.joined, *heard, *unknown}),
            "told": {
                one.table: {"n": one.n, "hash": one.hash, "left": one.left} for one in ledgers
            },
        }
        return ProposalText(self.jackpot, TwoPeopleAct.RECOVER, arguments)


class SettingsRequest(Struct, frozen=True):
    """Change what all tables have in common. `tie`: None keeps it.

    `next_jackpot`: they wait until the jackpot is won.
    """

    jackpot: str
    file: Path
    tie: str | None
    next_jackpot: bool = False

    def propose(self, connection: DatabaseConnection) -> ProposalText:
        """The terms of the configuration."""
        now = read_settings(connection, self.jackpot)
        rules = load_configuration(self.file).plan().rules(None)
        terms = read_terms(self.file, rules)
        check_prize_file(connection, terms)
        arguments = {
            "terms": msgspec.to_builtins(terms, str_keys=True),
            "base": rules.money.base,
            "tie": self.tie or now.tie,
            **({"next_jackpot": True} if self.next_jackpot else {}),
        }
        return ProposalText(self.jackpot, TwoPeopleAct.SETTINGS, arguments)


class WinRequest(Struct, frozen=True):
    """Book a ticket's win. `jackpot`, `level`: None where there is one, as the tournament is."""

    day: date
    tournament: str
    ticket: str
    level: Level | None
    jackpot: str | None

    def propose(self, connection: DatabaseConnection) -> ProposalText:
        """The win, in the level in which the hand was dealt."""
        jackpot = _find_tournament_jackpot(connection, self.jackpot)
        begun = {one.tournament: one.level for one in jackpot.tournaments}
        level = self.level or begun.get(self.tournament)
        if jackpot.day == self.day and level is None:
            names = ", ".join(begun) or "none"
            raise Refused(f"{self.tournament} has not begun this day; there: {names}")
        if level is Level.OVER:
            raise Refused(
                f"{self.tournament}: late registration is over, no win; if the hand was dealt "
                "before, give its --level"
            )
        arguments = {
            "day": str(self.day),
            "tournament": self.tournament,
            "ticket": self.ticket,
            "level": level or Level.FIRST,
        }
        return ProposalText(jackpot.jackpot, TwoPeopleAct.WIN, arguments)


def _find_tournament_jackpot(connection: DatabaseConnection, name: str | None) -> TournamentJackpot:
    jackpots = read_tournaments(connection)
    found = [one for one in jackpots if name in (None, one.jackpot)]
    if len(found) != 1:
        there = ", ".join(one.jackpot for one in jackpots) or "none"
        raise Refused(f"name the tournament jackpot with --jackpot: {there}")
    return found[0]


class AloneRequest(Struct, frozen=True):
    """Answer without a standby; `standbys`: wait for these again, "": for none."""

    standbys: str

    def propose(self, _connection: DatabaseConnection) -> ProposalText:
        """What the server's setting becomes."""
        standbys = check_standbys(self.standbys) if self.standbys else ""
        return ProposalText(None, TwoPeopleAct.ALONE, {"standbys": standbys})
