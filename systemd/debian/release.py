"""Makes a release: its packages, the list of their hashes, signed: `make release`."""

import argparse
import sys
from pathlib import Path

from jackpot.failures import Failure, Refused
from systemd.debian.bill_of_materials import SUFFIX
from systemd.debian.build import ROOT, build_packages
from systemd.debian.changelog import SECTION
from systemd.debian.programs import run_program
from systemd.debian.release_signing import ReleaseSigner
from systemd.debian.signing import PackageSigner
from systemd.debian.source import is_clean, read_version
from systemd.debian.target import TARGETS


def main() -> int:
    """Check, build, sign, and print the command that makes the tag."""
    parser = argparse.ArgumentParser(prog="make release", description=__doc__)
    parser.add_argument("--keys", type=Path, required=True, help="gpg's folder of the house's key")
    parser.add_argument("--key", help="its fingerprint, if there are several")
    options = parser.parse_args()
    try:
        with PackageSigner(options.keys.resolve(), options.key) as signer:
            list_signer = ReleaseSigner(options.keys)
            version = check_release(ROOT)
            folder = ROOT / "build/release" / version
            for target in TARGETS:
                print(*build_packages(target, version, folder, list_signer), sep="\n")
            list_signer.publish(folder)
            print(sign_hashes(folder, signer))
    except Failure as error:
        print(f"make release: {error}", file=sys.stderr)
        return 1
    print(f"Now: git tag --sign v{version} --message 'banco {version}'")
    return 0


def check_release(root: Path) -> str:
    """Return the version. Raises Refused: the checkout is not ready to be released."""
    version = read_version(root)
    if not is_clean(root):
        raise Refused("there are changes that are not committed: git status")
    newest = SECTION.search((root / "CHANGELOG.md").read_text("utf-8"))
    if newest is None or newest["version"] != version or newest["date"] is None:
        raise Refused(f"CHANGELOG.md must begin with ## [{version}] - YEAR-MONTH-DAY")
    return version


def sign_hashes(folder: Path, signer: PackageSigner) -> Path:
    """Write SHA256SUMS of packages and bills, and its signature beside it; its place."""
    listing = folder / "SHA256SUMS"
    files = sorted([*folder.glob("*.deb"), *folder.glob(f"*{SUFFIX}")])
    names = [file.name for file in files]
    listing.write_text(run_program(["sha256sum", *names], cwd=folder), "utf-8")
    signer.sign(listing, folder / "SHA256SUMS.asc", "--detach-sign")
    signer.export(folder / "banco.gpg")
    return listing


if __name__ == "__main__":
    sys.exit(main())
