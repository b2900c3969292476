"""What a proposal would do, in plain words, with the amounts as the centre now has them."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from console.database.connect import DatabaseConnection
from console.link.awaited_terms import describe_awaited, list_terms
from console.link.centre.proposals import (
    JackpotSettings,
    PendingPart,
    ProposalRefusal,
    ProposalText,
    TwoPeopleAct,
    read_accounts,
    read_currency,
    read_live_parts,
    read_newcomers,
    read_refused,
    read_round,
    read_settings,
    read_tellers,
    read_waiting,
)
from console.link.centre.standbys import read_standbys
from console.link.centre.tournament import read_win, read_win_share
from jackpot.failures import Refused
from jackpot.money.accounts import Account, Balances, Transaction
from jackpot.money.amounts import WHOLE, format_cents, format_percent, format_units, to_cents
from jackpot.money.awards import Award, compute_award
from jackpot.money.prizes import Prize

MEANINGS: Mapping[ProposalRefusal, str] = {
    ProposalRefusal.ROUNDS_OPEN: "rounds are open: wait until they are over",
    ProposalRefusal.ROUND_CLOSED: "that round is over already: look at the table again",
    ProposalRefusal.NOT_PAUSED: "a table is not paused: close all tables of the jackpot",
    ProposalRefusal.NOT_WON: "no award of the whole jackpot is final since they were approved",
    ProposalRefusal.NOT_COVERED: "the jackpot or the reserve would be below zero, or, by a "
    "transfer, the jackpot below its base",
    ProposalRefusal.AWARD_PENDING: "an award is pending: wait until it is final or cancelled",
    ProposalRefusal.AWARD_FINAL: "that award is final or cancelled already, or there is none",
    ProposalRefusal.NOBODY_ELIGIBLE: "the round had fewer stakes than that many winners",
    ProposalRefusal.NOT_JOINED: "that table has not joined, or has left",
    ProposalRefusal.EPOCH_ENDED: "that table has rejoined meanwhile: make the list anew",
    ProposalRefusal.LIST_OUTDATED: "that table was at the centre meanwhile: make the list anew",
    ProposalRefusal.NOT_THE_TERMS: "no money of the terms, or no award of that round: look at it",
    ProposalRefusal.RECOVERING: "the centre was set back: recover it, and wait for its tables",
    ProposalRefusal.NOT_PROPOSED: "nobody has proposed this",
    ProposalRefusal.SAME_PERSON: "who has proposed it cannot approve it",
    ProposalRefusal.APPROVED_ALREADY: "it has been approved already, and is done",
    ProposalRefusal.EXPIRED: "the proposal has expired: propose it again",
    ProposalRefusal.DAY_OVER: "a later day has begun",
    ProposalRefusal.DAY_NOT_BEGUN: "that day has not begun",
    ProposalRefusal.WON_TODAY: "the jackpot was won already that day",
    ProposalRefusal.FEE_NOT_PAID: "that ticket has not paid the fee in that tournament",
    ProposalRefusal.LEVEL_NOT_REACHED: "the tournament has not reached that level",
}

Arguments = dict[str, Any]

MOST_SHOWN = 400
"""The most characters of a refused call that are shown."""

MOST_TOKENS = 20
"""The most tokens of a list that are named."""


def describe_proposal(connection: DatabaseConnection, text: ProposalText) -> list[str]:
    """The lines that both operators read. Raises Refused, psycopg.Error."""
    return DESCRIPTIONS[text.what](connection, text.jackpot or "", text.arguments)


def _correct(connection: DatabaseConnection, jackpot: str, asked: Arguments) -> list[str]:
    there = read_accounts(connection, jackpot)
    source, target = Account(asked["source"]), Account(asked["target"])
    amount: int = asked["amount"]
    currency = read_currency(connection, jackpot)
    lines = [
        f"Correct {jackpot}: {format_units(amount)} {currency} "
        f"from {source.value} to {target.value}.",
        f"  Reason: {asked['reason']}",
    ]
    for account, change in ((source, -amount), (target, amount)):
        now = there.balances.of(account)
        after = format_units(now + change)
        lines.append(f"  {account.value}: {format_units(now)} {currency}, then {after} {currency}")
    if Account.JACKPOT in (source, target):
        lines.append(f"  Every table of {jackpot} shows it: {', '.join(there.tables) or 'none'}.")
    if "member" in asked:
        lines += _name_refused(connection, asked["member"])
        lines.append("  You have looked at the table, and it is let in again.")
    return lines


def _transfer(connection: DatabaseConnection, jackpot: str, asked: Arguments) -> list[str]:
    amount: int = asked["amount"]
    currency = read_currency(connection, jackpot)
    base = format_cents(read_settings(connection, jackpot).base)
    lines = [
        f"Transfer {format_units(amount)} {currency} from {jackpot} to {asked['target']}.",
        f"  Reason: {asked['reason']}",
    ]
    for name, change in ((jackpot, -amount), (asked["target"], amount)):
        there = read_accounts(connection, name)
        now = there.balances.jackpot
        lines.append(
            f"  {name}: {format_units(now)} {currency}, then {format_units(now + change)} "
            f"{currency}. Tables that show it: {', '.join(there.tables) or 'none'}."
        )
    return [*lines, f"  Nothing of the base of {jackpot}, {base} {currency}, is moved."]


def _name_refused(connection: DatabaseConnection, table: str) -> list[str]:
    """The last call of a table that did not fit the terms."""
    refused = read_refused(connection, table)
    if refused is None:
        return [f"  {table} has sent nothing that does not fit the terms."]
    return [
        f"  {table} sent as its call {refused.n} what does not fit the terms; it moved nothing:",
        f"    {refused.call[:MOST_SHOWN]}",
    ]


def _award(connection: DatabaseConnection, jackpot: str, asked: Arguments) -> list[str]:
    there = read_accounts(connection, jackpot)
    settings = read_settings(connection, jackpot)
    winners: int = asked["winners"]
    reading = to_cents(there.balances.jackpot)
    try:
        prize = settings.terms.prize_of(asked["combination"])
    except ValueError as error:
        raise Refused(str(error)) from error
    award = compute_award(prize, winners, reading, asked.get("others", 0))
    currency = settings.terms.currency
    share = format_percent(min(winners * prize.share, WHOLE))
    part = f"{share} % of" if prize.share else "a fixed amount, from"
    lines = [
        f"Give {asked['member']} the award {asked['identity']}: {asked['combination']} in its "
        f"round {asked['round']}, which is over at the centre.",
        f"  {winners} x {format_cents(award.each)} {currency}, {part} "
        f"the jackpot as it now reads ({format_cents(reading)} {currency}).",
        *_name_late_envy(prize, award, currency),
        "  It is final at once; the table books it, and its winners are to be paid.",
    ]
    if award.whole:
        lines.append(f"  The base of {format_cents(settings.base)} {currency} is put in.")
    return [*lines, f"  Every table of {jackpot} shows the rest: {', '.join(there.tables)}."]


def _name_late_envy(prize: Prize, award: Award, currency: str) -> list[str]:
    """Its envy, if it has one."""
    if not prize.envy:
        return []
    if prize.by_house:
        return ["  Its envy is the house's own, at the table: this award does not pay it."]
    if award.envy is None:
        return ["  Envy: no other seat is told: --others says how many there are."]
    each = f"{format_cents(award.envy.each)} {currency}"
    return [f"  Envy: {award.envy.seats} x {each}, to the other seats, from the jackpot."]


def _finish(connection: DatabaseConnection, _jackpot: str, asked: Arguments) -> list[str]:
    part = _find_part(connection, asked)
    if part is None:
        return [f"Finish {asked['identity']} of {asked['member']}: no such award is pending."]
    return [
        f"Finish {_name_part(connection, part)}",
        *_name_doubt(part, "has paid it, or is to"),
        f"  It counts as agreed, and {part.table}'s winners as to be paid by hand.",
        *_name_others(part, "They wait for it no longer."),
        _name_end(part.table),
    ]


def _cancel(connection: DatabaseConnection, _jackpot: str, asked: Arguments) -> list[str]:
    part = _find_part(connection, asked)
    if part is None:
        return [f"Cancel {asked['identity']} of {asked['member']}: no such award is pending."]
    amount = f"{format_cents(part.total)} {read_currency(connection, part.jackpot)}"
    return [
        f"Cancel {_name_part(connection, part)}",
        *_name_doubt(part, "has cancelled it, and paid nobody"),
        f"  {amount} return, and nobody at {part.table} is paid.",
        *_name_others(part, "What each of theirs gets rises."),
        _name_end(part.table),
    ]


def _round_over(connection: DatabaseConnection, _jackpot: str, asked: Arguments) -> list[str]:
    there = read_round(connection, asked["member"])
    if there.round is None:
        return [f"End the round of {there.table} at the centre: it has none open."]
    if there.round != asked.get("round", there.round):
        return [f"End round {asked['round']} of {there.table} at the centre: it is over already."]
    held = ", ".join(f"award {number}" for number in there.held)
    return [
        f"End round {there.round} of {there.table} at the centre: {there.stakes} stakes, "
        f"{there.winners} winners.",
        f"  You have looked at the table, and nobody there claims {held or 'anything'} any more.",
        "  A claim that comes later is refused; two operators can still give it: banco link award.",
    ]


def _allow_join(connection: DatabaseConnection, jackpot: str, asked: Arguments) -> list[str]:
    there = read_accounts(connection, jackpot).balances
    brought, currency = Balances.from_dict(asked["balances"]), read_currency(connection, jackpot)
    lines = [f"Let {asked['member']} join {jackpot} with its own balances:"]
    for account in Account:
        if units := brought.of(account):
            now = there.of(account)
            lines.append(
                f"  {account.value}: {format_units(units)} {currency}; here "
                f"{format_units(now)} {currency}, then {format_units(now + units)} {currency}"
            )
    return [*lines, "  You have compared them with the table's own bordereau."]


def _rejoin(connection: DatabaseConnection, _jackpot: str, asked: Arguments) -> list[str]:
    there = read_round(connection, asked["member"])
    tokens = msgspec.convert(asked["transactions"], tuple[Transaction, ...])
    moved = Balances()
    for token in tokens:
        moved = moved.after(token)
    known = [f"    {one.identity}: {one.reason.value}" for one in tokens[:MOST_TOKENS]]
    if len(tokens) > MOST_TOKENS:
        known.append(f"    and {len(tokens) - MOST_TOKENS} more")
    return [
        f"Let {there.table} rejoin in epoch {asked['epoch'] + 1}, with the ledger that ends at "
        f"record {asked['head']['seq']}.",
        f"  Tokens of it that the centre lacks, and books: {len(tokens)}; "
        f"{format_units(moved.jackpot)} {read_currency(connection, there.jackpot)} to the jackpot.",
        *known,
        "  Its awards stand as they are at the centre. What only the centre has of it stays there.",
        *([f"  Its round {there.round} ends."] if there.round is not None else []),
        "  Any other copy of this table's card is worthless from then on: destroy it.",
    ]


def _recover(connection: DatabaseConnection, jackpot: str, asked: Arguments) -> list[str]:
    without, joined = asked["without"], asked.get("joined", [])
    tellers = {*read_tellers(connection, jackpot), *joined}
    rest = sorted(tellers.difference(without))
    lines = [
        f"Recover {jackpot}: the centre was set back, and is told again what it had answered.",
        f"  These tables send it again, and play when all have: {', '.join(rest) or 'none'}.",
    ]
    if joined:
        heard = {one.table: one.answered for one in read_newcomers(connection, jackpot)}
        named = (
            f"{table} ({heard[table]} answers)" if heard.get(table) else table for table in joined
        )
        lines.append(f"  Joined since the backup, and let in: {', '.join(named)}.")
    lines += [
        f"  The ledger of {table} tells for it, up to answer {end['n']}"
        + ("; it has left, and is let go." if end["left"] else ".")
        for table, end in asked.get("told", {}).items()
    ]
    lines.append(
        "  A table that left since is let go when it has told so: banco link status names it."
    )
    if without:
        lines += [
            f"  Without: {', '.join(without)}. Epoch and round of each end, and what it alone held "
            "is lost.",
            "  Its part of an award is then in doubt, unless the others know its end: "
            "banco link status names it.",
        ]
    return lines


def _settings(connection: DatabaseConnection, jackpot: str, asked: Arguments) -> list[str]:
    now = read_settings(connection, jackpot)
    after = msgspec.convert(asked, JackpotSettings)
    changed = [
        f"  {name}: {there}, then {new}"
        for (name, there), (_, new) in zip(_list_terms(now), _list_terms(after), strict=True)
        if there != new
    ]
    return [
        f"Change the settings of {jackpot}"
        + (", once the jackpot is won:" if "next_jackpot" in asked else ":"),
        *(changed or ["  Nothing would be another."]),
        *(
            f"  {one.table} waits: {describe_awaited(one.awaits, now.terms.currency)}."
            for one in read_waiting(connection)
            if one.jackpot == jackpot
        ),
        "  A table with other settings than these is barred: LINK_SETTINGS.",
    ]


def _alone(connection: DatabaseConnection, _jackpot: str, asked: Arguments) -> list[str]:
    now = read_standbys(connection)
    if asked["standbys"]:
        return [
            f"The centre waits for a standby again: synchronous_standby_names {asked['standbys']} "
            f"(now {now or 'empty'}).",
            "  Without such a standby attached, no table is answered.",
        ]
    return [
        "The centre answers from this machine alone: synchronous_standby_names empty "
        f"(now {now or 'empty'}).",
        "  If this machine is then lost, what it answered meanwhile is lost with it.",
        "  Make sure that no other machine answers: the other server is off, or unplugged.",
        "  Every overview is red until it ends: banco link alone --end LIST",
    ]


def _win(connection: DatabaseConnection, jackpot: str, asked: Arguments) -> list[str]:
    what = f"Win of {jackpot}: ticket {asked['ticket']} in {asked['tournament']}, {asked['day']}"
    there = read_win(connection, jackpot, asked["day"])
    if there is not None and (there.tournament, there.ticket, there.level.value) == (
        asked["tournament"],
        asked["ticket"],
        asked["level"],
    ):
        return [
            f"{what}: told already.",
            f"  {format_cents(there.amount)} EUR, booked then. Nothing is booked again.",
        ]
    reading, share = read_win_share(connection, jackpot, asked["level"])
    amount = format_cents(reading * share // WHOLE)
    return [
        f"{what}.",
        f"  Level {asked['level']}: {format_percent(share)} % of the jackpot as it now reads "
        f"({format_cents(reading)} EUR): {amount} EUR, to be paid.",
        "  You have seen the royal flush, of both own cards and three of the board, told at the "
        "hand's end, and whose ticket it is.",
        "  Then there is no other win that day, in no tournament, and no more fees are sold.",
    ]


def _find_part(connection: DatabaseConnection, asked: Arguments) -> PendingPart | None:
    parts = read_live_parts(connection, asked["member"])
    return next((part for part in parts if part.identity == asked["identity"]), None)


def _name_part(connection: DatabaseConnection, part: PendingPart) -> str:
    currency = read_currency(connection, part.jackpot)
    paid = f"{part.winners} x {format_cents(part.each)} {currency}"
    if part.seats:
        paid += f" and envy {part.seats} x {format_cents(part.envy)} {currency}"
    return (
        f"{part.identity} of {part.table}: {paid}, "
        f"{part.combination}, award {part.award} of {part.jackpot}."
    )


def _name_others(part: PendingPart, what: str) -> list[str]:
    return [f"  In the award, too: {', '.join(part.others)}. {what}"] if part.others else []


def _name_doubt(part: PendingPart, what: str) -> list[str]:
    seen = f"by its own records {part.table} {what}"
    return [f"  In doubt since the centre was set back: {seen}."] if part.in_doubt else []


def _name_end(table: str) -> str:
    return (
        f"  {table} must be unplugged: its round and its epoch end. It comes back only by "
        f"banco link rejoin {table}."
    )


def _list_terms(settings: JackpotSettings) -> list[tuple[str, str]]:
    return [
        *list_terms(settings.terms),
        ("base", f"{format_cents(settings.base)} {settings.terms.currency}"),
        ("tie", settings.tie),
    ]


DESCRIPTIONS: Mapping[TwoPeopleAct, Callable[[DatabaseConnection, str, Arguments], list[str]]] = {
    TwoPeopleAct.CORRECT: _correct,
    TwoPeopleAct.TRANSFER: _transfer,
    TwoPeopleAct.AWARD: _award,
    TwoPeopleAct.FINISH: _finish,
    TwoPeopleAct.CANCEL: _cancel,
    TwoPeopleAct.ROUND_OVER: _round_over,
    TwoPeopleAct.JOIN: _allow_join,
    TwoPeopleAct.REJOIN: _rejoin,
    TwoPeopleAct.RECOVER: _recover,
    TwoPeopleAct.SETTINGS: _settings,
    TwoPeopleAct.ALONE: _alone,
    TwoPeopleAct.WIN: _win,
}
