"""The house's key: what is signed with it, and how it is made once."""

import argparse
import re
import sys
from pathlib import Path

from systemd.debian.programs import CannotBuild, install_packages, run_program
from systemd.debian.release_signing import ReleaseSigner

OWNER = "banco packages of this house"
PACKAGES = ("gnupg", "apt-utils")


class PackageSigner:
    """Signs with the one key in a folder of gpg's, or with the one that is named."""

    def __init__(self, keys: Path, key: str | None = None) -> None:
        """Raises CannotBuild: the folder has no such key, or several and none is named."""
        install_packages(PACKAGES)
        self._keys = keys
        found = list_keys(keys) if keys.is_dir() else []
        if key is not None:
            found = [one for one in found if one.endswith(key.upper().replace(" ", ""))]
        if len(found) != 1:
            raise CannotBuild(
                f"{keys}: {len(found) or 'no'} such secret keys. Make one with make signing-key "
                f"KEYS={keys}, or name one of several: KEY=FINGERPRINT"
            )
        self.fingerprint = found[0]

    def sign(self, file: Path, signed: Path, how: str) -> None:
        """Sign the file; `how` is --clear-sign or --detach-sign."""
        options = [f"--local-user={self.fingerprint}", f"--output={signed}"]
        _gpg(self._keys, "--yes", "--armor", "--digest-algo=SHA512", *options, how, str(file))

    def export(self, file: Path) -> None:
        """Write the public key, as apt reads it."""
        _gpg(self._keys, "--yes", f"--output={file}", "--export", self.fingerprint)


def list_keys(keys: Path) -> list[str]:
    """The fingerprints of the secret keys in the folder."""
    listing = _gpg(keys, "--with-colons", "--list-secret-keys")
    return re.findall(r"^sec:.*\n(?:grp:.*\n)?fpr:+([0-9A-F]+):$", listing, re.MULTILINE)


def make_key(keys: Path) -> str:
    """Make a key without a passphrase, unless the folder has one; its fingerprint."""
    keys.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not list_keys(keys):
        options = ["--passphrase", "", "--pinentry-mode=loopback"]
        _gpg(keys, *options, "--quick-generate-key", OWNER, "ed25519", "sign", "never")
    return PackageSigner(keys).fingerprint


def _gpg(keys: Path, *words: str) -> str:
    """Its agent would stay behind, and hold the stick that the key is on."""
    try:
        return run_program(["gpg", f"--homedir={keys}", "--batch", "--quiet", *words])
    finally:
        run_program(["gpgconf", f"--homedir={keys}", "--kill", "gpg-agent"])


def main() -> int:
    """Make the keys of `make signing-key`, and print their fingerprints."""
    parser = argparse.ArgumentParser(prog="make signing-key", description=__doc__)
    parser.add_argument("--keys", type=Path, required=True)
    options = parser.parse_args()
    try:
        install_packages(PACKAGES)
        print(make_key(options.keys.resolve()))
        print(f"of releases' lists: {ReleaseSigner.make(options.keys.resolve()).fingerprint}")
    except CannotBuild as error:
        print(f"make signing-key: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
