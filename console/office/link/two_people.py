"""Two operators do what needs two, at one terminal or from two places.

docs/reference/link-rules.md, 7.
"""

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import msgspec
from msgspec import Struct

from console.database.connect import DatabaseConnection, connect_to, name_person
from console.link.awaited_terms import describe_awaited
from console.link.centre.alone import do_not_wait, set_standbys
from console.link.centre.proposal_facts import NotAtTheCentre
from console.link.centre.proposals import (
    Proposal,
    ProposalRefusal,
    ProposalText,
    TwoPeopleAct,
    approve,
    propose,
    read_proposal,
)
from console.link.centre.tournament import TournamentWin, read_win, was_told_before
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.link.proposal_requests import make_proposal
from console.office.link.proposal_words import MEANINGS, describe_proposal
from console.office.link.told_ledgers import tell_ledger
from console.office.questions import ask_line, ask_password, confirm
from console.rules.link import CentreBars
from jackpot.money.amounts import format_cents

NOTHING = "Nothing was done."

NOT_AWAITED = (TwoPeopleAct.ALONE, TwoPeopleAct.RECOVER)
"""What is said where no standby may be left. A recovery is said before `alone`: an act `alone` of a
centre that was set back would take the number of a lost act."""


class TwoPeopleResult(Struct, frozen=True):
    """What came of it. `refusal`: of the centre, with its `meaning`. `win`: that is booked;
    `again`: it was before."""

    proposal: int | None
    text: ProposalText
    words: list[str]
    done: bool = False
    expires: datetime | None = None
    refusal: ProposalRefusal | None = None
    meaning: str = ""
    win: TournamentWin | None = None
    again: bool = False


def ask_two_people(options: Namespace) -> int:
    """Answer a command that needs two people; the exit status.

    Raises DatabaseUnusable, NotAtTheCentre, StandbysUnchanged, ValueError.
    """
    first_connection = name_person(options.centre, options.who) if options.who else options.centre
    with connect_to(first_connection, ask_password) as first:
        text = make_proposal(first, options)
        words = describe_proposal(first, text)
        say(options, *words)
        if not confirm(f"{first.info.user}, do you ask for this?"):
            return give_up(options)
        if options.propose:
            return _propose_only(options, first, text, words)
        return _ask_second(options, first, text, words)


def approve_proposal(options: Namespace) -> int:
    """Answer `banco link approve`; the exit status. Raises what `ask_two_people` does."""
    own_connection = name_person(options.centre, options.who) if options.who else options.centre
    with connect_to(own_connection, ask_password) as second:
        proposal = read_proposal(second, options.number)
        if proposal is None:
            raise NotAtTheCentre(f"there is no proposal {options.number}: banco link status")
        words = describe_proposal(second, proposal.text)
        proposed = f"proposed by {proposal.proposer}, {proposal.at:%Y-%m-%d %H:%M %Z}"
        say(options, f"Proposal {proposal.number}, {proposed}:", *words)
        if not confirm(f"{second.info.user}, do you approve it?"):
            return give_up(options)
        return _approve(options, second, proposal, words)


def say(options: Namespace, *lines: str) -> None:
    """Print for people: with --json not among what a program reads."""
    print(*lines, sep="\n", file=sys.stderr if options.json else sys.stdout)


def give_up(options: Namespace) -> int:
    """An operator did not confirm."""
    say(options, NOTHING)
    return FAILED


def _propose_only(
    options: Namespace, first: DatabaseConnection, text: ProposalText, words: list[str]
) -> int:
    proposal = _propose(first, text)
    say(
        options,
        f"Proposal {proposal.number}, till {proposal.expires:%Y-%m-%d %H:%M %Z}. Another operator: "
        f"banco link approve {proposal.number}",
    )
    _print_result(options, TwoPeopleResult(proposal.number, text, words, expires=proposal.expires))
    return IN_ORDER


def _ask_second(
    options: Namespace, first: DatabaseConnection, text: ProposalText, words: list[str]
) -> int:
    who = options.second or ask_line("The second operator's role: ")
    with connect_to(name_person(options.centre, who), ask_password) as second:
        if not confirm(f"{second.info.user}, do you approve it?"):
            return give_up(options)
        with _open_superuser(options, text) as superuser:
            proposal = _propose(first, text)
            return _carry_out(options, second, superuser, proposal, words)


def _approve(
    options: Namespace, second: DatabaseConnection, proposal: Proposal, words: list[str]
) -> int:
    with _open_superuser(options, proposal.text) as superuser:
        return _carry_out(options, second, superuser, proposal, words)


def _propose(first: DatabaseConnection, text: ProposalText) -> Proposal:
    if text.what in NOT_AWAITED:
        do_not_wait(first)
    number = propose(first, text)
    proposal = read_proposal(first, number)
    if proposal is None:
        raise NotAtTheCentre(f"proposal {number} is not there")
    return proposal


@contextmanager
def _open_superuser(options: Namespace, text: ProposalText) -> Iterator[DatabaseConnection | None]:
    """The connection that changes the server, for `alone`; None for all else."""
    if text.what is not TwoPeopleAct.ALONE:
        yield None
        return
    if not options.superuser:
        raise ValueError("alone changes the server: give --superuser ROLE, such as postgres")
    with connect_to(name_person(options.centre, options.superuser), ask_password) as superuser:
        yield superuser


def _carry_out(
    options: Namespace,
    second: DatabaseConnection,
    superuser: DatabaseConnection | None,
    proposal: Proposal,
    words: list[str],
) -> int:
    if proposal.text.what in NOT_AWAITED:
        do_not_wait(second)
    refusal = approve(second, proposal.number, proposal.text)
    if refusal is None and superuser is not None:
        set_standbys(superuser, proposal.text.arguments["standbys"])
    if refusal is None and proposal.text.what is TwoPeopleAct.RECOVER:
        _tell_ledgers(options, second)
    meaning = "" if refusal is None else MEANINGS[refusal]
    win = _find_win(second, proposal.text) if refusal is None else None
    again = win is not None and was_told_before(
        second, proposal.text.jackpot or "", proposal.number
    )
    result = TwoPeopleResult(
        proposal.number,
        proposal.text,
        words,
        refusal is None,
        proposal.expires,
        refusal,
        meaning,
        win,
        again,
    )
    if win is not None and again:
        amount = format_cents(win.amount)
        say(options, f"Told already: {amount} EUR to ticket {win.ticket}. Pay it once.")
    elif win is not None:
        say(options, f"Done. Pay {format_cents(win.amount)} EUR to ticket {win.ticket}.")
    elif refusal is None:
        say(options, "Done, it is on record at the centre.")
    else:
        say(options, f"Refused: {refusal.value}, {meaning}. {NOTHING}")
    _print_result(options, result)
    return IN_ORDER if refusal is None else FAILED


def _tell_ledgers(options: Namespace, second: DatabaseConnection) -> None:
    """Tell what the ledgers of tables that have left hold; what hinders one is said."""
    for place in getattr(options, "ledgers", ()):
        try:
            tell_ledger(second, place)
        except CentreBars as bars:
            why = f": {describe_awaited(bars.awaits)}" if bars.awaits is not None else ""
            say(options, f"{place} has not told all: {bars.barred.value}{why}")
        else:
            say(options, f"{place} has told all.")


def _find_win(second: DatabaseConnection, text: ProposalText) -> TournamentWin | None:
    if text.what is not TwoPeopleAct.WIN or text.jackpot is None:
        return None
    return read_win(second, text.jackpot, text.arguments["day"])


def _print_result(options: Namespace, result: TwoPeopleResult) -> None:
    if options.json:
        print(msgspec.json.encode(result).decode())
