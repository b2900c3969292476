"""The ledger of a table that cannot speak tells a centre that was set back.

docs/reference/link-rules.md, 3.13.

So tells a table that has left since the backup, and is started without the link.
"""

from contextlib import closing
from pathlib import Path

from msgspec import Struct

from console.configuration.places import ledger_in
from console.database.connect import DatabaseConnection
from console.link.centre.membership import tell_for
from console.link.recall import cut_held
from console.link.rejoin_list import find_last_link
from console.office.table_of_ledger import table_of
from console.rules.link import Held
from console.rules.link_state import LeftLink
from console.service.disk import read_held
from jackpot.ledger.ledger import read_records, verify


class ToldLedger(Struct, frozen=True):
    """What two operators approve of a ledger: its last answer. `left`: its table has left."""

    table: str
    n: int
    hash: str
    left: bool


def read_told_ledger(place: Path) -> ToldLedger:
    """A ledger's end. Raises ValueError for one that is not in order, or of no linked table."""
    folder = ledger_in(place)
    problems = verify(folder).problems
    if problems:
        raise ValueError(f"{place}: not in order: {problems[0]}")
    with closing(read_records(folder, limit=-1)) as records:
        link = find_last_link(records)
    left = isinstance(link, LeftLink) or link.left is not None
    return ToldLedger(table_of(folder), link.answered, link.answer_hash, left)


def tell_ledger(connection: DatabaseConnection, place: Path) -> None:
    """Tell all that the ledger holds as answered. Raises CentreBars, psycopg.Error, ValueError."""
    folder = ledger_in(place)
    table = table_of(folder)
    asked = tell_for(connection, table, Held())
    seq: int | None = 0
    while seq is not None:
        page = read_held(folder, asked.after, seq)
        for held in page.held:
            for piece in cut_held(held, asked.act):
                tell_for(connection, table, piece)
        seq = page.last
    tell_for(connection, table, None)
