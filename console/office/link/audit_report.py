"""`banco link audit`: the centre's books beside ledgers and signed exports."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from console.database.connect import connect_to
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.link.audit import AuditReport, FindingKind, audit
from console.office.link.audit_sources import AuditSource, open_export, open_ledger
from console.office.questions import ask_password

WORDS = {
    FindingKind.DIFFERS: "DIFFERS",
    FindingKind.UNDELIVERED: "undelivered",
    FindingKind.NOT_HERE: "not here",
}


def print_audit(
    centre: str,
    ledgers: Sequence[Path],
    exports: Sequence[Path],
    key: Path | None,
    *,
    as_json: bool,
) -> int:
    """Compare the centre's books with ledgers and exports; the exit status.

    `key`: the house's public key, for the exports.

    Raises DatabaseUnusable, LedgerUnavailable, LedgerCorrupt, NotAnExport, OSError,
    ValueError.
    """
    with connect_to(centre, ask_password) as connection:
        sources = [*map(open_ledger, ledgers), *_open_exports(exports, key)]
        report = audit(connection, sources)
    if as_json:
        print(msgspec.json.encode(report, enc_hook=str).decode())
    else:
        print(*render_report(report), sep="\n")
    return IN_ORDER if report.right else FAILED


def render_report(report: AuditReport) -> list[str]:
    """The report as lines of text."""
    sources = [
        f"{source.place}: table {source.table}, records {source.first} to {source.head.seq}"
        for source in report.sources
    ]
    findings = [f"{WORDS[one.kind]}: {one.place}: {one.text}" for one in report.findings]
    if not report.right:
        return [*sources, *findings]
    what = f"the centre, {len(sources)} ledgers or exports, and {report.calls} calls"
    return [*sources, *findings, f"in order: {what}"]


def _open_exports(exports: Sequence[Path], key_file: Path | None) -> list[AuditSource]:
    if not exports:
        return []
    if key_file is None:
        raise ValueError("--export needs --key FILE, the house's public key")
    from jackpot.trust.signing import KeyUnusable, load_public  # they need cryptography

    try:
        key = load_public(key_file)
    except KeyUnusable as error:
        raise ValueError(str(error)) from error
    return [open_export(file, key) for file in exports]
