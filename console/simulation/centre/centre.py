"""The centre of a rehearsal, and a member's way to it (docs/reference/link-rules.md, 2 to 4).

What a table calls while it plays has the real one's refusals, amounts and awards. Hashes are of
its own chains, acts are counted from its own beginning, and it proves nothing: `proof` is unset.
Version and timeline never change. A table that brings money or leaves, what operators do, and a
centre that was set back, a rehearsal has not. Its other member is `elsewhere`
(docs/reference/scenarios.md).
"""

from msgspec import UNSET

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
    Join,
    MemberHello,
    Open,
    ProofAsked,
    Shown,
    Terms,
    Tie,
    Welcome,
)
from console.simulation.centre.awards import CentreAwards, fits_terms, has_envy
from console.simulation.centre.books import (
    GENESIS,
    AwardPart,
    CentreBooks,
    MemberRow,
    OpenRound,
    StoredCall,
)
from jackpot.ledger.journal import Head
from jackpot.money import movements
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents
from jackpot.money.prizes import CombinationName
from jackpot.money.settings import MoneySettings

VERSION = 1
BEAT_S = 1

NAME = "elsewhere"


class Centre:
    """A centre in memory. Amounts in cents; `opening` is in the jackpot from the beginning."""

    def __init__(self, terms: Terms, opening: Cents, base: Cents, tie: Tie = Tie.SPLIT) -> None:
        self.timeline = 1
        self.books = CentreBooks(terms, opening, base, tie)
        self.awards = CentreAwards(self.books)

    @property
    def reading(self) -> Cents:
        """The jackpot at the centre, in whole cents."""
        return self.books.reading

    def member(self, name: str) -> "MemberOfModel":
        """A member's way to the centre; a name not seen before is given a row."""
        self.books.members.setdefault(name, MemberRow(name))
        return MemberOfModel(self, name)

    def row_of(self, name: str) -> MemberRow:
        """The member's row. Raises CentreBars."""
        row = self.books.members.get(name)
        if row is None:
            raise CentreBars(Barred.NOT_A_MEMBER)
        return row

    def greet(self, name: str, hello: MemberHello) -> Greeting:
        """Begin a session. Raises CentreBars."""
        row = self.row_of(name)
        asked = self.check_head(row, hello)
        if asked is not None:
            return asked
        self.check_answered(row, hello)
        if row.doubted or hello.terms != self.books.terms:
            raise CentreBars(Barred.SETTINGS)
        self.begin_session(row, hello)
        return Welcome(row.session, row.n, BEAT_S, VERSION, self.timeline, self.reading)

    def check_head(self, row: MemberRow, hello: MemberHello) -> ProofAsked | None:
        """The member must have the last record that the centre has of it. Raises CentreBars."""
        if row.last is None:
            return None
        if hello.head.seq > row.last.seq and (
            hello.proof is None or hello.proof.seq != row.last.seq
        ):
            return ProofAsked(row.last.seq)
        shown = hello.head if hello.head.seq == row.last.seq else hello.proof
        if shown != row.last:
            raise CentreBars(Barred.FORKED)
        return None

    def check_answered(self, row: MemberRow, hello: MemberHello) -> None:
        """The centre must have what the member holds as answered. Raises CentreBars."""
        if not row.has_answered(hello.answered, hello.answer_hash):
            raise CentreBars(Barred.BEHIND)

    def begin_session(self, row: MemberRow, hello: MemberHello) -> None:
        """It fences the older ones."""
        row.session += 1
        row.last = hello.head

    def answer(self, name: str, session: int, call: AnyCall, act: int, head: Head) -> Answer:
        """Answer a numbered call. Raises CentreBars; ValueError for one that no table makes."""
        row = self.row_of(name)
        self.check_session(row, session)
        if call.n > row.n + 1:
            raise CentreBars(Barred.GAP)
        if call.n <= row.n and not row.has_stored(call):
            raise CentreBars(Barred.FORKED)
        if call.n == row.n + 1:
            self.take(row, call, head)
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
        )

    def show(self, name: str, session: int, act: int) -> Shown:
        """Answer a beat. Raises CentreBars."""
        row = self.row_of(name)
        self.check_session(row, session)
        return Shown(self.reading, changes_since(row, act), self.books.count_awaited(name))

    def check_session(self, row: MemberRow, session: int) -> None:
        """A newer session fences this one; or it is doubted. Raises CentreBars."""
        if session != row.session:
            raise CentreBars(Barred.FENCED)
        if row.doubted:
            raise CentreBars(Barred.SETTINGS)

    def take(self, row: MemberRow, call: AnyCall, head: Head) -> None:
        """Do the next call and store it. Raises CentreBars."""
        self.check_joined(row, call)
        before = len(self.books.moved)
        refusal = self.do(row, call)
        act, moved = self.books.act, tuple(self.books.moved[before:])
        row.store(StoredCall(call, refusal, act, moved, head))

    def check_joined(self, row: MemberRow, call: AnyCall) -> None:
        """First a table joins, once, and brings nothing. Raises CentreBars."""
        if row.joined and isinstance(call, Join):
            raise CentreBars(Barred.FORKED)
        joins = isinstance(call, Join) and call.balances == Balances()
        if not row.joined and not joins:
            raise CentreBars(Barred.NOT_A_MEMBER)

    def do(self, row: MemberRow, call: AnyCall) -> CentreRefusal | None:
        """What the call does; why it is refused, or None. Raises ValueError for what is none."""
        match call:
            case Join():
                row.join(call.balances)
                self.books.add_what_lacks(self.books.record_act("join"))
            case Open():
                row.round = OpenRound(call.round)
                self.awards.end_holds(row.name)
            case Deliver():
                if not fits_terms(row, call, self.books.terms):
                    return CentreRefusal.NOT_THE_TERMS
                row.deliver(call.round, call.transactions)
                self.books.keep_limit(row.name, call.round, call.transactions)
                self.books.cover()
            case Claim():
                return self.awards.claim(row, call)
            case Agree():
                return self.awards.agree(row, call)
            case Cancel():
                return self.awards.cancel(row, call)
            case Close():
                if row.round is not None and row.round.number == call.round:
                    self.end_round(row.name)
            case _:
                raise ValueError(f"a rehearsal has no call {call}")
        return None

    def end_round(self, name: str) -> None:
        """The member's round is over at the centre, and its holds."""
        self.row_of(name).round = None
        self.awards.end_holds(name)


def changes_since(row: MemberRow, act: int) -> tuple[Change, ...]:
    """The member's changes of the acts after this one, in their order."""
    return tuple(change for change in row.changes if change.act > act)


class MemberOfModel:
    """One member's calls."""

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


class Elsewhere:
    """A table somewhere else on the same jackpot: what it does is at the centre at once."""

    def __init__(self, centre: Centre, name: str = NAME) -> None:
        """It joins with nothing, and has no round open."""
        terms = centre.books.terms
        self._settings = MoneySettings(terms.token, terms.to_jackpot, terms.to_reserve)
        self._calls = centre.member(name)
        self._name = name
        self._centre = centre
        self._head = Head(0, GENESIS)
        self._n = self._round = self._awards = self._stakes = 0
        hello = MemberHello(1, terms, 0, GENESIS, self._head)
        welcome = self._calls.hello(hello)
        self._session = welcome.session if isinstance(welcome, Welcome) else 0
        self._ask(Join(self._next(), Balances()))

    def open(self, stakes: int = 1) -> Answer:
        """It opens its next round, with so many stakes."""
        self._round += 1
        self._awards = 0
        self._stakes = stakes
        self._ask(Open(self._next(), self._round))
        taken = tuple(
            movements.stake(self._settings, f"{self._name}/round-{self._round}/seat-{seat}/stake")
            for seat in range(1, stakes + 1)
        )
        return self._ask(Deliver(self._next(), self._round, taken))

    def claim(self, combination: CombinationName) -> Answer:
        """It claims; while its award is pending, one winner more."""
        part = self._part
        if part is None or not part.live:
            self._awards += 1
        winners = part.winners + 1 if part is not None and part.live else 1
        prize = self._centre.books.terms.prize_of(combination)
        others = self._stakes - winners if has_envy(prize) else UNSET
        claim = Claim(self._next(), self._round, self._award, combination, winners, others)
        return self._ask(claim)

    def agree(self) -> Answer:
        """Its key is back in R."""
        return self._ask(Agree(self._next(), self._award))

    def cancel(self) -> Answer:
        """Its combination is pressed."""
        return self._ask(Cancel(self._next(), self._award))

    def close(self) -> Answer:
        """Its round is over."""
        return self._ask(Close(self._next(), self._round))

    @property
    def _award(self) -> str:
        return f"{self._name}/round-{self._round}/award-{self._awards}"

    @property
    def _part(self) -> AwardPart | None:
        """What the centre has of its award."""
        known = self._centre.books.part_of(self._name, self._award)
        return known[1] if known else None

    def _next(self) -> int:
        self._n += 1
        return self._n

    def _ask(self, call: AnyCall) -> Answer:
        return self._calls.call(self._session, call, 0, self._head)
