"""What a table risks that is configured without mistakes."""

from console.configuration.sections import Configuration, TableKind


def find_risks(configuration: Configuration) -> list[str]:
    """Every risk, its key first; none of a table without real money."""
    if configuration.kind is not TableKind.PRODUCTION:
        return []
    ledger, risks = configuration.ledger, []
    if ledger.mirror is None:
        risks.append(
            "ledger.mirror: there is no second copy: a broken medium takes the record with it, and "
            "an earlier ledger put in its place is not found out by its records"
        )
    if ledger.seal is None:
        risks.append(
            "ledger.seal: there is no seal: ledger and second copy that are put back together pass "
            "for the true ones"
        )
    return risks
