"""The house's keys: what is signed with them, and how one is made and replaced.

gpg itself asks for a passphrase, or for the PIN of a token.
"""

import argparse
import re
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from jackpot.failures import Failure, Refused, Unavailable
from systemd.debian.programs import install_packages, run_program
from systemd.debian.release_signing import ReleaseSigner

OWNER = "banco packages of this house"
PACKAGES = ("gnupg", "apt-utils")

LASTS = "5y"
DAY_S = 86_400
WARNED_DAYS = 365
"""So long before a key ends, each use of it says so: every table must get the next one first."""

AGENT_ENDS_S = 10.0


@dataclass(frozen=True)
class SigningKey:
    """A secret key in gpg's folder."""

    fingerprint: str
    ends: int | None
    """Seconds since 1970; None: never."""

    def describe_end(self, now: float) -> str:
        """That it ends within a year, or nothing. Raises Failure if it has ended."""
        if self.ends is None or self.ends > now + WARNED_DAYS * DAY_S:
            return ""
        day = datetime.fromtimestamp(self.ends, UTC).date()
        if self.ends <= now:
            raise Refused(f"the key {self.fingerprint} ended on {day}: no table takes it")
        return (
            f"the key {self.fingerprint} ends on {day}, in {(self.ends - now) // DAY_S:.0f} days: "
            "bring every table the next one before (docs/dev/releasing.md, A new key)"
        )


class PackageSigner:
    """Signs with the one key in a folder of gpg's, or with those that are named.

    To be used in a `with`: a passphrase is asked for once, and forgotten at the end.
    """

    def __init__(self, keys: Path, named: str | None = None, now: float | None = None) -> None:
        """`named`: fingerprints, separated by commas.

        Raises Refused: the folder has no such key, several and none is named, or one has ended.
        """
        install_packages(PACKAGES)
        self._keys = keys
        there = list_keys(keys) if keys.is_dir() else []
        names = named.split(",") if named else [""]
        self.keys = [_choose_key(keys, there, name.upper().replace(" ", "")) for name in names]
        for key in self.keys:
            if warning := key.describe_end(time.time() if now is None else now):
                print(warning, file=sys.stderr)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        _end_agent(self._keys)

    @property
    def fingerprint(self) -> str:
        """Of the key, or of all of them."""
        return ", ".join(key.fingerprint for key in self.keys)

    def sign(self, file: Path, signed: Path, how: str) -> None:
        """Sign the file with each key; `how` is --clear-sign or --detach-sign."""
        users = [f"--local-user={key.fingerprint}" for key in self.keys]
        options = ["--yes", "--armor", "--digest-algo=SHA512", *users, f"--output={signed}"]
        _ask_gpg(self._keys, *options, how, str(file))

    def export(self, file: Path) -> None:
        """Write the public keys, as apt reads them."""
        names = [key.fingerprint for key in self.keys]
        _ask_gpg(self._keys, "--yes", f"--output={file}", "--export", *names)


def _choose_key(keys: Path, there: list[SigningKey], named: str) -> SigningKey:
    found = [key for key in there if key.fingerprint.endswith(named)]
    if len(found) != 1:
        raise Refused(
            f"{keys}: {len(found) or 'no'} such secret keys. Make one with make signing-key "
            f"KEYS={keys}, or name one of several: KEY=FINGERPRINT"
        )
    return found[0]


def list_keys(keys: Path) -> list[SigningKey]:
    """The secret keys in the folder."""
    listing = _gpg(keys, "--with-colons", "--list-secret-keys")
    found = []
    for block in re.split(r"^(?=sec:)", listing, flags=re.MULTILINE)[1:]:
        ends = block.split(":")[6]
        fingerprint = re.search(r"^fpr:+([0-9A-F]+):", block, re.MULTILINE)
        assert fingerprint is not None
        found.append(SigningKey(fingerprint[1], int(ends) if ends else None))
    return found


def make_key(keys: Path, *, protected: bool, lasts: str = LASTS) -> str:
    """Make one more key in the folder; its fingerprint. Unless protected its folder signs."""
    keys.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = {key.fingerprint for key in list_keys(keys)}
    how = [] if protected else ["--pinentry-mode=loopback", "--passphrase="]
    _gpg(keys, *how, "--yes", "--quick-generate-key", OWNER, "ed25519", "sign", lasts)
    (made,) = {key.fingerprint for key in list_keys(keys)} - before
    return made


def _gpg(keys: Path, *words: str) -> str:
    try:
        return _ask_gpg(keys, *words)
    finally:
        _end_agent(keys)


def _ask_gpg(keys: Path, *words: str) -> str:
    return run_program(["gpg", f"--homedir={keys}", "--batch", "--quiet", *words])


def _end_agent(keys: Path) -> None:
    """End the folder's agent: it would stay behind, and hold the stick that the key is on.

    It ends after it was told to, and whoever asks the next one before meets a closed socket.
    """
    agent = ["gpgconf", f"--homedir={keys}"]
    socket = Path(run_program([*agent, "--list-dirs", "agent-socket"]).strip())
    run_program([*agent, "--kill", "gpg-agent"])
    until = time.monotonic() + AGENT_ENDS_S
    while socket.exists():
        if time.monotonic() > until:
            raise Unavailable(f"{keys}: its gpg-agent has not ended within {AGENT_ENDS_S:.0f} s")
        time.sleep(0.01)


def main() -> int:
    """Make the keys of `make signing-key`, and print their fingerprints."""
    parser = argparse.ArgumentParser(prog="make signing-key", description=__doc__)
    parser.add_argument("--keys", type=Path, required=True)
    parser.add_argument(
        "--no-passphrase", action="store_true", help="for a machine that signs alone"
    )
    parser.add_argument("--another", action="store_true", help="though the folder has one")
    options = parser.parse_args()
    try:
        install_packages(PACKAGES)
        keys = options.keys.resolve()
        there = list_keys(keys) if keys.is_dir() else []
        made = [key.fingerprint for key in there]
        if options.another or not made:
            made = [make_key(keys, protected=not options.no_passphrase)]
        print("\n".join(made))
        print(f"of releases' lists: {ReleaseSigner.make(keys).fingerprint}")
    except Failure as error:
        print(f"make signing-key: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
