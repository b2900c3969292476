"""How the ledger fails."""

# Named for what the table says (LEDGER_FAULT, LEDGER_CORRUPT; TABLE.md, section 7), not ...Error.


class LedgerUnavailable(Exception):  # noqa: N818
    """It cannot be opened, read or written; the text says which and why (disk full, I/O, ...)."""


class LedgerCorrupt(Exception):  # noqa: N818
    """It does not verify; the text names the record and what is wrong with it."""


class IdentityConflict(Exception):  # noqa: N818
    """A transaction's identity is already taken by another movement; nothing was written."""
