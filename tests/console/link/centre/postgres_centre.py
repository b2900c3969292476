"""A centre on a real server, with one jackpot of Caribbean Stud, and its tables."""

from contextlib import ExitStack
from typing import Any, Self

import msgspec
from psycopg import Connection

from console.link.centre.jackpot_setup import admit_member, create_jackpot
from console.link.centre.postgres_calls import PostgresCalls
from console.rules.link import (
    Agree,
    Answer,
    AnyCall,
    Beat,
    Cancel,
    Claim,
    Close,
    Deliver,
    Join,
    Leave,
    MemberHello,
    Open,
    Shown,
    Terms,
    Welcome,
)
from jackpot import movements
from jackpot.accounts import Balances, Transaction
from jackpot.amounts import Cents
from jackpot.journal import Head
from jackpot.prizes import Combination, load_prizes
from jackpot.settings import MoneySettings

GAME = "caribbean-stud"
MONEY = MoneySettings()
TERMS = Terms(
    GAME,
    MONEY.token,
    MONEY.to_jackpot,
    MONEY.to_reserve,
    {prize.combination: prize.share for prize in load_prizes(GAME).prizes},
)


class PostgresCentre:
    """A database with the jackpot "stud": 10,000.00 in it, base 5,000.00."""

    def __init__(self, server: Any, database: str, tie: str = "split") -> None:
        self._server = server
        self._database = database
        self._stack = ExitStack()
        self.owner: Connection = self._stack.enter_context(server.connect(database=database))
        create_jackpot(self.owner, "stud", TERMS, MONEY.base, MONEY.opening, tie)

    def __enter__(self) -> Self:
        """The centre ends with the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all connections."""
        self._stack.close()

    def connect(self, user: str) -> Connection:
        """A connection of this role."""
        connection: Connection = self._server.connect(user, self._database)
        return self._stack.enter_context(connection)

    def table(self, name: str) -> "LinkedTable":
        """A table that was admitted, said hello and joined with nothing."""
        admit_member(self.owner, name, "stud")
        table = LinkedTable(name, PostgresCalls(self.connect(name)))
        table.hello()
        table.call(Join, balances=Balances())
        return table

    def one(self, query: str, *arguments: object) -> Any:
        """The first column of the query's only row."""
        row = self.owner.execute(query.encode(), arguments).fetchone()
        assert row is not None, query
        return row[0]


class LinkedTable:
    """A table at the centre: it numbers its calls and books every change that it is answered."""

    def __init__(self, name: str, calls: PostgresCalls) -> None:
        self.name = name
        self.calls = calls
        self.n = self.act = self.session = self.round = self.awards = 0
        self.head = Head(1, "a1")
        self.balances = Balances()
        self.answer: Answer | None = None

    def hello(self) -> Welcome:
        """Begin a session."""
        answered = self.answer
        welcome = self.calls.hello(
            MemberHello(
                1,
                TERMS,
                answered.n if answered else 0,
                answered.hash if answered else "",
                self.head,
            )
        )
        assert isinstance(welcome, Welcome)
        self.session = welcome.session
        return welcome

    def call(self, kind: type[AnyCall], **fields: Any) -> Answer:
        """Make the next call, and book what its answer brings."""
        self.n += 1
        return self.send(msgspec.convert({**fields, "n": self.n}, kind, from_attributes=True))

    def send(self, call: AnyCall) -> Answer:
        """Send this call."""
        self.head = Head(self.head.seq + 1, f"a{self.head.seq + 1}")
        self.answer = self.calls.call(self.session, call, self.act, self.head)
        self._book(self.answer)
        return self.answer

    def beat(self) -> Shown:
        """One beat."""
        shown = self.calls.beat(self.session, Beat("PLAYING", (), None), self.act)
        self._book(shown)
        return shown

    def open(self, stakes: int = 1) -> Answer:
        """A round with so many stakes."""
        self.round += 1
        self.awards = 0
        answer = self.call(Open, round=self.round)
        return self.stake(*range(1, stakes + 1)) if stakes else answer

    def stake(self, *seats: int) -> Answer:
        """A token at each of these seats."""
        tokens = tuple(movements.stake(MONEY, self.identity(f"seat-{seat}")) for seat in seats)
        return self.deliver(*tokens)

    def deliver(self, *transactions: Transaction) -> Answer:
        """These transactions, booked here first."""
        for one in transactions:
            self.balances = self.balances.after(one)
        return self.call(Deliver, round=self.round, transactions=transactions)

    def claim(self, combination: Combination, winners: int = 1) -> Answer:
        """JPOT."""
        if winners == 1:
            self.awards += 1
        return self.call(
            Claim,
            round=self.round,
            identity=self.award,
            combination=combination,
            winners=winners,
        )

    def agree(self) -> Answer:
        """The key is back in R."""
        return self.call(Agree, identity=self.award)

    def cancel(self) -> Answer:
        """The combination is pressed."""
        return self.call(Cancel, identity=self.award)

    def close(self) -> Answer:
        """GAME OVER."""
        return self.call(Close, round=self.round)

    def leave(self) -> Answer:
        """It leaves."""
        return self.call(Leave)

    @property
    def award(self) -> str:
        """Its award's identity."""
        return self.identity(f"award-{self.awards}")

    def identity(self, what: str) -> str:
        """Of something in this round."""
        return f"{self.name}/round-{self.round}/{what}"

    def _book(self, answer: Answer | Shown) -> None:
        for change in answer.changes:
            assert change.act > self.act
            self.act = change.act
            if change.transaction is not None:
                self.balances = self.balances.after(change.transaction)


def euros(amount: int) -> Cents:
    """Whole euros."""
    return Cents(100 * amount)
