"""The ledger's exceptions."""


class LedgerUnavailable(Exception):
    """The ledger cannot be opened, read or written; the text says why (disk full, I/O, ...)."""


class LedgerInUse(LedgerUnavailable):
    """Another process, or another `Ledger` of this one, uses the folder."""


class LedgerCorrupt(Exception):
    """The ledger does not verify; the text names the record and what is wrong with it."""


class IdentityConflict(Exception):
    """A transaction's identity belongs to another movement already; nothing was written."""
