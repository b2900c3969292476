"""How long a table ran without a witness: one that lacks more is older than it once was.

A witness is written a second after the ledger at the latest, so a cut of power takes seconds from
it. One that was lost for longer has been reported meanwhile.
"""

import sqlite3

LAG_MS = 60_000
"""The longest a witness may be behind unreported."""

_AFTER = "SELECT boot, at_ms FROM journal WHERE seq > ? ORDER BY seq"


def describe_lag(ledger: sqlite3.Connection, at: int) -> str:
    """Why a witness whose newest record is `at` is too old; "" if it is not. Raises sqlite3.Error.

    Counted is the time between the records after it, in each boot for itself.
    """
    lacks, boot, first, last = 0, -1, 0, 0
    for number, at_ms in ledger.execute(_AFTER, (at,)):
        if number != boot:
            lacks, boot, first = lacks + last - first, number, at_ms
        last = at_ms
        if lacks + last - first > LAG_MS:
            return (
                f"it ends at record {at}, and the table has run for more than {LAG_MS // 1000} s "
                "since: it is older than it was"
            )
    return ""
