"""Checks the files of a ledger's archive, one after another up to the ledger's anchor."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from jackpot.anchor import Anchor
from jackpot.export_check import CheckedExport, check_export
from jackpot.export_lines import Verifier


def archive_problems(anchor: Anchor, files: Sequence[Path], key: Verifier) -> Iterator[str]:
    """Problems of these files, oldest first, of their order, and of their fit to the ledger.

    Raises NotAnExport, OSError, sqlite3.Error.
    """
    before: CheckedExport | None = None
    for file in files:
        checked = check_export(file, key)
        for problem in checked.problems:
            yield f"{file}: {problem}"
        if before is not None:
            header = checked.header
            begins = (header.first - 1, header.previous, header.balances)
            if begins != (before.head.seq, before.head.hash, before.balances.to_dict()):
                yield f"{file} begins with record {header.first}, not where the one before it ends"
        before = checked
    if before is None:
        return
    if (before.head.seq, before.head.hash) != (anchor.seq, anchor.hash.hex()):
        yield f"{files[-1]} ends with record {before.head.seq}, not where the ledger begins"
    elif before.balances != anchor.balances:
        yield f"{files[-1]} ends with other balances than the ledger begins with"
    elif before.fingerprint != anchor.file:
        yield f"{files[-1]} is another file than the one on record"
