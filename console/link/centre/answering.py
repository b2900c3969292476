"""A function of the centre, called over one connection: its answer, or none (section 1.3)."""

from typing import Any

import msgspec
from psycopg import Connection, sql
from psycopg.errors import Diagnostic

from console.rules.link import Awaited, Barred, CentreBars
from jackpot.failures import Unavailable


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
