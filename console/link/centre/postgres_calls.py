"""The centre in PostgreSQL, as one member reaches it (docs/link-rules.md, 1.2 to 1.4 and 3)."""

from typing import Any

import msgspec
from psycopg import Connection, sql
from psycopg.errors import Diagnostic

from console.rules.link import (
    Answer,
    AnyCall,
    Barred,
    Beat,
    CentreBars,
    MemberHello,
    ProofAsked,
    Shown,
    Welcome,
)
from jackpot.journal import Head


class AnsweredWithWarning(Exception):
    """The server warned: such as that the standby may not have the commit. It is no answer."""


class PostgresCalls:
    """A `MemberCalls` over one connection in autocommit: a call is one function, one transaction.

    Raises CentreBars; psycopg.Error and AnsweredWithWarning are no answers.
    """

    def __init__(self, connection: Connection) -> None:
        if not connection.autocommit:
            raise ValueError("the connection is not in autocommit: a call would not be committed")
        self._connection = connection
        self._warnings: list[str] = []
        connection.add_notice_handler(self._keep_warning)

    def hello(self, hello: MemberHello) -> Welcome | ProofAsked:
        """Begin a session, which fences the older ones."""
        answer = self._ask("hello", hello)
        if "session" in answer:
            return msgspec.convert(answer, Welcome)
        return msgspec.convert(answer, ProofAsked)

    def call(self, session: int, call: AnyCall, act: int, head: Head) -> Answer:
        """Make a numbered call: by the function of its name."""
        name: str = msgspec.to_builtins(call)["call"]
        request = {"session": session, "act": act, "head": head, "call": call}
        return msgspec.convert(self._ask(name, request), Answer)

    def beat(self, session: int, beat: Beat, act: int) -> Shown:
        """Say that the member is there."""
        answer = self._ask("beat", {"session": session, "act": act, "beat": beat})
        return msgspec.convert(answer, Shown)

    def _ask(self, function: str, request: Any) -> dict[str, Any]:
        query = sql.SQL("SELECT {}(%s::jsonb)::text").format(sql.Identifier("link", function))
        row = self._connection.execute(
            query, (msgspec.json.encode(request).decode(),), prepare=True
        ).fetchone()
        if self._warnings:
            warnings, self._warnings = self._warnings, []
            raise AnsweredWithWarning("; ".join(warnings))
        answer: dict[str, Any] = msgspec.json.decode(row[0] if row else "{}")
        if "barred" in answer:
            raise CentreBars(Barred(answer["barred"]))
        return answer

    def _keep_warning(self, notice: Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            self._warnings.append(notice.message_primary or "a warning without a text")
