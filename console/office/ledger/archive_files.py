"""Check the files of a ledger's archive."""

import sqlite3
from pathlib import Path

from jackpot.failures import LedgerUnavailable
from jackpot.ledger.anchor import Anchor
from jackpot.trust.archive import archive_problems
from jackpot.trust.export_check import NotAnExport
from jackpot.trust.signing import KeyUnusable, load_public


def problems_of_archive(anchor: Anchor, files: list[Path], key: Path) -> list[str]:
    """What is wrong with the files, or does not fit the ledger. Raises LedgerUnavailable."""
    try:
        return list(archive_problems(anchor, files, load_public(key)))
    except (KeyUnusable, NotAnExport, OSError, sqlite3.Error) as error:
        raise LedgerUnavailable(f"the archive cannot be checked: {error}") from error
