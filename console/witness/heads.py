"""The witness's functions, as one table calls them. Needs psycopg (extra `link`)."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import Any, TypeVar

import msgspec
import psycopg
from psycopg import Connection

from console.database.addresses import DatabaseLogin, ServerAddress
from console.database.first_host import connect_to_first, cut_connection
from console.witness.entries import Appended, WitnessEntry
from jackpot.trust.counterpart import CounterpartLost
from jackpot.trust.signed_head import SignedHead
from jackpot.value_mistakes import describe_mistake

STATEMENT_MS = 2000
"""The server gives a call up by itself."""

ANSWER_WITHIN_S = 3.0
"""How long an answer is waited for, whatever the server does."""

KEPT_S = 20.0
"""A connection that was not used for so long is left: the server ends an idle one after 30 s."""

_SETTINGS = f"-c statement_timeout={STATEMENT_MS} -c lock_timeout={STATEMENT_MS}"


_Answer = TypeVar("_Answer")


class WitnessHeads:
    """One connection, made when it is needed, and again after an error. One thread uses it.

    Raises CounterpartLost.
    """

    def __init__(self, login: DatabaseLogin, hosts: Sequence[ServerAddress]) -> None:
        """`hosts`: the first primary among them is taken."""
        self._login = login
        self._hosts = tuple(hosts)
        self._connection: Connection | None = None
        self._used_at = 0.0

    def read_newest(self) -> WitnessEntry | None:
        """Ask for the table's newest entry."""
        answer = self._ask("SELECT witness.read_newest()")
        return None if answer is None else self._convert(answer, WitnessEntry)

    def append(self, head: SignedHead, after: int) -> Appended:
        """Append a head after the entry of this number."""
        answer = self._ask("SELECT witness.append(%s::jsonb, %s)", _encode(head), after)
        return self._convert(answer, Appended)

    def report_parting(self, head: SignedHead) -> None:
        """Tell the house that the ledger with this head is not the one that it knows."""
        self._ask("SELECT witness.report_parting(%s::jsonb)", _encode(head))

    def close(self) -> None:
        """Close the connection; the next call makes another."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _ask(self, query: str, *parameters: object) -> Any:
        began = time.monotonic()
        if began - self._used_at > KEPT_S:
            self.close()
        connection = self._connection or self._connect()
        self._used_at = began = time.monotonic()
        try:
            with _cut_after(connection, ANSWER_WITHIN_S):
                row = connection.execute(query.encode(), parameters).fetchone()
        except psycopg.Error as error:
            self.close()
            late = time.monotonic() - began >= ANSWER_WITHIN_S
            why = f"within {ANSWER_WITHIN_S:g} s" if late else _one_line(error)
            raise CounterpartLost(f"the witness outside does not answer: {why}") from error
        return row[0] if row is not None else None

    def _connect(self) -> Connection:
        try:
            self._connection = connect_to_first(
                self._login,
                self._hosts,
                ("primary",),
                application="banco witness",
                settings=_SETTINGS,
            )
        except psycopg.Error as error:
            raise CounterpartLost(
                f"the witness outside cannot be reached: {_one_line(error)}"
            ) from error
        return self._connection

    def _convert(self, answer: object, to: type[_Answer]) -> _Answer:
        try:
            return msgspec.convert(answer, to)
        except msgspec.ValidationError as error:
            raise CounterpartLost(
                f"the witness outside answers what is no answer: {describe_mistake(error)}"
            ) from error


@contextmanager
def _cut_after(connection: Connection, seconds: float) -> Iterator[None]:
    timer = Timer(seconds, cut_connection, (connection,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _encode(head: SignedHead) -> str:
    return msgspec.json.encode(head).decode()


def _one_line(error: psycopg.Error) -> str:
    return " ".join(str(error).split())
