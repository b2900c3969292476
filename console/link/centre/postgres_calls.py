"""The centre in PostgreSQL, as one member reaches it.

docs/reference/link-rules.md, 1.2 to 1.4 and 3.
"""

from typing import Any

import msgspec
from psycopg import Connection, sql
from psycopg.errors import Diagnostic

from console.rules.link import (
    Answer,
    AnyCall,
    Awaited,
    Barred,
    Beat,
    CentreBars,
    Greeting,
    Held,
    MemberHello,
    ProofAsked,
    RecallAsked,
    Rejoined,
    Shown,
    Welcome,
)
from console.rules.poker_clock import ClockCall, ClockRow
from jackpot.failures import Unavailable
from jackpot.ledger.journal import Head


class AnsweredWithWarning(Unavailable):
    """The server warned: such as that the standby may not have the commit. It is no answer."""


class AnsweringCentre:
    """Asks functions that take one `jsonb` and return one: a call is one transaction."""

    def __init__(self, connection: Connection) -> None:
        if not connection.autocommit:
            raise ValueError("the connection is not in autocommit: a call would not be committed")
        self._connection = connection
        self._warnings: list[str] = []
        connection.add_notice_handler(self._keep_warning)

    def ask(self, function: str, request: Any) -> dict[str, Any]:
        """Call it. Raises CentreBars; psycopg.Error and AnsweredWithWarning are no answers."""
        query = sql.SQL("SELECT {}(%s::jsonb)::text").format(sql.Identifier("link", function))
        row = self._connection.execute(
            query, (msgspec.json.encode(request).decode(),), prepare=True
        ).fetchone()
        if self._warnings:
            warnings, self._warnings = self._warnings, []
            raise AnsweredWithWarning("; ".join(warnings))
        answer: dict[str, Any] = msgspec.json.decode(row[0] if row else "{}")
        if "barred" in answer:
            awaits = msgspec.convert(answer.get("awaits"), Awaited | None)
            raise CentreBars(Barred(answer["barred"]), awaits)
        return answer

    def _keep_warning(self, notice: Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            self._warnings.append(notice.message_primary or "a warning without a text")


class ClockCalls:
    """A poker table's calls over one connection in autocommit.

    psycopg.Error and AnsweredWithWarning are no answers.
    """

    def __init__(self, connection: Connection) -> None:
        self._centre = AnsweringCentre(connection)

    def ask(self, call: ClockCall) -> ClockRow:
        """The row; with the change that the call makes, if it is taken."""
        return msgspec.convert(self._centre.ask("clock", call), ClockRow)


class PostgresCalls:
    """A `MemberCalls` over one connection in autocommit: a call is one function, one transaction.

    Raises CentreBars; psycopg.Error and AnsweredWithWarning are no answers.
    """

    def __init__(self, connection: Connection) -> None:
        self._centre = AnsweringCentre(connection)

    def hello(self, hello: MemberHello) -> Greeting:
        """Begin a session, which fences the older ones."""
        answer = self._centre.ask("hello", hello)
        if "after" in answer:
            return msgspec.convert(answer, RecallAsked)
        if "session" in answer:
            return msgspec.convert(answer, Welcome)
        if "epoch" in answer:
            return msgspec.convert(answer, Rejoined)
        return msgspec.convert(answer, ProofAsked)

    def call(self, session: int, call: AnyCall, act: int, head: Head) -> Answer:
        """Make a numbered call: by the function of its name."""
        name: str = msgspec.to_builtins(call)["call"]
        request = {"session": session, "act": act, "head": head, "call": call}
        return msgspec.convert(self._centre.ask(name, request), Answer)

    def beat(self, session: int, beat: Beat, act: int) -> Shown:
        """Say that the member is there."""
        answer = self._centre.ask("beat", {"session": session, "act": act, "beat": beat})
        return msgspec.convert(answer, Shown)

    def recall(self, session: int, held: Held | None) -> RecallAsked:
        """Tell a centre that was set back what it answered before; None: that was all."""
        answer = self._centre.ask("recall", {"session": session, "held": held})
        return msgspec.convert(answer, RecallAsked)
