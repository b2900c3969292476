"""`banco ledger show`: records as a table, as JSON lines or as CSV (RFC 4180)."""

import csv
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from time import sleep
from typing import Any, Protocol

from msgspec import Struct

from console.bordereau.names_in_force import NamesInForce
from console.configuration.person_names import name_people_in, names_of_ledger
from console.office.ledger.exit_status import IN_ORDER
from console.office.ledger.rounds import text_of
from console.rules.acts import KINDS
from console.rules.records import SNAPSHOT
from console.rules.structs import replace
from console.texts.language import Language
from console.texts.layout import wrap
from console.texts.record_texts import consequences
from console.texts.record_vocabulary import ACTS
from console.texts.table_texts import TableNames
from jackpot.failures import Refused
from jackpot.foreign_text import quote
from jackpot.ledger.journal import Record
from jackpot.ledger.selection import Selection, select_records
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


ACCOUNTS = tuple(account.value for account in Account)
FACTS = ("seq", "boot", "at_ms", "wall", "round", "settings", "kind")
COLUMNS = (*FACTS, "act", "outcome", "refusal", "decisions", "reasons", *ACCOUNTS, "hash")
"""The columns of the CSV. An account's column has what the record adds to it, in exact EUR."""

KNOWN_KINDS = frozenset({*KINDS.values(), *ACTS, SNAPSHOT})
"""The kinds of records, with those that other commands write."""

TABLE = "table"

MOST_SHOWN = 1000
"""Records, unless another number is asked for."""

BEFORE_FOLLOWING = 10
"""Records that are printed before `--follow` waits for further ones."""

FOLLOW_EVERY_S = 0.5

BESIDE_RECORDS = 3
"""Lines of a screen that hold no record: the heading, how many are left out, the prompt."""


class Extent(Struct, frozen=True):
    """How many of the selected records, and in which order."""

    limit: int | None = None
    """At most so many; 0: all; None: not asked, so a table on a terminal is one screen long."""
    last: int | None = None
    """The newest, so many of them; None: not asked."""
    onwards: bool = False
    """Whether the oldest stand first, even in a table."""
    follows: bool = False


class RecordForm(Protocol):
    """A form of records in lines."""

    end: str
    """The end of each line."""

    def heading(self) -> list[str]:
        """The lines above the records."""

    def lines_of(self, record: Record) -> list[str]:
        """A record's lines."""


def _wait_for_records() -> None:
    sleep(FOLLOW_EVERY_S)


def show_records(
    folder: Path,
    selection: Selection,
    extent: Extent,
    shape: str,
    pause: Callable[[], None] = _wait_for_records,
) -> int:
    """Print the selected records, each as it is read; a table begins with the newest.

    `shape`: `table`, `json` or `csv`. `pause`: passes the time before further records are looked
    for. Raises Refused.
    """
    for kind in selection.kinds:
        if kind not in KNOWN_KINDS:
            raise Refused(f"no kind {quote(kind)}; there are {', '.join(sorted(KNOWN_KINDS))}")
    screen = os.get_terminal_size(sys.stdout.fileno()) if sys.stdout.isatty() else None
    newest_first = shape == TABLE and not (extent.onwards or extent.follows)
    form: RecordForm = JsonLines() if shape == "json" else CsvRows()
    if shape == TABLE:
        form = RecordTable(folder, screen and screen.columns, newest_first=newest_first)
    if extent.follows:
        _follow(folder, selection, extent, form, pause)
    elif newest_first:
        _show_newest(folder, selection, extent, form, screen and screen.lines)
    else:
        _show_oldest(folder, selection, extent, form)
    return IN_ORDER


def _show_newest(
    folder: Path, selection: Selection, extent: Extent, form: RecordForm, rows: int | None
) -> None:
    """Print from the newest back, as many as fit a screen's rows if no number is asked for."""
    asked = extent.limit if extent.last is None else extent.last
    fits = rows - BESIDE_RECORDS if rows is not None and asked is None else None
    most = (MOST_SHOWN if asked is None else asked) or None
    count, printed = 0, 0
    with closing(select_records(folder, selection, newest_first=True)) as found:
        for record in found:
            lines = form.lines_of(record)
            if count == most or (fits is not None and count and printed + len(lines) > fits):
                break
            _print_lines(chain([] if count else form.heading(), lines), form)
            count, printed = count + 1, printed + len(lines)
        else:
            return
    if extent.last is None:
        _say_on_error(f"the newest {count}; there are more: --last N, or --limit 0 for all")


def _show_oldest(folder: Path, selection: Selection, extent: Extent, form: RecordForm) -> None:
    limit = (MOST_SHOWN if extent.limit is None else extent.limit) or None
    if extent.last is not None:
        _print_records(reversed(_newest(folder, selection, extent.last)), form)
        return
    with closing(select_records(folder, selection)) as found:
        last = _print_records(islice(found, limit), form)
        more = limit is not None and next(found, None) is not None
    if more:
        _say_on_error(f"{limit} records; there are more: --after {last}")


def _follow(
    folder: Path,
    selection: Selection,
    extent: Extent,
    form: RecordForm,
    pause: Callable[[], None],
) -> None:
    """Print the newest, and each further one as it comes, until a signal ends it."""
    before = BEFORE_FOLLOWING if extent.last is None else extent.last
    newest: Iterable[Record] = reversed(_newest(folder, selection, before))
    if extent.onwards and extent.last is None:
        newest = select_records(folder, selection)
    _print_lines(form.heading(), form)
    last = _print_records(newest, form, headed=True) or selection.after
    while True:
        sys.stdout.flush()
        pause()
        with closing(select_records(folder, replace(selection, after=last))) as found:
            last = _print_records(found, form, headed=True) or last


def _newest(folder: Path, selection: Selection, count: int) -> list[Record]:
    """The newest of the selected records, so many, backwards."""
    with closing(select_records(folder, selection, newest_first=True)) as found:
        return list(islice(found, count))


def _print_records(records: Iterable[Record], form: RecordForm, *, headed: bool = False) -> int:
    """Print them below the heading; the number of the last one (0: there was none)."""
    last = 0
    for record in records:
        _print_lines(chain([] if last or headed else form.heading(), form.lines_of(record)), form)
        last = record.seq
    if not (last or headed) and isinstance(form, CsvRows):
        _print_lines(form.heading(), form)
    return last


def _print_lines(lines: Iterable[str], form: RecordForm) -> None:
    for line in lines:
        print(line, end=form.end)


def _say_on_error(text: str) -> None:
    sys.stdout.flush()
    print(text, file=sys.stderr)


def as_plain(record: Record) -> dict[str, Any]:
    """A record as one JSON object; postings are units, by account."""
    return {
        **_facts_of(record),
        **record.body,
        "transactions": [
            {
                "identity": transaction.identity,
                "reason": transaction.reason.value,
                "postings": {
                    posting.account.value: posting.amount for posting in transaction.postings
                },
            }
            for transaction in record.transactions
        ],
        "hash": record.hash,
    }


def _facts_of(record: Record) -> dict[str, Any]:
    return {
        "seq": record.seq,
        "boot": record.boot,
        "at_ms": record.at_ms,
        "wall": record.wall,
        "round": record.round,
        "settings": record.settings_version,
        "kind": record.kind,
    }


class JsonLines:
    """Each record as one JSON object."""

    end = "\n"

    def heading(self) -> list[str]:
        """None: each line can be read alone."""
        return []

    def lines_of(self, record: Record) -> list[str]:
        """The object."""
        return [json.dumps(as_plain(record))]


class CsvRows:
    """Each record as a row, with a heading even where there is none."""

    end = "\r\n"
    """As RFC 4180 wants."""

    def heading(self) -> list[str]:
        """The columns' names."""
        return [_csv_line(COLUMNS)]

    def lines_of(self, record: Record) -> list[str]:
        """The row."""
        row = _row(record)
        return [_csv_line([row.get(name, "") for name in COLUMNS])]


def _csv_line(cells: Iterable[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()


def _row(record: Record) -> dict[str, Any]:
    body = record.body
    return {
        **_facts_of(record),
        "act": _compact(body["act"]) if "act" in body else "",
        "outcome": body.get("outcome", ""),
        "refusal": body.get("refusal", ""),
        "decisions": _compact(body["decisions"]) if "decisions" in body else "",
        "reasons": " ".join(one.reason.value for one in record.transactions),
        **{name: format_units(units) for name, units in _sum_postings(record).items()},
        "hash": record.hash,
    }


def _sum_postings(record: Record) -> dict[str, int]:
    moved: dict[str, int] = {}
    for transaction in record.transactions:
        for posting in transaction.postings:
            name = posting.account.value
            moved[name] = moved.get(name, 0) + posting.amount
    return moved


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
