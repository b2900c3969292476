"""`banco witness audit`: the audit of the witness's heads, as lines of text or as JSON."""

from pathlib import Path

import msgspec
from msgspec import Struct

from console.database.connect import connect_to
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.link.audit_sources import open_export, open_ledger
from console.office.questions import ask_password
from console.office.witness.audit import HeadAudit, HeadFindingKind, audit_heads
from console.witness.reading import read_newest_numbers
from jackpot.trust.signing import load_public

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

    Raises DatabaseUnusable, KeyUnusable, LedgerUnavailable, LedgerCorrupt, NotAnExport, OSError,
    ValueError.
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
