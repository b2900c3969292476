"""The ledger's exceptions."""

from collections.abc import Iterator
from contextlib import contextmanager

_SURPRISES = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What reading raises that takes a damaged ledger for a sound one."""


class LedgerUnavailable(Exception):
    """The ledger cannot be opened, read or written; the text says why (disk full, I/O, ...)."""


class LedgerInUse(LedgerUnavailable):
    """Another process, or another `Ledger` of this one, uses the folder."""


class LedgerCorrupt(Exception):
    """The ledger does not verify; the text names the record and what is wrong with it."""


class IdentityConflict(Exception):
    """A transaction's identity belongs to another movement already; nothing was written."""


@contextmanager
def surprises_as_damage() -> Iterator[None]:
    """Raise LedgerCorrupt for whatever reading a ledger meets: a table must lock, and say why.

    The exception's own text and place stay its cause. Damage that is known has its own message.
    """
    try:
        yield
    except _SURPRISES as error:
        raise LedgerCorrupt(f"it cannot be read: {type(error).__name__}: {error}") from error
