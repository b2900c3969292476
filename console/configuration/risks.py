"""What a table risks that is configured without mistakes."""

from console.configuration.sections import VERSION_1, Configuration, KeyStoreKind, TableKind


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
    if configuration.key is None:
        risks.append(
            "key: the table signs nothing: ledger, second copy and seal that are computed anew, or "
            "put back together, pass for the true ones"
        )
    elif configuration.key.store is KeyStoreKind.FILE:
        risks.append(
            "key.store: the key is in a file, without a TPM: whoever reads it can sign as the table"
        )
    if configuration.witness is None:
        risks.append(
            "witness: no witness outside: whoever has all of the table's media and its key can put "
            "them back together unseen"
        )
    boards = configuration.boards_without_keys()
    return risks + [f"{device.value}.{VERSION_1}" for device in boards]
