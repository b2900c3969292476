"""Records as a table for people: whole lines in a file, or what fits a terminal's columns."""

from collections.abc import Mapping
from pathlib import Path

from console.bordereau.names_in_force import NamesInForce
from console.configuration.person_names import name_people_in, names_of_ledger
from console.office.ledger.round_lines import text_of
from console.texts.combination_names import TableNames
from console.texts.language import Language
from console.texts.layout import wrap
from console.texts.record_texts import consequences
from jackpot.ledger.journal import Record
from jackpot.money.accounts import Account
from jackpot.money.amounts import format_units

WIDE = 120
"""Columns from which on all facts have a column of their own."""

FEWEST_FOR_WORDS = 20


class RecordTable:
    """The lines of the table, from the first record that is asked for on."""

    end = "\n"

    def __init__(self, folder: Path, columns: int | None, *, newest_first: bool) -> None:
        """`columns`: the terminal's; None: it is none, and each record is one line."""
        self._columns = columns
        self._people = names_of_ledger(folder)
        self._names = NamesInForce(folder, newest_first=newest_first)
        self._narrow = columns is not None and columns < WIDE

    def heading(self) -> list[str]:
        """The line above the records."""
        if self._narrow:
            return [f"{'seq':>7} {'time (UTC)':14} {'round':>5} what came of it"]
        return [f"{'seq':>8} {'time (UTC)':23} {'round':>6} {'kind':14} {'act':32} what came of it"]

    def lines_of(self, record: Record) -> list[str]:
        """A record's lines; the further ones stand under its words."""
        record = name_people_in(record, self._people)
        act, came = text_of(record, names := self._names.at(record)), _came_of(record, names)
        if self._narrow:
            head = f"{record.seq:>7} {record.wall[5:19].replace('T', ' '):14} {record.round:>5} "
            words = "; ".join([act, *came])
        else:
            label = record.wall.removesuffix("+00:00")[:23]
            head = f"{record.seq:>8} {label:23} {record.round:>6} {record.kind:14} {act:32} "
            words = "; ".join(came)
        return self._fit(_printable(head), _printable(words))

    def _fit(self, head: str, words: str) -> list[str]:
        if self._columns is None:
            return [f"{head}{words}".rstrip()]
        width = max(self._columns, len(head) + FEWEST_FOR_WORDS)
        return wrap(words, width, first=head, after=" " * len(head))


def _came_of(record: Record, names: TableNames) -> list[str]:
    act = record.body.get("act")
    who = [f"by {act['who']}"] if isinstance(act, Mapping) and "who" in act else []
    came = [*who, *consequences(record, Language.EN, names)]
    moved = [
        posting.amount
        for transaction in record.transactions
        for posting in transaction.postings
        if posting.account is Account.JACKPOT
    ]
    if jackpot := sum(moved):
        came.append(f"jackpot {'+' if jackpot > 0 else ''}{format_units(jackpot)}")
    return came


def _printable(text: str) -> str:
    """Names come from people, labels perhaps from a tampered file: none controls a terminal."""
    return "".join(one if one.isprintable() else "?" for one in text)
