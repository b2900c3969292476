"""A ledger's old records exported and archived, as the tests do it."""

from pathlib import Path

from jackpot.ledger.export_lines import Signer
from jackpot.trust.archive import ArchiveRequest, ArchiveResult, archive
from jackpot.trust.export import ExportRange, export
from jackpot.trust.signing import PrivateKey

WRITTEN = "2027-01-03T09:00:00.000+00:00"
CUT = 4
"""The ledger of these tests has a snapshot as its record 5: four records can be archived."""


def make_request(folder: Path, last: int = CUT, file: str = "2026.jsonl") -> ArchiveRequest:
    return ArchiveRequest(last, folder.parent / file, WRITTEN, "anna", "rossi", 7)


def bring_export(
    folder: Path, key: Signer, last: int = CUT, file: str = "2026.jsonl", first: int | None = None
) -> Path:
    """What the house brings: the ledger's first records, signed where its key is."""
    out = folder.parent / file
    stretch = ExportRange(first, last)
    export(folder, out, key, table="caribbean-1", written="2027-01-02", stretch=stretch)
    return out


def make_archive(
    folder: Path, key: PrivateKey, last: int = CUT, file: str = "2026.jsonl"
) -> ArchiveResult:
    bring_export(folder, key, last, file)
    return archive(folder, make_request(folder, last, file), key.public)
