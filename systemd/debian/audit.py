"""Compares a package's bill of materials with a feed of vulnerabilities: `make audit`.

The feed is OSV's of PyPI, one zip of JSON records (https://ossf.github.io/osv-schema/), brought on
a stick: nothing is asked of the network.
"""

import argparse
import json
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from jackpot.failures import Unavailable
from systemd.debian.bill_of_materials import normalize_name

SOUND, VULNERABLE, UNREADABLE = 0, 1, 2


@dataclass(frozen=True)
class Vulnerability:
    """A library of the bill that a record of the feed names."""

    library: str
    version: str
    record: str
    summary: str
    fixed: tuple[str, ...]
    """The versions in which it is mended; none if there is none yet."""

    def __str__(self) -> str:
        mended = f"mended in {', '.join(self.fixed)}" if self.fixed else "not mended yet"
        return f"{self.library} {self.version}: {self.record}: {self.summary} ({mended})"


def read_bill(file: Path) -> dict[str, str]:
    """The version of each Python library in it. Raises Unavailable."""
    try:
        components = json.loads(file.read_text("utf-8"))["components"]
        found = [one for one in components if one["purl"].startswith("pkg:pypi/")]
        return {normalize_name(one["name"]): one["version"] for one in found}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unavailable(f"{file} is no bill of materials that make deb wrote: {error}") from error


def read_feed(file: Path) -> Iterator[Mapping[str, Any]]:
    """The records of the feed. Raises Unavailable, also if there is none."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if name.endswith(".json")]
            for name in names:
                yield json.loads(archive.read(name))
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        raise Unavailable(f"{file} is not OSV's PyPI/all.zip: {error}") from error
    if not names:
        raise Unavailable(f"{file} has no record: it should be OSV's PyPI/all.zip")


def find_vulnerabilities(
    libraries: Mapping[str, str], record: Mapping[str, Any]
) -> Iterator[Vulnerability]:
    """The libraries that this record names, in a version that it names. Withdrawn ones are none."""
    for affected in () if "withdrawn" in record else record.get("affected", ()):
        package = affected.get("package", {})
        name = normalize_name(package.get("name", ""))
        version = libraries.get(name) if package.get("ecosystem") == "PyPI" else None
        if version is not None and is_affected(version, affected):
            events = [event for one in affected.get("ranges", ()) for event in one["events"]]
            fixed = tuple(event["fixed"] for event in events if "fixed" in event)
            summary = record.get("summary") or record.get("details", "").partition("\n")[0]
            yield Vulnerability(name, version, record["id"], summary, fixed)


def is_affected(version: str, affected: Mapping[str, Any]) -> bool:
    """Whether a version is in a record's list, or in one of its ranges of versions.

    What is no version of PyPI's (PEP 440) cannot be compared, and counts as affected.
    """
    if version in affected.get("versions", ()):
        return True
    ranges = [one["events"] for one in affected.get("ranges", ()) if one["type"] == "ECOSYSTEM"]
    try:
        return any(_is_in_range(Version(version), events) for events in ranges)
    except InvalidVersion:
        return True


def _is_in_range(version: Version, events: list[dict[str, str]]) -> bool:
    """By OSV's evaluation: the last event that is not after the version decides."""
    inside = False
    for event in events:
        ((what, limit),) = event.items()
        if what == "introduced":
            inside = inside or limit == "0" or version >= Version(limit)
        elif what == "fixed":
            inside = inside and version < Version(limit)
        elif what == "last_affected":
            inside = inside and version <= Version(limit)
    return inside


def audit(bill: Path, feed: Path) -> int:
    """Print what was found, and how new the feed is; the exit status. Raises Unavailable."""
    libraries = read_bill(bill)
    found: list[Vulnerability] = []
    records, newest = 0, ""
    for record in read_feed(feed):
        records, newest = records + 1, max(newest, record.get("modified", ""))
        found += find_vulnerabilities(libraries, record)
    for one in sorted(found, key=str):
        print(one)
    print(
        f"{bill.name}: vulnerabilities {len(found)}, libraries {len(libraries)}, "
        f"records {records}, the newest of {newest[:10]}"
    )
    return VULNERABLE if found else SOUND


def main() -> int:
    """Compare each bill with the feed; the worst exit status."""
    parser = argparse.ArgumentParser(prog="make audit", description=__doc__)
    parser.add_argument("--feed", type=Path, required=True, help="OSV's PyPI/all.zip")
    parser.add_argument("bills", type=Path, nargs="+", help="files ending with .cdx.json")
    options = parser.parse_args()
    try:
        return max(audit(bill, options.feed) for bill in options.bills)
    except Unavailable as error:
        print(f"make audit: {error}", file=sys.stderr)
        return UNREADABLE


if __name__ == "__main__":
    sys.exit(main())
