"""The exceptions of banco: three families under one root, and those of ledger and keys.

A border (a command, a page, the line) catches a family and says its text. A class of its own is
for whoever must tell one failure from another; all others are raised as the family itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager

_SURPRISES = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What reading raises that takes a damaged ledger for a sound one."""


class Failure(Exception):
    """What was asked has no result; the text names the place and says what would be right."""


class Refused(Failure):
    """It cannot be done as it was asked, and nothing was done."""


class Unavailable(Failure):
    """What it needs does not answer: a disk, a port, a server, a key, a library."""


class Damaged(Failure):
    """What was read is not what was written, or not by who should have written it."""


class LedgerUnavailable(Unavailable):
    """The ledger cannot be opened, read or written; the text says why (disk full, I/O, ...)."""


class LedgerInUse(LedgerUnavailable):
    """Another process, or another `Ledger` of this one, uses the folder."""


class KeyUnusable(Unavailable):
    """A key, or its store, cannot be made, read or used; the text says which and why."""


class LedgerCorrupt(Damaged):
    """The ledger does not verify; the text names the record and what is wrong with it."""


@contextmanager
def surprises_as_damage() -> Iterator[None]:
    """Raise LedgerCorrupt for whatever reading a ledger meets: a table must lock, and say why.

    The exception's own text and place stay its cause. Damage that is known has its own message.
    """
    try:
        yield
    except _SURPRISES as error:
        raise LedgerCorrupt(f"it cannot be read: {type(error).__name__}: {error}") from error
