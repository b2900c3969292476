"""A centre that was set back is told again what it had answered (docs/reference/link-rules.md,
3.13).

Calls, movements and awards are booked as they were, under the numbers they had; the act `recover`
comes after all of them.
"""

import re
from collections.abc import Collection, Iterable

from console.rules.link import (
    Answer,
    AnyCall,
    AwardState,
    Barred,
    CentreBars,
    CentreMovement,
    Change,
    Close,
    Deliver,
    Held,
    Join,
    Leave,
    LinkedAward,
    Open,
    RecallAsked,
)
from console.simulation.centre.awards import CentreAwards, fits_terms
from console.simulation.centre.books import (
    GENESIS,
    AwardPart,
    BasePutIn,
    MemberRow,
    OpenRound,
    SharedAward,
    StoredCall,
)
from jackpot.ledger.journal import Head
from jackpot.money.accounts import Account, Balances
from jackpot.money.amounts import Cents, to_units
from tests.console.link.model.books import MemberStatus, OperatedBooks


def begin_recovery(books: OperatedBooks, without: Collection[str]) -> None:
    """All members send again; those that are dead have ended, and so has their round."""
    books.set_back = False
    for row in books.members.values():
        status = books.status[row.name]
        if row.name in without:
            status.recovering, row.round = False, None
            status.ended = status.ended or row.n > 0
        elif not status.ended and (row.joined or row.n == 0):
            status.recovering = True


def ask_to_recall(row: MemberRow) -> RecallAsked:
    """What the member is to send again: what comes after this."""
    return RecallAsked(row.session, row.n, max((one.act for one in row.changes), default=0))


def recall_held(books: OperatedBooks, row: MemberRow, held: Held) -> None:
    """Book what is not there. Raises CentreBars for another history than the centre's."""
    if held.call is not None and held.answer is not None:
        _recall_call(books, row, held.call, held.answer)
    there = {change.act for change in row.changes}
    for change in held.changes:
        if change.act not in there:
            _recall_change(books, row, change)


def _recall_call(books: OperatedBooks, row: MemberRow, call: AnyCall, answer: Answer) -> None:
    if call.n > row.n + 1:
        raise CentreBars(Barred.GAP)
    stored = StoredCall(
        call, answer.refusal, answer.act, answer.moved, row.last or Head(0, GENESIS)
    )
    there = row.entries.get((row.epoch, call.n))
    if (there.hash if there is not None else row.hash_call(stored)) != answer.hash:
        raise CentreBars(Barred.FORKED)
    if there is not None:
        return
    if answer.refusal is None:
        _check_joining(books.status[row.name], call)
        _check_terms(books, row, call)
        _book_call(books.status[row.name], row, call)
    for moved in answer.moved:
        _recall_movement(books, moved)
    row.store(stored)
    books.known_act = max(books.known_act, answer.act)


def _check_joining(status: MemberStatus, call: AnyCall) -> None:
    """Money that it says two operators let it bring waits for two (3.14). Raises CentreBars."""
    if isinstance(call, Join) and call.balances not in (Balances(), status.allowed):
        status.asked = call.balances
        raise CentreBars(Barred.NOT_A_MEMBER)


def _check_terms(books: OperatedBooks, row: MemberRow, call: AnyCall) -> None:
    """It waits for the settings that it was booked by. Raises CentreBars."""
    if isinstance(call, Deliver) and not fits_terms(row, call, books.terms):
        raise CentreBars(Barred.SETTINGS)


def _book_call(status: MemberStatus, row: MemberRow, call: AnyCall) -> None:
    """What the call itself did; what it did to awards is in the changes."""
    match call:
        case Join():
            row.join(call.balances)
        case Leave():
            row.joined, status.leaving, row.round = False, True, None
        case Open():
            row.round = OpenRound(call.round)
        case Deliver():
            row.deliver(call.round, call.transactions)
        case Close() if row.round is not None and row.round.number == call.round:
            row.round = None


def _recall_movement(books: OperatedBooks, moved: CentreMovement) -> None:
    if moved not in books.moved:
        amounts = {one.account: one.amount for one in moved.postings}
        books.move_own(moved.identity, moved.reason, amounts)


def _recall_change(books: OperatedBooks, row: MemberRow, change: Change) -> None:
    award = _find_award(books, change.award)
    if (award.combination, award.reading) != (change.award.combination, change.award.reading):
        raise CentreBars(Barred.FORKED)
    part = award.parts.get(change.award.identity)
    if part is None:
        part = AwardPart(row.name, _round_of(change.award.identity), change.award.identity)
        award.parts[part.identity] = part
    if change.award.own:
        part.winners = change.award.own
    part.state = change.award.state
    envy = change.award.paid_envy
    part.others, part.envy = (envy.seats, envy.each) if envy is not None else (0, Cents(0))
    part.paying = to_units(change.award.paying)
    if change.transaction is not None:
        books.move({one.account: one.amount for one in change.transaction.postings})
    row.changes.append(change)
    row.changes.sort(key=lambda one: one.act)
    books.known_act = max(books.known_act, change.act)


def _find_award(books: OperatedBooks, seen: LinkedAward) -> SharedAward:
    for award in books.awards:
        if award.number == seen.number:
            return award
    award = SharedAward(seen.number, seen.combination, seen.reading)
    books.awards.append(award)
    books.awards.sort(key=lambda one: one.number)
    return award


def _round_of(identity: str) -> int:
    found = re.search(r"/round-(\d+)/award-\d+$", identity)
    if found is None:
        raise ValueError(f"{identity} is no award's identity")
    return int(found[1])


def end_recovery(books: OperatedBooks, awards: CentreAwards) -> None:
    """All members have sent: put right what is of no one member's, by the act `recover`."""
    changed = {one.award.number: one for one in _changes_by_act(books)}
    for award in books.awards:
        if award.number in changed:
            _set_recalled_award(books, award, changed[award.number].award)
    _hold_rounds_again(books)
    act = books.record_act("recover")
    for award in _list_outdated_awards(books):
        awards.divide(award, None, act)
    books.add_what_lacks(act)
    for award in books.awards:
        books.put_base_in(award, act)
        books.take_base_back(award, act)
    for award in books.awards:
        awards.settle(award)


def _changes_by_act(books: OperatedBooks) -> list[Change]:
    """The changes of acts that were lost, in their order."""
    last = books.acts[-1].number if books.acts else 0
    changes = (change for row in books.members.values() for change in row.changes)
    return sorted((one for one in changes if one.act > last), key=lambda one: one.act)


def _set_recalled_award(books: OperatedBooks, award: SharedAward, last: LinkedAward) -> None:
    """What each gets by the last change that a member sent, and what the base took."""
    stands = any(True for _ in award.uncancelled)
    award.each = last.each if stands else Cents(0)
    award.total = Cents(award.each * last.winners)
    own = [one for one in books.moved if one.identity.startswith(f"award-{award.number}/")]
    latest = max(own, key=_act_of, default=None)  # in whatever order it was told
    award.base = _base_of(latest) if latest is not None and latest.reason == "reseed" else None


def _list_outdated_awards(books: OperatedBooks) -> list[SharedAward]:
    """Awards that another table divided, of which a table in it was not told."""
    return [
        award
        for award in books.awards
        if any(
            part.paying != to_units(Cents(award.each * part.winners + part.envy * part.others))
            for part in award.live_parts
        )
    ]


def _act_of(moved: CentreMovement) -> int:
    found = re.search(r"/act-(\d+)/", moved.identity)
    if found is None:
        raise ValueError(f"{moved.identity} names no act")
    return int(found[1])


def _base_of(moved: CentreMovement) -> BasePutIn:
    postings = {one.account: one.amount for one in moved.postings}
    return BasePutIn(-postings.get(Account.RESERVE, 0), -postings.get(Account.HOUSE, 0))


def _hold_rounds_again(books: OperatedBooks) -> None:
    """The rounds that were open when an award was frozen, are open yet, and not in it."""
    for award in books.awards:
        award.holds = set()
        paid = any(part.state is AwardState.FINAL for part in award.parts.values())
        if award.live_parts and not paid and books.may_be_shared(award.combination):
            inside = {part.member for part in award.uncancelled}
            first = _first_act(books.members.values(), award.number)
            award.holds = {
                row.name
                for row in books.members.values()
                if row.round is not None
                and row.name not in inside
                and _find_opening_act(row) < first
            }


def _find_opening_act(row: MemberRow) -> int:
    """The jackpot's last act as the open round was opened."""
    opened = (one.act for one in row.entries.values() if isinstance(one.call, Open))
    return max(opened, default=0)


def _first_act(rows: Iterable[MemberRow], number: int) -> int:
    return min(
        change.act for row in rows for change in row.changes if change.award.number == number
    )
