"""The audit of the witness's heads, as lines of text."""

from console.office.witness.audit import HeadAudit, HeadFindingKind

WORDS = {
    HeadFindingKind.DIFFERS: "DIFFERS",
    HeadFindingKind.UNCHECKED: "NOT CHECKED",
    HeadFindingKind.NOT_HERE: "not here",
    HeadFindingKind.ADMITTED: "admitted",
    HeadFindingKind.REFUSED: "refused",
}


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
