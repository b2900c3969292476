"""A ledger's old records archived, as the tests do it."""

from pathlib import Path

from jackpot.archive import ArchiveRequest, ArchiveResult, archive
from jackpot.signing import PrivateKey

WRITTEN = "2027-01-03T09:00:00.000+00:00"
CUT = 4
"""The ledger of these tests has a snapshot as its record 5: four records can be archived."""


def make_request(folder: Path, last: int = CUT, out: str = "2026.jsonl") -> ArchiveRequest:
    return ArchiveRequest(last, folder.parent / out, "caribbean-1", WRITTEN, "anna", "rossi", 7)


def make_archive(
    folder: Path, key: PrivateKey, last: int = CUT, out: str = "2026.jsonl"
) -> ArchiveResult:
    return archive(folder, make_request(folder, last, out), key, key.public)
