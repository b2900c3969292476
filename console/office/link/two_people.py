"""Two operators do what needs two, at one terminal or from two places.

docs/reference/link-rules.md, 7.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from console.database.connect import DatabaseConnection, connect_to, name_person
from console.link.awaited_terms import describe_awaited
from console.link.centre.proposals import (
    Proposal,
    ProposalRefusal,
    ProposalText,
    TwoPeopleAct,
    approve,
    propose,
    read_currency,
    read_proposal,
)
from console.link.centre.standbys import do_not_wait, set_standbys
from console.link.centre.tournament import TournamentWin, read_win, was_told_before
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.link.proposal_requests import Proposes
from console.office.link.proposal_words import MEANINGS, describe_proposal
from console.office.link.told_ledgers import tell_ledger
from console.office.questions import ask_line, ask_password, confirm
from console.rules.link import CentreBars
from jackpot.failures import Refused
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


class TwoPeople(Struct, frozen=True):
    """Who asks and who approves: their roles at the centre, "" for who is asked or in `centre`."""

    centre: str
    who: str
    second: str = ""
    superuser: str = ""
    """For `alone`: a role that may change the server's settings."""

    propose_only: bool = False
    ledgers: tuple[Path, ...] = ()
    """Those that tell for tables that have left, once a recovery is approved."""

    as_json: bool = False


def ask_two_people(people: TwoPeople, request: Proposes) -> int:
    """Ask two people for what is requested; the exit status.

    Raises Unavailable, Refused, ValueError.
    """
    first_connection = name_person(people.centre, people.who) if people.who else people.centre
    with connect_to(first_connection, ask_password) as first:
        text = request.propose(first)
        words = describe_proposal(first, text)
        say(people, *words)
        if not confirm(f"{first.info.user}, do you ask for this?"):
            return give_up(people)
        if people.propose_only:
            return _propose_only(people, first, text, words)
        return _ask_second(people, first, text, words)


def approve_proposal(people: TwoPeople, number: int) -> int:
    """Approve what another has proposed; the exit status. Raises what `ask_two_people` does."""
    own_connection = name_person(people.centre, people.who) if people.who else people.centre
    with connect_to(own_connection, ask_password) as second:
        proposal = read_proposal(second, number)
        if proposal is None:
            raise Refused(f"there is no proposal {number}: banco link status")
        words = describe_proposal(second, proposal.text)
        proposed = f"proposed by {proposal.proposer}, {proposal.at:%Y-%m-%d %H:%M %Z}"
        say(people, f"Proposal {proposal.number}, {proposed}:", *words)
        if not confirm(f"{second.info.user}, do you approve it?"):
            return give_up(people)
        return _approve(people, second, proposal, words)


def say(people: TwoPeople, *lines: str) -> None:
    """Print for people: with --json not among what a program reads."""
    print(*lines, sep="\n", file=sys.stderr if people.as_json else sys.stdout)


def give_up(people: TwoPeople) -> int:
    """An operator did not confirm."""
    say(people, NOTHING)
    return FAILED


def _propose_only(
    people: TwoPeople, first: DatabaseConnection, text: ProposalText, words: list[str]
) -> int:
    proposal = _propose(first, text)
    say(
        people,
        f"Proposal {proposal.number}, till {proposal.expires:%Y-%m-%d %H:%M %Z}. Another operator: "
        f"banco link approve {proposal.number}",
    )
    _print_result(people, TwoPeopleResult(proposal.number, text, words, expires=proposal.expires))
    return IN_ORDER


def _ask_second(
    people: TwoPeople, first: DatabaseConnection, text: ProposalText, words: list[str]
) -> int:
    who = people.second or ask_line("The second operator's role: ")
    with connect_to(name_person(people.centre, who), ask_password) as second:
        if not confirm(f"{second.info.user}, do you approve it?"):
            return give_up(people)
        with _open_superuser(people, text) as superuser:
            proposal = _propose(first, text)
            return _carry_out(people, second, superuser, proposal, words)


def _approve(
    people: TwoPeople, second: DatabaseConnection, proposal: Proposal, words: list[str]
) -> int:
    with _open_superuser(people, proposal.text) as superuser:
        return _carry_out(people, second, superuser, proposal, words)


def _propose(first: DatabaseConnection, text: ProposalText) -> Proposal:
    if text.what in NOT_AWAITED:
        do_not_wait(first)
    number = propose(first, text)
    proposal = read_proposal(first, number)
    if proposal is None:
        raise Refused(f"proposal {number} is not there")
    return proposal


@contextmanager
def _open_superuser(people: TwoPeople, text: ProposalText) -> Iterator[DatabaseConnection | None]:
    """The connection that changes the server, for `alone`; None for all else."""
    if text.what is not TwoPeopleAct.ALONE:
        yield None
        return
    if not people.superuser:
        raise ValueError("alone changes the server: give --superuser ROLE, such as postgres")
    with connect_to(name_person(people.centre, people.superuser), ask_password) as superuser:
        yield superuser


def _carry_out(
    people: TwoPeople,
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
        _tell_ledgers(people, second, proposal.text.jackpot or "")
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
        say(people, f"Told already: {amount} EUR to ticket {win.ticket}. Pay it once.")
    elif win is not None:
        say(people, f"Done. Pay {format_cents(win.amount)} EUR to ticket {win.ticket}.")
    elif refusal is None:
        say(people, "Done, it is on record at the centre.")
    else:
        say(people, f"Refused: {refusal.value}, {meaning}. {NOTHING}")
    _print_result(people, result)
    return IN_ORDER if refusal is None else FAILED


def _tell_ledgers(people: TwoPeople, second: DatabaseConnection, jackpot: str) -> None:
    """Tell what the ledgers of tables that have left hold; what hinders one is said."""
    for place in people.ledgers:
        try:
            tell_ledger(second, place)
        except CentreBars as bars:
            why = [bars.barred.value]
            if bars.awaits is not None:
                why.append(describe_awaited(bars.awaits, read_currency(second, jackpot)))
            say(people, f"{place} has not told all: {': '.join(why)}")
        else:
            say(people, f"{place} has told all.")


def _find_win(second: DatabaseConnection, text: ProposalText) -> TournamentWin | None:
    if text.what is not TwoPeopleAct.WIN or text.jackpot is None:
        return None
    return read_win(second, text.jackpot, text.arguments["day"])


def _print_result(people: TwoPeople, result: TwoPeopleResult) -> None:
    if people.as_json:
        print(msgspec.json.encode(result).decode())
