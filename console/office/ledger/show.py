"""`banco ledger show`: records as a table, as JSON lines or as CSV (RFC 4180)."""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from console.office.ledger.exit_status import IN_ORDER, NotAsked
from console.office.ledger.round_lines import text_of
from console.rules.acts import KINDS, Adopted
from console.rules.records import SNAPSHOT, restore_state, settings_in
from console.texts.combination_names import NOT_KNOWN, TableNames, names_of
from console.texts.language import Language
from console.texts.record_texts import consequences
from console.texts.record_vocabulary import ACTS
from jackpot.foreign_text import quote
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import newest_record
from jackpot.ledger.selection import Selection, select_records
from jackpot.money.accounts import Account
from jackpot.money.amounts import format_units

ACCOUNTS = tuple(account.value for account in Account)
FACTS = ("seq", "boot", "at_ms", "wall", "round", "settings", "kind")
COLUMNS = (*FACTS, "act", "outcome", "refusal", "decisions", "reasons", *ACCOUNTS, "hash")
"""The columns of the CSV. An account's column has what the record adds to it, in exact EUR."""

KNOWN_KINDS = frozenset({*KINDS.values(), *ACTS, SNAPSHOT})
"""The kinds of records, with those that other commands write."""

_HEADING = f"{'seq':>8} {'time (UTC)':23} {'round':>6} {'kind':14} {'act':32} what came of it"


def show_records(folder: Path, selection: Selection, limit: int | None, shape: str) -> int:
    """Print the selected records, each as it is read. Raises NotAsked.

    `limit`: the most of them; None: all. `shape`: one of `SHAPES`.
    """
    for kind in selection.kinds:
        if kind not in KNOWN_KINDS:
            raise NotAsked(f"no kind {quote(kind)}; there are {', '.join(sorted(KNOWN_KINDS))}")
    with closing(select_records(folder, selection)) as found:
        last = SHAPES[shape](islice(found, limit), folder)
        more = limit is not None and next(found, None) is not None
    if more:
        sys.stdout.flush()
        print(f"{limit} records; there are more: --after {last}", file=sys.stderr)
    return IN_ORDER


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


def _print_json(records: Iterable[Record], _: Path) -> int:
    last = 0
    for record in records:
        print(json.dumps(as_plain(record)))
        last = record.seq
    return last


def _print_csv(records: Iterable[Record], _: Path) -> int:
    last = 0
    rows = csv.DictWriter(sys.stdout, COLUMNS)  # lines end with CR LF, as RFC 4180 wants
    rows.writeheader()
    for record in records:
        rows.writerow(_row(record))
        last = record.seq
    return last


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


def _print_table(records: Iterable[Record], folder: Path) -> int:
    last, table = 0, NOT_KNOWN
    for record in records:
        if not last:
            print(_HEADING)
            table = _names_before(folder, record.seq + 1)  # it may be a snapshot itself
        adopted = settings_in(record.kind, record.body)
        table = names_of(adopted) if adopted is not None else table
        print(_line(record, table))
        last = record.seq
    return last


def _line(record: Record, table: TableNames) -> str:
    act = record.body.get("act")
    who = [f"by {act['who']}"] if isinstance(act, Mapping) and "who" in act else []
    came = [*who, *consequences(record, Language.EN, table)]
    jackpot = _sum_postings(record).get(Account.JACKPOT.value, 0)
    if jackpot:
        came.append(f"jackpot {'+' if jackpot > 0 else ''}{format_units(jackpot)}")
    line = (
        f"{record.seq:>8} {record.wall.removesuffix('+00:00')[:23]:23} {record.round:>6} "
        f"{record.kind:14} {text_of(record, table):32} {'; '.join(came)}"
    )
    # Names come from people, labels perhaps from a tampered file: neither may control a terminal.
    return "".join(one if one.isprintable() else "?" for one in line.rstrip())


def _names_before(folder: Path, seq: int) -> TableNames:
    """The names of the buttons before a record; none before the first settings."""
    snapshot = newest_record(folder, kind=SNAPSHOT, before=seq)
    if snapshot is not None:
        return names_of(restore_state(snapshot.body, ()).settings)
    record = newest_record(folder, kind=KINDS[Adopted], before=seq)
    return names_of(settings_in(record.kind, record.body) if record is not None else None)


def _sum_postings(record: Record) -> dict[str, int]:
    moved: dict[str, int] = {}
    for transaction in record.transactions:
        for posting in transaction.postings:
            name = posting.account.value
            moved[name] = moved.get(name, 0) + posting.amount
    return moved


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


SHAPES: Mapping[str, Callable[[Iterable[Record], Path], int]] = {
    "table": _print_table,
    "json": _print_json,
    "csv": _print_csv,
}
"""Each prints records and returns the number of the last one (0: there was none)."""
