"""Makes a signed source for apt in a folder, on a stick for example: `make apt-source`."""

import argparse
import gzip
import shutil
import sys
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from jackpot.failures import Failure, Refused
from systemd.debian.programs import run_program
from systemd.debian.signing import PackageSigner
from systemd.debian.target import MACHINES, SUITES, Suite

PUBLIC_KEY = "banco.gpg"


def main() -> int:
    """Add the packages to the folder, sign it, and print its suites and its key."""
    parser = argparse.ArgumentParser(prog="make apt-source", description=__doc__)
    parser.add_argument("--packages", type=Path, required=True, help="a folder of packages")
    parser.add_argument("--folder", type=Path, required=True, help="the source")
    parser.add_argument("--keys", type=Path, required=True, help="gpg's folder of the house's key")
    parser.add_argument("--key", help="its fingerprint, if there are several")
    options = parser.parse_args()
    try:
        with PackageSigner(options.keys.resolve(), options.key) as signer:
            suites = make_source(options.packages, options.folder, signer, datetime.now(UTC))
    except (Failure, OSError) as error:
        print(f"make apt-source: {error}", file=sys.stderr)
        return 1
    print(f"{options.folder}: {', '.join(suites)}, signed by {signer.fingerprint}")
    return 0


def make_source(packages: Path, folder: Path, signer: PackageSigner, date: datetime) -> list[str]:
    """Add the packages to those that are there, so that a table can go back; their suites.

    A table that has seen a list does not take one of an older date. Raises Failure, also if
    there is no package; OSError.
    """
    suites = [suite for suite in SUITES.values() if _add_packages(packages, folder, suite)]
    if not suites:
        raise Refused(f"no package in {packages}: make deb first")
    for suite in suites:
        _list_packages(folder, suite)
        _sign(folder, suite, signer, date)
    signer.export(folder / PUBLIC_KEY)
    return [suite.name for suite in suites]


def _add_packages(packages: Path, folder: Path, suite: Suite) -> bool:
    found = sorted(packages.glob(f"banco*_*+deb{suite.release}_*.deb"))
    pool = folder / "pool" / suite.name
    for package in found:
        pool.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(package, pool / package.name)
    return bool(found)


def _list_packages(folder: Path, suite: Suite) -> None:
    for arch in MACHINES:
        words = ["apt-ftparchive", "--arch", arch, "packages", f"pool/{suite.name}"]
        listing = run_program(words, cwd=folder).encode()
        place = folder / "dists" / suite.name / "main" / f"binary-{arch}"
        place.mkdir(parents=True, exist_ok=True)
        (place / "Packages").write_bytes(listing)
        (place / "Packages.gz").write_bytes(gzip.compress(listing, mtime=0))


def _sign(folder: Path, suite: Suite, signer: PackageSigner, date: datetime) -> None:
    fields = {
        "Origin": "banco",
        "Label": "banco",
        "Suite": suite.name,
        "Codename": suite.name,
        "Architectures": " ".join(MACHINES),
        "Components": "main",
        "Date": format_datetime(date),
    }
    options = [f"-oAPT::FTPArchive::Release::{name}={value}" for name, value in fields.items()]
    place = folder / "dists" / suite.name
    for old in ("Release", "InRelease", "Release.gpg"):
        (place / old).unlink(missing_ok=True)
    text = run_program(["apt-ftparchive", *options, "release", place])
    release = place / "Release"
    release.write_text(text, "utf-8")
    signer.sign(release, place / "InRelease", "--clear-sign")
    signer.sign(release, place / "Release.gpg", "--detach-sign")


if __name__ == "__main__":
    sys.exit(main())
