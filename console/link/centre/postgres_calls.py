"""The centre in PostgreSQL, as one member reaches it.

docs/reference/link-rules.md, 1.2 to 1.4 and 3.
"""

import msgspec
from psycopg import Connection

from console.link.centre.answering import AnsweringCentre
from console.link.centre.roles import RoleGroup, make_role
from console.rules.clock_row import ClockCall, ClockRow
from console.rules.link import (
    Answer,
    AnyCall,
    Beat,
    Greeting,
    Held,
    MemberHello,
    ProofAsked,
    RecallAsked,
    Rejoined,
    Shown,
    Welcome,
)
from jackpot.ledger.journal import Head


class ClockCalls:
    """A poker table's calls over one connection in autocommit.

    psycopg.Error and AnsweredWithWarning are no answers.
    """

    def __init__(self, connection: Connection) -> None:
        self._centre = AnsweringCentre(connection)

    def ask(self, call: ClockCall) -> ClockRow:
        """The row; with the change that the call makes, if it is taken."""
        return msgspec.convert(self._centre.ask("clock", call), ClockRow)


def admit_poker_table(connection: Connection, table: str) -> None:
    """Let a table share its tournament's clock. Raises ValueError, psycopg.Error."""
    make_role(connection, table, RoleGroup.POKER_TABLE)


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
