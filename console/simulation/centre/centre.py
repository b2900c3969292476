"""The model of the centre, and a member's way to it (docs/link-rules.md, 2 to 4)."""

from collections.abc import Collection, Mapping
from copy import deepcopy
from typing import Any

from console.link.member_calls import MemberCalls
from console.link.rejoin_list import KnownMember, MemberEntry, RejoinList
from console.rules.link import (
    Agree,
    Answer,
    AnyCall,
    Barred,
    Beat,
    Cancel,
    CentreBars,
    CentreRefusal,
    Change,
    Claim,
    Close,
    Deliver,
    Greeting,
    Held,
    Join,
    Leave,
    MemberHello,
    Open,
    ProofAsked,
    RecallAsked,
    Rejoin,
    Shown,
    Terms,
    Tie,
    Welcome,
)
from console.simulation.centre.awards import CentreAwards, replace_round
from console.simulation.centre.books import CentreBooks
from console.simulation.centre.membership import CentreMembership
from console.simulation.centre.operators import CentreOperators
from console.simulation.centre.recovery import (
    ask_to_recall,
    begin_recovery,
    end_recovery,
    recall_held,
)
from console.simulation.centre.rows import MemberRow, StoredCall
from console.simulation.centre.terms import fits_terms
from jackpot.accounts import Balances
from jackpot.amounts import Cents
from jackpot.journal import Head

VERSION = 1
MANY_MEMBERS = 100
"""Above so many, a beat comes each 4 s (docs/link-rules.md, 1.6)."""


class Centre:
    """A centre in memory. Amounts in cents; `opening` is in the jackpot from the beginning."""

    def __init__(self, terms: Terms, opening: Cents, base: Cents, tie: Tie = Tie.SPLIT) -> None:
        self.timeline = 1
        self.use_books(CentreBooks(terms, opening, base, tie))

    def use_books(self, books: CentreBooks) -> None:
        """Hold these books from now on."""
        self.books = books
        self.awards = CentreAwards(books)
        self.membership = CentreMembership(books, self.end_round)
        self.operators = CentreOperators(books, self.awards, self.end_round)

    @property
    def reading(self) -> Cents:
        """The jackpot at the centre, in whole cents."""
        return self.books.reading

    @property
    def total(self) -> Balances:
        """The jackpot's accounts: the centre's own and all its members'."""
        return self.books.total

    def member(self, name: str) -> MemberCalls:
        """A member's way to the centre; a name not seen before is given a row."""
        self.books.members.setdefault(name, MemberRow(name))
        return MemberOfModel(self, name)

    def stranger(self, name: str) -> MemberCalls:
        """The way of one who has no row."""
        return MemberOfModel(self, name)

    def changes(self, name: str, act: int) -> tuple[Change, ...]:
        """The member's changes of the acts after this one."""
        return changes_since(self.row_of(name), act)

    def promote(self) -> None:
        """The standby is the primary now (section 5.4)."""
        self.timeline += 1

    def approve(self, what: str, arguments: Mapping[str, Any]) -> str | None:
        """Two operators do this, by the name of its command; why not, or None (section 7)."""
        return self.operators.approve(what, arguments)

    def end_round(self, name: str) -> None:
        """The member's round is over at the centre, and its holds."""
        row = self.row_of(name)
        row.round = None
        self.awards.end_holds(name)

    def row_of(self, name: str) -> MemberRow:
        """The member's row. Raises CentreBars."""
        row = self.books.members.get(name)
        if row is None:
            raise CentreBars(Barred.NOT_A_MEMBER)
        return row

    def admit(self, name: str) -> None:
        """Let a table join; again, after it has left. Raises ValueError for a member."""
        self.membership.admit(name)

    def ask_to_leave(self, name: str) -> None:
        """An operator asks a table to leave. Raises ValueError for one that is no member."""
        self.membership.ask_to_leave(name)

    def entries(self, name: str) -> list[MemberEntry]:
        """All that the centre has of a member."""
        return [
            MemberEntry(epoch, n, entry.head, entry.call)
            for (epoch, n), entry in self.row_of(name).entries.items()
        ]

    def know(self, name: str) -> KnownMember:
        """What it knows of a member's journal."""
        return self.membership.know(name)

    def rejoin(self, name: str, listed: RejoinList) -> str | None:
        """Two operators let the table with this ledger rejoin; why not, or None (3.12)."""
        refusal = self.membership.begin_epoch(name, listed)
        if refusal is None:
            self._take(self.row_of(name), Rejoin(1, listed.head, listed.transactions), listed.head)
        return refusal

    def greet(self, name: str, hello: MemberHello) -> Greeting:
        """Begin a session. Raises CentreBars."""
        row = self.row_of(name)
        if row.ended:
            raise CentreBars(Barred.FORKED)
        asked = self.check_head(row, hello)
        if asked is not None:
            return asked
        self.check_answered(row, hello)
        if hello.epoch < row.epoch:
            row.last = hello.head
            return self.membership.describe_rejoin(row)
        if not row.recovering and (row.doubted or hello.terms != self.books.terms):
            raise CentreBars(Barred.SETTINGS)
        row.session += 1
        row.last = hello.head
        row.timeline = hello.timeline if hello.timeline > self.timeline else 0
        if row.recovering:
            return ask_to_recall(row)
        beat_s = 4 if len(self.books.members) > MANY_MEMBERS else 1
        return Welcome(row.session, row.n, beat_s, VERSION, self.timeline, self.reading)

    def check_answered(self, row: MemberRow, hello: MemberHello) -> None:
        """The centre must have what the member, who has proved itself, holds. Raises CentreBars."""
        has = row.has_answered(hello.answered, hello.answer_hash)
        if row.recovering and hello.epoch == row.epoch:
            if hello.answered <= row.n and not has:
                raise CentreBars(Barred.FORKED)
            return
        lower = hello.timeline > self.timeline and hello.timeline != row.timeline
        if lower or hello.epoch > row.epoch or (hello.epoch == row.epoch and not has):
            self.books.set_back = True
        self.check_recovered()

    def check_head(self, row: MemberRow, hello: MemberHello) -> ProofAsked | None:
        """The member must have the last record that the centre has of it. Raises CentreBars."""
        if row.last is None:
            return None
        if hello.head.seq > row.last.seq and (
            hello.proof is None or hello.proof.seq != row.last.seq
        ):
            return ProofAsked(row.last.seq)
        shown = hello.head if hello.head.seq == row.last.seq else hello.proof
        if shown != row.last and not self.membership.may_be_archived(row, hello):
            raise CentreBars(Barred.FORKED)
        return None

    def check_session(self, row: MemberRow, session: int) -> None:
        """A newer session fences this one; or it is doubted. Raises CentreBars."""
        if session != row.session:
            raise CentreBars(Barred.FENCED)
        if row.doubted and not row.recovering:
            raise CentreBars(Barred.SETTINGS)

    def check_recovered(self) -> None:
        """At a centre that was set back and is not recovered nobody plays. Raises CentreBars."""
        if self.books.behind:
            raise CentreBars(Barred.BEHIND)

    def save(self) -> CentreBooks:
        """A copy of all it holds."""
        return deepcopy(self.books)

    def set_back(self, saved: CentreBooks) -> None:
        """Be again as it was saved."""
        self.use_books(deepcopy(saved))

    def recover(self, without: Collection[str] = ()) -> None:
        """Two operators: the centre was set back; all but those that are dead send again."""
        begin_recovery(self.books, without)
        if not self.books.recovering:
            end_recovery(self.books, self.awards)

    def recall(self, name: str, session: int, held: Held | None) -> RecallAsked:
        """Book again what the centre answered before; None: that was all. Raises CentreBars."""
        row = self.row_of(name)
        self.check_session(row, session)
        if row.recovering and held is not None:
            recall_held(self.books, row, held)
        elif row.recovering:
            row.recovering = False
            if not self.books.recovering:
                end_recovery(self.books, self.awards)
        return ask_to_recall(row)

    def answer(self, name: str, session: int, call: AnyCall, act: int, head: Head) -> Answer:
        """Answer a numbered call. Raises CentreBars; ValueError for one that no table makes."""
        row = self.row_of(name)
        self.check_session(row, session)
        self.check_recovered()
        if call.n > row.n + 1:
            raise CentreBars(Barred.GAP)
        if call.n <= row.n and not row.has_stored(call):
            raise CentreBars(Barred.FORKED)
        if call.n == row.n + 1:
            self._take(row, call, head)
        if row.last is None or head.seq > row.last.seq:
            row.last = head
        entry = row.entries[row.epoch, call.n]
        return Answer(
            call.n,
            entry.hash,
            self.reading,
            entry.refusal,
            changes_since(row, act),
            self.books.count_awaited(name),
            entry.act,
            entry.moved,
            row.leaving,
        )

    def show(self, name: str, session: int, act: int) -> Shown:
        """Answer a beat. Raises CentreBars."""
        row = self.row_of(name)
        self.check_session(row, session)
        self.check_recovered()
        return Shown(
            self.reading, changes_since(row, act), self.books.count_awaited(name), row.leaving
        )

    def _take(self, row: MemberRow, call: AnyCall, head: Head) -> None:
        if not row.joined and (row.leaving or not isinstance(call, Join)):
            raise CentreBars(Barred.NOT_A_MEMBER)
        if row.joined and isinstance(call, Join):
            raise CentreBars(Barred.FORKED)
        if isinstance(call, Join) and self.membership.waits_to_join(row, call.balances):
            raise CentreBars(Barred.NOT_A_MEMBER)
        before = len(self.books.money.moved)
        refusal = self._do(row, call)
        act, moved = self.books.act, tuple(self.books.money.moved[before:])
        row.store(StoredCall(call, refusal, act, moved, head))

    def _do(self, row: MemberRow, call: AnyCall) -> CentreRefusal | None:
        refusal = None
        match call:
            case Join():
                self.membership.join(row, call)
            case Leave():
                refusal = self.membership.leave(row)
            case Open():
                replace_round(row, call.round)
                self.awards.end_holds(row.name)
            case Deliver():
                if not fits_terms(row, call, self.books.terms):
                    return CentreRefusal.NOT_THE_TERMS
                row.deliver(call.round, call.transactions)
                self.books.cover()
            case Rejoin():
                row.deliver(None, call.transactions)
                self.books.cover()
            case Claim():
                refusal = self.awards.claim(row, call)
            case Agree():
                refusal = self.awards.agree(row, call)
            case Cancel():
                refusal = self.awards.cancel(row, call)
            case Close():
                if row.round is not None and row.round.number == call.round:
                    self.end_round(row.name)
        return refusal


def changes_since(row: MemberRow, act: int) -> tuple[Change, ...]:
    """The member's changes of the acts after this one, in their order."""
    return tuple(change for change in row.changes if change.act > act)


class MemberOfModel:
    """One member's calls, as `MemberCalls` says."""

    def __init__(self, centre: Centre, name: str) -> None:
        self._centre = centre
        self._name = name

    def hello(self, hello: MemberHello) -> Greeting:
        """Begin a session, which fences the older ones."""
        return self._centre.greet(self._name, hello)

    def call(self, session: int, call: AnyCall, act: int, head: Head) -> Answer:
        """Make a numbered call."""
        return self._centre.answer(self._name, session, call, act, head)

    def beat(self, session: int, _beat: Beat, act: int) -> Shown:
        """Say that the member is there."""
        return self._centre.show(self._name, session, act)

    def recall(self, session: int, held: Held | None) -> RecallAsked:
        """Tell a centre that was set back what it answered before."""
        return self._centre.recall(self._name, session, held)
