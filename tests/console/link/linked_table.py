"""A table as the centre sees it: a journal with its outbox, a ledger, a session."""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from msgspec import UNSET, UnsetType

from console.configuration.table_plan import TablePlan
from console.rules.centre_orders import terms_of
from console.rules.codes import Phase
from console.rules.link import (
    Agree,
    Answer,
    AnyCall,
    AwardState,
    Barred,
    Beat,
    Cancel,
    CentreBars,
    Change,
    Claim,
    Close,
    Deliver,
    Greeting,
    Held,
    Join,
    Leave,
    LinkedAward,
    MemberHello,
    Open,
    ProofAsked,
    RecallAsked,
    Rejoined,
    Shown,
    Terms,
    Welcome,
)
from console.rules.structs import replace
from console.simulation.centre.books import GENESIS, extend_chain
from jackpot.ledger.journal import Head
from jackpot.money import movements
from jackpot.money.accounts import Balances, Reason, Transaction
from jackpot.money.amounts import Cents
from jackpot.money.prize_file import load_prizes, parse_prizes
from jackpot.money.prizes import CombinationName
from jackpot.money.settings import MoneySettings
from tests.console.link.member_contract import MemberCalls

GAME = "caribbean-stud"
MONEY = MoneySettings()
TERMS = Terms(
    GAME,
    MONEY.token,
    MONEY.to_jackpot,
    MONEY.to_reserve,
    {prize.combination: prize.share for prize in load_prizes(GAME).prizes},
)
LIVE = (AwardState.PENDING, AwardState.AGREED)


def read_terms(prizes: str) -> Terms:
    """The terms of a table with a prize file of this text."""
    return terms_of(TablePlan(prizes=parse_prizes(prizes, "prizes.toml")).rules(None))


@dataclass
class Card:
    """All that the table's card holds. To copy it is to clone the table."""

    records: list[str] = field(default_factory=lambda: [extend_chain(GENESIS, "begin")])
    outbox: list[AnyCall] = field(default_factory=list)
    n: int = 0
    answered: int = 0
    answer_hash: str = ""
    act: int = 0
    timeline: int = 0
    held: list[Held] = field(default_factory=list)
    """What it was answered, in order."""
    round: int = 0
    awards: int = 0
    awards_seen: dict[str, LinkedAward] = field(default_factory=dict)
    """Of each award of this table, what the last act left of it."""
    awaited: int = 0
    """Other tables that its award waits for, by the last answer."""
    current: str | None = None
    """The award at this table that is asked, pending or agreed."""
    opening: bool = False
    """COIN IN waits for its answer."""
    unclosed: bool = False
    """An opening was refused, and no message has closed it yet."""
    playing: bool = False
    stakes: int = 0
    """In this round."""
    void: bool = False
    """A rejoin ended the round: the next one has another number."""
    claims: dict[str, int] = field(default_factory=dict)
    """This round's winners by award, but those cancelled."""
    ledger: dict[str, Transaction] = field(default_factory=dict)
    balances: Balances = field(default_factory=Balances)

    @property
    def head(self) -> Head:
        """Its last record."""
        return Head(len(self.records), self.records[-1])

    def record(self, *content: object) -> None:
        """Write a record."""
        self.records.append(extend_chain(self.records[-1], *map(repr, content)))

    def book(self, transaction: Transaction) -> None:
        """Book it, unless it is booked."""
        if transaction.identity not in self.ledger:
            self.ledger[transaction.identity] = transaction
            self.balances = self.balances.after(transaction)


class LinkedTable:
    """A table that sends what its card has in the outbox, and books what it is answered."""

    def __init__(self, name: str, calls: MemberCalls, terms: Terms = TERMS) -> None:
        self.name = name
        self.calls = calls
        self.card = Card()
        self.session = 0
        self.epoch = 1
        self.terms = terms
        self.reading: Cents | None = None

    def clone(self) -> "LinkedTable":
        """Another table with a copy of this one's card."""
        other = LinkedTable(self.name, self.calls, self.terms)
        other.card = copy.deepcopy(self.card)
        other.epoch = self.epoch
        return other

    def start(self, boot: object = "start") -> Welcome:
        """Start: a record, and the first messages of a session. Raises CentreBars."""
        self.card.record(boot)
        return self.hello()

    def hello(self) -> Welcome:
        """Begin a session; send again what a centre that was set back asks for.

        Raises CentreBars.
        """
        greeting = self.prove()
        if isinstance(greeting, RecallAsked):
            self.send_again(greeting)
            return self.hello()
        if greeting.n > self.card.n:
            raise CentreBars(Barred.FORKED)
        self.session = greeting.session
        self.reading = greeting.reading
        self.card.timeline = greeting.timeline
        return greeting

    def prove(self) -> Welcome | RecallAsked:
        """Say hello; show the record that is asked for, begin the new epoch. Raises CentreBars."""
        proof = None
        for _ in range(4):
            greeting = self.greet(proof)
            if isinstance(greeting, Rejoined):
                self.rejoin(greeting)
                proof = None
            elif isinstance(greeting, ProofAsked):
                proof = Head(greeting.seq, self.card.records[greeting.seq - 1])
            else:
                return greeting
        raise AssertionError(f"{self.name}: the centre asks for a proof again")

    def send_again(self, asked: RecallAsked) -> None:
        """Tell a centre that was set back what it answered before. Raises CentreBars."""
        for held in self.card.held:
            call = held.call
            if (call is not None and call.n > asked.after) or held.changes:
                self.calls.recall(asked.session, held)
        self.calls.recall(asked.session, None)

    def rejoin(self, rejoined: Rejoined) -> None:
        """Begin the new epoch with what the centre has not handled."""
        card = self.card
        rest = [
            (call.round, tuple(t for t in call.transactions if t.identity not in rejoined.handled))
            for call in card.outbox
            if isinstance(call, Deliver)
        ]
        card.outbox, card.held = [], []
        card.current, card.opening, card.unclosed, card.playing = None, False, False, False
        self.epoch, card.n, card.answered = rejoined.epoch, rejoined.n, rejoined.n
        card.answer_hash = rejoined.hash
        card.round, card.void = max(card.round, rejoined.round), True
        card.record("rejoined", rejoined)
        for number, tokens in rest:
            if tokens:
                self.ask(partial(Deliver, round=number, transactions=tokens))

    def greet(self, proof: Head | None = None) -> Greeting:
        """Send one hello, with this proof."""
        card = self.card
        hello = MemberHello(
            self.epoch,
            self.terms,
            card.answered,
            card.answer_hash,
            card.head,
            proof,
            card.timeline,
            "stud",
        )
        return self.calls.hello(hello)

    def ask(self, make: Callable[[int], AnyCall]) -> AnyCall:
        """Number a call and record it; it is sent later."""
        self.card.n += 1
        call = make(self.card.n)
        self.card.outbox.append(call)
        self.card.record(call)
        return call

    def send(self) -> Answer:
        """Send the oldest call without an answer. Raises CentreBars."""
        card = self.card
        answer = self.calls.call(self.session, card.outbox[0], card.act, card.head)
        self.take(answer)
        return answer

    def take(self, answer: Answer) -> None:
        """Book an answer to the oldest call."""
        card = self.card
        assert answer.n == card.outbox[0].n, (answer, card.outbox[0])
        call = card.outbox.pop(0)
        card.held.append(Held(call, replace(answer, changes=()), answer.changes))
        card.answered, card.answer_hash = answer.n, answer.hash
        self.book(answer)

    def beat(self, phase: Phase = Phase.PLAYING, faults: tuple[str, ...] = ()) -> Shown:
        """One beat."""
        beat = Beat(phase.value, faults, self.reading)
        shown = self.calls.beat(self.session, beat, self.card.act)
        self.card.held.append(Held(changes=shown.changes))
        self.book(shown)
        return shown

    def book(self, answer: Answer | Shown) -> None:
        """Book the changes that are new, in the order of acts."""
        self.reading, self.card.awaited = answer.reading, answer.awaited
        for change in answer.changes:
            assert change.act > self.card.act, f"{self.name}: act {change.act} again"
            self.card.act = change.act
            self._book_change(change)
        self.card.record("answered", answer)

    def _book_change(self, change: Change) -> None:
        card, award = self.card, change.award
        if change.transaction is not None:
            card.book(change.transaction)
        card.awards_seen[award.identity] = award
        if award.state is AwardState.CANCELLED:
            card.claims.pop(award.identity, None)
        if award.state not in LIVE and card.current == award.identity:
            card.current = None

    def call(self, make: Callable[[int], AnyCall]) -> Answer:
        """Record a call, and send it at once. Raises CentreBars."""
        self.ask(make)
        assert len(self.card.outbox) == 1, self.card.outbox
        return self.send()

    def join(self, balances: Balances | None = None) -> Answer:
        """It joins, with nothing unless it says so."""
        return self.call(lambda n: Join(n, balances or Balances()))

    def leave(self) -> Answer:
        """It leaves."""
        return self.call(Leave)

    def open(self, stakes: int = 1) -> Answer:
        """Its next round, with so many stakes; the last answer."""
        self.card.round += 1
        self.card.awards = 0
        answer = self.call(lambda n: Open(n, self.card.round))
        return self.stake(stakes) if stakes else answer

    def stake(self, tokens: int = 1) -> Answer:
        """So many tokens more."""
        return self.deliver(*(self.token() for _ in range(tokens)))

    def token(self) -> Transaction:
        """One token more, booked here."""
        taken = range(1, 8)
        free = (s for s in taken if self.identity(f"seat-{s}/stake") not in self.card.ledger)
        token = movements.stake(self.money, self.identity(f"seat-{next(free)}/stake"))
        self.card.book(token)
        return token

    def take_token_back(self, seat: int) -> Transaction:
        """A token goes back, exactly reversed, booked here."""
        there = Balances(jackpot=10**15, reserve=10**15)
        back = movements.token_returned(self.money, there, self.identity(f"seat-{seat}/returned"))
        assert back.reason is Reason.TOKEN_RETURNED
        self.card.book(back)
        return back

    def deliver(self, *transactions: Transaction) -> Answer:
        """These transactions."""
        return self.call(lambda n: Deliver(n, self.card.round, transactions))

    def claim(
        self, combination: CombinationName, winners: int = 1, others: int | UnsetType = UNSET
    ) -> Answer:
        """JPOT."""
        if winners == 1:
            self.card.awards += 1
        return self.call(self.claims(combination, winners, others))

    def claims(
        self, combination: CombinationName, winners: int, others: int | UnsetType = UNSET
    ) -> Callable[[int], Claim]:
        """A claim, when it has a number."""
        card = self.card
        return lambda n: Claim(n, card.round, self.award, combination, winners, others)

    def agree(self) -> Answer:
        """The key is back in R."""
        return self.call(lambda n: Agree(n, self.award))

    def cancel(self) -> Answer:
        """The combination is pressed."""
        return self.call(lambda n: Cancel(n, self.award))

    def close(self) -> Answer:
        """GAME OVER."""
        return self.call(lambda n: Close(n, self.card.round))

    @property
    def money(self) -> MoneySettings:
        """What of its terms a token follows."""
        return MoneySettings(self.terms.token, self.terms.to_jackpot, self.terms.to_reserve)

    @property
    def award(self) -> str:
        """The identity of its last award."""
        return self.identity(f"award-{self.card.awards}")

    def identity(self, what: str) -> str:
        """Of something in this round."""
        return f"{self.name}/round-{self.card.round}/{what}"
