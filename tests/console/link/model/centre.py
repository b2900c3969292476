"""The model of the centre, with operators and restores (docs/reference/link-rules.md, 2 to 4).

It is the centre of a rehearsal (console/simulation/centre), and what only tests try.
"""

from collections.abc import Collection, Mapping
from copy import deepcopy
from typing import Any

from console.link.rejoin_list import KnownMember, MemberEntry, RejoinList
from console.rules.link import (
    Answer,
    AnyCall,
    Barred,
    CentreBars,
    CentreRefusal,
    Change,
    Greeting,
    Held,
    Join,
    Leave,
    MemberHello,
    ProofAsked,
    RecallAsked,
    Rejoin,
    Shown,
    Terms,
    Tie,
)
from console.rules.structs import replace
from console.simulation.centre.awards import CentreAwards
from console.simulation.centre.books import MemberRow
from console.simulation.centre.centre import Centre, MemberOfModel, changes_since
from jackpot.ledger.journal import Head
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents
from tests.console.link.model.books import OperatedBooks
from tests.console.link.model.membership import CentreMembership
from tests.console.link.model.operators import CentreOperators
from tests.console.link.model.recovery import (
    ask_to_recall,
    begin_recovery,
    end_recovery,
    recall_held,
)

NO_ROUND = 0
"""What is delivered with a rejoin is of no open round."""


class OperatedCentre(Centre):
    """A centre that has operators, and that can be set back."""

    books: OperatedBooks

    def __init__(self, terms: Terms, opening: Cents, base: Cents, tie: Tie = Tie.SPLIT) -> None:
        super().__init__(terms, opening, base, tie)
        self.use_books(OperatedBooks(terms, opening, base, tie))

    def use_books(self, books: OperatedBooks) -> None:
        """Hold these books from now on."""
        self.books = books
        self.awards = CentreAwards(books)
        self.membership = CentreMembership(books, self.end_round)
        self.operators = CentreOperators(books, self.awards, self.end_round)

    @property
    def total(self) -> Balances:
        """The jackpot's accounts: the centre's own and all its members'."""
        return self.books.total

    def member(self, name: str) -> "MemberOfOperated":
        """A member's way to the centre; a name not seen before is given a row."""
        self.books.members.setdefault(name, MemberRow(name))
        return MemberOfOperated(self, name)

    def stranger(self, name: str) -> "MemberOfOperated":
        """The way of one who has no row."""
        return MemberOfOperated(self, name)

    def changes(self, name: str, act: int) -> tuple[Change, ...]:
        """The member's changes of the acts after this one."""
        return changes_since(self.row_of(name), act)

    def promote(self) -> None:
        """The standby is the primary now (section 5.4)."""
        self.timeline += 1

    def approve(self, what: str, arguments: Mapping[str, Any]) -> str | None:
        """Two operators do this, by the name of its command; why not, or None (section 7)."""
        return self.operators.approve(what, arguments)

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
            self.take(self.row_of(name), Rejoin(1, listed.head, listed.transactions), listed.head)
        return refusal

    def greet(self, name: str, hello: MemberHello) -> Greeting:
        """Begin a session. Raises CentreBars."""
        row, status = self.row_of(name), self.books.status[name]
        if status.ended:
            raise CentreBars(Barred.FORKED)
        asked = self.check_head(row, hello)
        if asked is not None:
            return asked
        self.check_answered(row, hello)
        if hello.epoch < row.epoch:
            row.last = hello.head
            return self.membership.describe_rejoin(row)
        if not status.recovering:
            return super().greet(name, hello)
        self.begin_session(row, hello)
        return ask_to_recall(row)

    def begin_session(self, row: MemberRow, hello: MemberHello) -> None:
        """It fences the older ones."""
        super().begin_session(row, hello)
        later = hello.timeline > self.timeline
        self.books.status[row.name].timeline = hello.timeline if later else 0

    def check_head(self, row: MemberRow, hello: MemberHello) -> ProofAsked | None:
        """A record that is in its archive a table that has left cannot show. Raises CentreBars."""
        if self.membership.may_be_archived(row, hello):
            return None
        return super().check_head(row, hello)

    def check_answered(self, row: MemberRow, hello: MemberHello) -> None:
        """The centre must have what the member, who has proved itself, holds. Raises CentreBars."""
        status = self.books.status[row.name]
        has = row.has_answered(hello.answered, hello.answer_hash)
        if status.recovering and hello.epoch == row.epoch:
            if hello.answered <= row.n and not has:
                raise CentreBars(Barred.FORKED)
            return
        lower = hello.timeline > self.timeline and hello.timeline != status.timeline
        if lower or hello.epoch > row.epoch or (hello.epoch == row.epoch and not has):
            self.books.set_back = True
        self.check_recovered()

    def check_session(self, row: MemberRow, session: int) -> None:
        """One that is doubted may tell again what it was answered. Raises CentreBars."""
        if session != row.session:
            raise CentreBars(Barred.FENCED)
        if row.doubted and not self.books.status[row.name].recovering:
            raise CentreBars(Barred.SETTINGS)

    def check_recovered(self) -> None:
        """At a centre that was set back and is not recovered nobody plays. Raises CentreBars."""
        if self.books.behind:
            raise CentreBars(Barred.BEHIND)

    def answer(self, name: str, session: int, call: AnyCall, act: int, head: Head) -> Answer:
        """Answer a numbered call. Raises CentreBars; ValueError for one that no table makes."""
        self.check_session(self.row_of(name), session)
        self.check_recovered()
        answer = super().answer(name, session, call, act, head)
        return replace(answer, leaving=self.books.status[name].leaving)

    def show(self, name: str, session: int, act: int) -> Shown:
        """Answer a beat. Raises CentreBars."""
        self.check_session(self.row_of(name), session)
        self.check_recovered()
        shown = super().show(name, session, act)
        return replace(shown, leaving=self.books.status[name].leaving)

    def check_joined(self, row: MemberRow, call: AnyCall) -> None:
        """First a table joins, once; with money when two operators let it. Raises CentreBars."""
        leaving = self.books.status[row.name].leaving
        if not row.joined and (leaving or not isinstance(call, Join)):
            raise CentreBars(Barred.NOT_A_MEMBER)
        if row.joined and isinstance(call, Join):
            raise CentreBars(Barred.FORKED)
        if isinstance(call, Join) and self.membership.waits_to_join(row.name, call.balances):
            raise CentreBars(Barred.NOT_A_MEMBER)

    def do(self, row: MemberRow, call: AnyCall) -> CentreRefusal | None:
        """What the call does; why it is refused, or None. Raises ValueError."""
        match call:
            case Join() if sum(call.balances.to_dict().values()) != 0:
                raise ValueError(f"{row.name} joins with balances that do not sum to zero")
            case Leave():
                return self.membership.leave(row)
            case Rejoin():
                row.deliver(NO_ROUND, call.transactions)
                self.books.keep_limit(row.name, NO_ROUND, call.transactions)
                self.books.cover()
                return None
        return super().do(row, call)

    def save(self) -> OperatedBooks:
        """A copy of all it holds."""
        return deepcopy(self.books)

    def set_back(self, saved: OperatedBooks) -> None:
        """Be again as it was saved."""
        self.use_books(deepcopy(saved))

    def recover(self, without: Collection[str] = ()) -> None:
        """Two operators: the centre was set back; all but those that are dead send again."""
        begin_recovery(self.books, without)
        if not self.books.recovering:
            end_recovery(self.books, self.awards)

    def recall(self, name: str, session: int, held: Held | None) -> RecallAsked:
        """Book again what the centre answered before; None: that was all. Raises CentreBars."""
        row, status = self.row_of(name), self.books.status[name]
        self.check_session(row, session)
        if status.recovering and held is not None:
            recall_held(self.books, row, held)
        elif status.recovering:
            status.recovering = False
            if not self.books.recovering:
                end_recovery(self.books, self.awards)
        return ask_to_recall(row)


class MemberOfOperated(MemberOfModel):
    """One member's calls, as `MemberCalls` says."""

    def __init__(self, centre: OperatedCentre, name: str) -> None:
        super().__init__(centre, name)
        self._operated = centre

    def recall(self, session: int, held: Held | None) -> RecallAsked:
        """Tell a centre that was set back what it answered before."""
        return self._operated.recall(self._name, session, held)
