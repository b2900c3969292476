"""The key of releases: Ed25519, which signs the list of each package's files.

A key of its own beside gpg's: a table checks the list with openssl alone.
"""

import shutil
from pathlib import Path

from console.release.banco_check import KEY, ListUnusable, key_of
from jackpot.failures import Refused
from systemd.debian.programs import install_packages, run_program

SECRET = "release-key.pem"
CHECKER = "banco-check"
CHECKOUTS = "build/checkout-key"
"""Where a checkout has a key of its own: what it builds is signed, and is nobody's release."""


class ReleaseSigner:
    """Signs with the key in this folder."""

    def __init__(self, keys: Path) -> None:
        """Raises Refused: there is no such key, or it cannot be read."""
        install_packages(["openssl"])
        self._secret = keys / SECRET
        if not self._secret.is_file():
            raise Refused(f"{self._secret} is missing: make signing-key KEYS={keys}")

    @classmethod
    def make(cls, keys: Path) -> "ReleaseSigner":
        """The signer of this folder, with a new key if it has none. Raises Failure."""
        keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        secret = keys / SECRET
        if not secret.exists():
            secret.touch(mode=0o600)
            run_program(["openssl", "genpkey", "-algorithm", "ed25519", "-out", secret])
        return cls(keys)

    @classmethod
    def of_checkout(cls, root: Path) -> "ReleaseSigner":
        """The signer of packages that are no release. Raises Failure."""
        return cls.make(root / CHECKOUTS)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the public key as DER: what people compare. Raises Failure."""
        public = self._secret.with_name(KEY)
        self.export(public)
        try:
            return key_of(public)
        except ListUnusable as error:
            raise Refused(str(error)) from error

    def sign(self, file: Path, signature: Path) -> None:
        """Write the signature over the file: the same bytes each time. Raises Failure."""
        files = ("-inkey", self._secret, "-in", file, "-out", signature)
        run_program(("openssl", "pkeyutl", "-sign", "-rawin", *files))

    def export(self, file: Path) -> None:
        """Write the public key in PEM. Raises Failure."""
        run_program(["openssl", "pkey", "-in", self._secret, "-pubout", "-out", file])

    def publish(self, folder: Path) -> None:
        """Put beside the packages what goes on the checker's stick: itself, and the public key."""
        folder.mkdir(parents=True, exist_ok=True)
        checker = Path(__file__).resolve().parents[2] / "console/release/banco_check.py"
        shutil.copyfile(checker, folder / CHECKER)
        (folder / CHECKER).chmod(0o755)
        self.export(folder / KEY)
        print(f"{folder / CHECKER}, {folder / KEY}: {self.fingerprint}")
