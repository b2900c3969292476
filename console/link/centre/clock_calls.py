"""The row of a tournament's clock in PostgreSQL (docs/reference/poker-rules.md, section 16)."""

import msgspec
from psycopg import Connection

from console.link.centre.answering import AnsweringCentre
from console.link.centre.roles import RoleGroup, make_role
from console.rules.clock_row import ClockCall, ClockRow


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
