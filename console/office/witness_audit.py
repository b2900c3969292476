"""The witness outside: its schema is installed, who comes is let in, its heads are audited.

An audit holds the heads against ledgers and signed exports.

See docs/how-to/witness.md.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from enum import Enum
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec import Struct

from console.database.connect import DatabaseConnection, connect_to
from console.database.install import install_schema
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.link.audit_sources import AuditSource, open_export, open_ledger, read_source
from console.office.questions import ask_password
from console.witness.administration import (
    Admission,
    RefusedHead,
    admit_table,
    load_witness_schema,
    make_reader,
    read_entries,
    read_newest_numbers,
    read_not_stored,
    read_refusals,
    read_seen,
)
from console.witness.entries import EntryKind, WitnessEntry
from jackpot.failures import Damaged
from jackpot.ledger.export_lines import Verifier
from jackpot.ledger.journal import Head
from jackpot.trust.signed_head import check_head
from jackpot.trust.signing import load_public

MOST_NAMED = 20
"""The most findings of one kind of one table or source."""


def install_witness(database: str) -> int:
    """Install the schema, or bring it up to this version; the exit status.

    Raises Unavailable, as all here do.
    """
    with connect_to(database, ask_password) as connection:
        version = install_schema(connection, load_witness_schema())
    print(f"the witness has the schema, version {version}")
    return IN_ORDER


def admit(database: str, table: str, key_file: Path, reason: str, head: str) -> int:
    """Admit a table with its public key; the exit status. Raises KeyUnusable, OSError, ValueError.

    `head`: number and hash of the record from which its heads go on; "": the newest known.
    """
    key = load_public(key_file).fingerprint
    admission = Admission(table, key, reason, _head_of(head) if head else None)
    with connect_to(database, ask_password) as connection:
        number = admit_table(connection, admission)
    print(f"{table} is admitted with the key {key}: entry {number}")
    return IN_ORDER


def add_reader(database: str, name: str) -> int:
    """Make the role of somebody who reads the heads; the exit status."""
    with connect_to(database, ask_password) as connection:
        make_reader(connection, name)
    print(f"{name} may read the heads")
    print(f"now give it a password (in psql: \\password {name}), or a certificate")
    return IN_ORDER


def _head_of(text: str) -> Head:
    found = re.fullmatch(r"([0-9]{1,18}):([0-9a-f]{64})", text)
    if found is None:
        raise ValueError(
            f"--from {text}: write the record's number and hash, as banco ledger verify prints "
            "them: 812:1f0c..."
        )
    return Head(int(found[1]), found[2])


class HeadFindingKind(Enum):
    """What a finding says."""

    DIFFERS = "differs"
    UNCHECKED = "unchecked"
    """Signatures of a key that was not given."""
    NOT_HERE = "not-here"
    """The witness knows the record; this ledger or export does not go so far."""
    ADMITTED = "admitted"
    """The house admitted another key, or a ledger that was set back."""
    REFUSED = "refused"
    """A head that the witness did not take."""


class HeadFinding(Struct, frozen=True):
    """What the audit names. `place`: a table at the witness, or a ledger's or export's path."""

    kind: HeadFindingKind
    place: str
    text: str


class HeadAudit(Struct, frozen=True):
    """`right`: nothing differs, and all signatures were checked. `heads`: how many, by table."""

    right: bool
    findings: tuple[HeadFinding, ...]
    sources: tuple[AuditSource, ...]
    heads: Mapping[str, int]


def audit_heads(
    connection: DatabaseConnection,
    upto: Mapping[str, int],
    keys: Sequence[Verifier],
    sources: Sequence[AuditSource],
) -> HeadAudit:
    """Check every head, then compare. Tables may be at play meanwhile.

    `upto`: each table's newest entry, read before the sources were. Raises psycopg.Error,
    msgspec.ValidationError, and what `read_source` does.
    """
    by_key = {key.fingerprint: key for key in keys}
    tables: list[TableHeads] = []
    for name, entries in groupby(read_entries(connection), lambda entry: entry.table_name):
        table = TableHeads(name, by_key)
        tables.append(table)
        for entry in entries:
            table.take(entry)
    findings = [one for table in tables for one in table.list_findings()]
    findings += [_name_refusal(refusal) for refusal in read_refusals(connection)]
    findings += [
        HeadFinding(HeadFindingKind.REFUSED, table, f"{count} more, within a second of another")
        for table, count in read_not_stored(connection).items()
    ]
    for source in sources:
        findings += list(_compare(connection, source, upto))[:MOST_NAMED]
    wrong = {HeadFindingKind.DIFFERS, HeadFindingKind.UNCHECKED}
    right = not any(one.kind in wrong for one in findings)
    counts = {table.name: table.heads for table in tables}
    return HeadAudit(right, tuple(findings), tuple(sources), counts)


class TableHeads:
    """One table's entries, checked as they come."""

    def __init__(self, name: str, keys: Mapping[str, Verifier]) -> None:
        self.heads = 0
        self.name = name
        self._keys = keys
        self._last: WitnessEntry | None = None
        self._wrong: list[str] = []
        self._unchecked: dict[str, int] = {}
        self._admissions: list[str] = []

    def take(self, entry: WitnessEntry) -> None:
        """The next entry."""
        last = self._last
        expected = last.number + 1 if last is not None else 1
        if entry.number != expected:
            self._wrong.append(f"entry {expected} is missing: the next is {entry.number}")
        if entry.kind is EntryKind.ADMISSION:
            self._admit(entry)
        else:
            self._check(entry)
        self._last = entry

    def list_findings(self) -> Iterator[HeadFinding]:
        """What is to be said of it."""
        for text in self._wrong[:MOST_NAMED]:
            yield HeadFinding(HeadFindingKind.DIFFERS, self.name, text)
        for key, count in self._unchecked.items():
            text = f"{count} heads are signed with the key {key}, which was not given"
            yield HeadFinding(HeadFindingKind.UNCHECKED, self.name, text)
        for text in self._admissions[1:]:
            yield HeadFinding(HeadFindingKind.ADMITTED, self.name, text)

    def _admit(self, entry: WitnessEntry) -> None:
        self._admissions.append(
            f"entry {entry.number}: from record {entry.seq} on with the key {entry.key}: "
            f"{entry.reason}"
        )

    def _check(self, entry: WitnessEntry) -> None:
        self.heads += 1
        head, key, last = entry.head(), self._keys.get(entry.key), self._last
        if key is None:
            self._unchecked[entry.key] = self._unchecked.get(entry.key, 0) + 1
        elif head is not None:
            try:
                check_head(head, key)
            except Damaged as error:
                self._wrong.append(f"entry {entry.number}: {error}")
        if last is not None and (
            entry.key != last.key or entry.seq < last.seq or entry.counter < last.counter
        ):
            self._wrong.append(f"entry {entry.number} goes back behind entry {last.number}")


def _compare(
    connection: DatabaseConnection, source: AuditSource, upto: Mapping[str, int]
) -> Iterator[HeadFinding]:
    """Hold a ledger or export against what the witness has seen of its table."""
    if source.problems:
        for problem in source.problems:
            yield HeadFinding(HeadFindingKind.DIFFERS, source.place, problem)
    elif source.table not in upto:
        text = f"the witness has no table {source.table!r}"
        yield HeadFinding(HeadFindingKind.DIFFERS, source.place, text)
    else:
        seen = read_seen(connection, source.table, upto[source.table])
        with closing(seen):
            yield from _compare_records(source, seen)


def _compare_records(source: AuditSource, seen: Iterator[Head]) -> Iterator[HeadFinding]:
    """Both are in the ledger's order. What is before the first record here is in the archive."""
    head = next(seen, None)
    for record in read_source(source):
        while head is not None and head.seq <= record.seq:
            if head.seq == record.seq and head.hash != record.hash:
                text = f"record {head.seq} is not the one that the witness has seen"
                yield HeadFinding(HeadFindingKind.DIFFERS, source.place, text)
            head = next(seen, None)
    if head is None:
        return
    last = max((later.seq for later in seen), default=head.seq)
    if source.whole:
        text = f"it ends at record {source.head.seq}; the witness has seen record {last}"
        yield HeadFinding(HeadFindingKind.DIFFERS, source.place, text)
    else:
        text = f"the witness knows records up to {last}; this export ends at {source.head.seq}"
        yield HeadFinding(HeadFindingKind.NOT_HERE, source.place, text)


def _name_refusal(refusal: RefusedHead) -> HeadFinding:
    head = refusal.head
    text = f"{refusal.at} {refusal.code.value}: record {head.get('seq')}, hash {head.get('hash')}"
    return HeadFinding(HeadFindingKind.REFUSED, refusal.table, text)


WORDS = {
    HeadFindingKind.DIFFERS: "DIFFERS",
    HeadFindingKind.UNCHECKED: "NOT CHECKED",
    HeadFindingKind.NOT_HERE: "not here",
    HeadFindingKind.ADMITTED: "admitted",
    HeadFindingKind.REFUSED: "refused",
}


class HeadAuditRequest(Struct, frozen=True):
    """What the heads are held against: the tables' keys, ledgers, and exports with their key."""

    database: str
    keys: tuple[Path, ...]
    ledgers: tuple[Path, ...]
    exports: tuple[Path, ...]
    house_key: Path | None
    as_json: bool


def print_audit(request: HeadAuditRequest) -> int:
    """Check the heads, and print what is found; the exit status.

    Raises Unavailable, LedgerCorrupt, Refused, OSError, ValueError.
    """
    keys = [load_public(file) for file in request.keys]
    if request.exports and request.house_key is None:
        raise ValueError("--export needs --house-key FILE, the key that signed the export")
    with connect_to(request.database, ask_password) as connection:
        upto = read_newest_numbers(connection)
        sources = [open_ledger(path) for path in request.ledgers]
        if request.house_key is not None:
            house_key = request.house_key
            sources += [open_export(path, load_public(house_key)) for path in request.exports]
        report = audit_heads(connection, upto, keys, sources)
    if request.as_json:
        print(msgspec.json.encode(report, enc_hook=str).decode())
    else:
        print(*render_report(report), sep="\n")
    return IN_ORDER if report.right else FAILED


def render_report(report: HeadAudit) -> list[str]:
    """The report as lines of text."""
    tables = [f"{name}: {count} heads" for name, count in report.heads.items()]
    sources = [
        f"{source.place}: table {source.table}, records {source.first} to {source.head.seq}"
        for source in report.sources
    ]
    findings = [f"{WORDS[one.kind]}: {one.place}: {one.text}" for one in report.findings]
    if not report.right:
        return [*tables, *sources, *findings]
    total = sum(report.heads.values())
    what = f"{total} heads, and {len(sources)} ledgers or exports"
    return [*tables, *sources, *findings, f"in order: {what}"]
