"""A member that is a connection and a number: a thousand fit on one machine, without couriers."""

from collections.abc import Callable

import psycopg

from console.database.addresses import ServerAddress
from console.link.centre.postgres_calls import AnsweredWithWarning
from console.link.courier import CentreConnection
from console.link.courier_messages import (
    CourierOpening,
)
from console.rules.link import AnyCall, Beat, Close, Deliver, Join, MemberHello, Open, Welcome
from console.simulation.room.postgres_server import dsn_of
from jackpot.ledger.journal import Head
from jackpot.money import movements
from jackpot.money.accounts import Balances
from tests.console.link.linked_table import MONEY, TERMS

DATABASE = "postgres"
SEATS = 7
HEAD = Head(1, "0" * 64)
"""Its journal never goes on: it is never cloned."""

NO_ANSWER = (psycopg.Error, AnsweredWithWarning)

WRITE_ROW = "INSERT INTO public.raw_row (member) VALUES (%s)"


class LightMember:
    """Speaks by the courier's own connection and calls; one call at a time waits for its answer."""

    def __init__(self, name: str, ports: tuple[int, ...]) -> None:
        self.name = name
        self.answers: dict[int, str] = {}
        """The hash of each answer, by the call's number."""
        self.pending: AnyCall | None = None
        self.round = 0
        self.tokens = 0
        """In this round."""
        self._ports = list(ports)
        self._connection: CentreConnection | None = None
        self._rows: psycopg.Connection | None = None
        self._session = 0
        self._timeline = 0

    def ask(self, make: Callable[[int], AnyCall]) -> None:
        """The next call; the one before it is answered."""
        assert self.pending is None, f"{self.name} waits for {self.pending}"
        self.pending = make(len(self.answers) + 1)

    def send(self) -> bool:
        """Send what waits, once; whether it was answered. Raises CentreBars."""
        assert self.pending is not None, f"{self.name} has nothing to send"
        try:
            connection = self._connection or self._connect()
            answer = connection.calls.call(self._session, self.pending, 0, HEAD)
        except NO_ANSWER:
            self.close()
            self._ports.append(self._ports.pop(0))
            return False
        assert answer.n == self.pending.n, f"{self.name}: {answer.n} answers {self.pending.n}"
        self.answers[answer.n] = answer.hash
        self.pending = None
        return True

    def beat(self) -> None:
        """A sign of life. Raises psycopg.Error and CentreBars."""
        connection = self._connection or self._connect()
        connection.calls.beat(self._session, Beat("BETTING", (), None), 0)

    def write_row(self) -> None:
        """One row without any rule, in place of a call. Raises psycopg.Error."""
        if self._rows is None:
            server = dsn_of(self._ports[0], self.name)
            self._rows = psycopg.connect(f"{server} dbname={DATABASE}", autocommit=True)
        self._rows.execute(WRITE_ROW, (self.name,), prepare=True)

    def close(self) -> None:
        """End its connections."""
        for connection in (self._connection, self._rows):
            if connection is not None:
                connection.close()
        self._connection = self._rows = None

    def _connect(self) -> CentreConnection:
        opening = CourierOpening(DATABASE, self.name, None)
        connection = CentreConnection(opening, ServerAddress("127.0.0.1", self._ports[0]))
        self._connection = connection
        answered = len(self.answers)
        answer_hash = self.answers.get(answered, "")
        hello = MemberHello(1, TERMS, answered, answer_hash, HEAD, timeline=self._timeline)
        welcome = connection.calls.hello(hello)
        assert isinstance(welcome, Welcome), f"{self.name}: {welcome}"
        self._session, self._timeline = welcome.session, welcome.timeline
        return connection

    def join(self, n: int) -> AnyCall:
        """It brings nothing."""
        return Join(n, Balances())

    def open_round(self, n: int) -> AnyCall:
        """The next round."""
        self.round += 1
        self.tokens = 0
        return Open(n, self.round)

    def stake_or_open(self, n: int) -> AnyCall:
        """A token more; when all seats have one, the next round."""
        return self.open_round(n) if self.tokens == SEATS else self.stake(n)

    def stake(self, n: int, tokens: int = 1) -> AnyCall:
        """So many tokens more, at the next seats."""
        seats = range(self.tokens + 1, self.tokens + tokens + 1)
        self.tokens += tokens
        identities = (f"{self.name}/round-{self.round}/seat-{seat}/stake" for seat in seats)
        return Deliver(n, self.round, tuple(movements.stake(MONEY, one) for one in identities))

    def close_round(self, n: int) -> AnyCall:
        """The end of its round."""
        return Close(n, self.round)
