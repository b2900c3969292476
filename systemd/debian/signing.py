"""The house's keys: what is signed with them, and how one is made, protected and replaced."""

import argparse
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from getpass import getpass
from pathlib import Path

from systemd.debian.programs import CannotBuild, install_packages, run_program
from systemd.debian.release_signing import ReleaseSigner

OWNER = "banco packages of this house"
PACKAGES = ("gnupg", "apt-utils")

LASTS = "5y"
DAY_S = 86_400
WARNED_DAYS = 365
"""So long before a key ends, each use of it says so: every table must get the next one first."""

AGENT_ENDS_S = 10.0

Ask = Callable[[str], str]
"""Asks for a passphrase, as `getpass` does."""


@dataclass(frozen=True)
class SigningKey:
    """A secret key in gpg's folder."""

    fingerprint: str
    ends: int | None
    """Seconds since 1970; None: never."""

    is_protected: bool
    """Whether it has a passphrase."""

    def describe_end(self, now: float) -> str:
        """That it ends within a year, or nothing. Raises CannotBuild if it has ended."""
        if self.ends is None or self.ends > now + WARNED_DAYS * DAY_S:
            return ""
        day = datetime.fromtimestamp(self.ends, UTC).date()
        if self.ends <= now:
            raise CannotBuild(f"the key {self.fingerprint} ended on {day}: no table takes it")
        return (
            f"the key {self.fingerprint} ends on {day}, in {(self.ends - now) // DAY_S:.0f} days: "
            "bring every table the next one before (docs/dev/releasing.md, A new key)"
        )


class PackageSigner:
    """Signs with the one key in a folder of gpg's, or with those that are named."""

    def __init__(
        self, keys: Path, named: str | None = None, ask: Ask = getpass, now: float | None = None
    ) -> None:
        """`named`: fingerprints, separated by commas. Asks for each passphrase once.

        Raises CannotBuild: the folder has no such key, several and none is named, or one has ended.
        """
        install_packages(PACKAGES)
        self._keys = keys
        there = list_keys(keys) if keys.is_dir() else []
        names = named.split(",") if named else [""]
        self.keys = [_choose_key(keys, there, name.upper().replace(" ", "")) for name in names]
        for key in self.keys:
            if warning := key.describe_end(time.time() if now is None else now):
                print(warning, file=sys.stderr)
        self._passphrases = [
            ask(f"Passphrase of {key.fingerprint}: ") if key.is_protected else ""
            for key in self.keys
        ]

    @property
    def fingerprint(self) -> str:
        """Of the key, or of all of them."""
        return ", ".join(key.fingerprint for key in self.keys)

    def sign(self, file: Path, signed: Path, how: str) -> None:
        """Sign the file with each key; `how` is --clear-sign or --detach-sign."""
        users = [f"--local-user={key.fingerprint}" for key in self.keys]
        options = ["--yes", "--armor", "--digest-algo=SHA512", *users, f"--output={signed}"]
        _gpg(self._keys, *options, how, str(file), unlock=self._unlock)

    def export(self, file: Path) -> None:
        """Write the public keys, as apt reads them."""
        names = [key.fingerprint for key in self.keys]
        _gpg(self._keys, "--yes", f"--output={file}", "--export", *names)

    def _unlock(self) -> None:
        """Let the agent know each passphrase; it forgets them when it ends."""
        for key, passphrase in zip(self.keys, self._passphrases, strict=True):
            if key.is_protected:
                words = [*_loopback(), f"--local-user={key.fingerprint}", "--output=-", "--sign"]
                run_program(
                    ["gpg", f"--homedir={self._keys}", "--batch", "--quiet", "--armor", *words],
                    typed=f"{passphrase}\n",
                )


def _choose_key(keys: Path, there: list[SigningKey], named: str) -> SigningKey:
    found = [key for key in there if key.fingerprint.endswith(named)]
    if len(found) != 1:
        raise CannotBuild(
            f"{keys}: {len(found) or 'no'} such secret keys. Make one with make signing-key "
            f"KEYS={keys}, or name one of several: KEY=FINGERPRINT"
        )
    return found[0]


def list_keys(keys: Path) -> list[SigningKey]:
    """The secret keys in the folder."""
    listing = _gpg(keys, "--with-colons", "--with-keygrip", "--list-secret-keys")
    words = ["gpg-connect-agent", f"--homedir={keys}", "keyinfo --list", "/bye"]
    protected = re.findall(r"^S KEYINFO (\S+) (?:\S+ ){4}P", run_program(words), re.MULTILINE)
    _end_agent(keys)
    found = []
    for block in re.split(r"^(?=sec:)", listing, flags=re.MULTILINE)[1:]:
        ends = block.split(":")[6]
        fingerprint = re.search(r"^fpr:+([0-9A-F]+):", block, re.MULTILINE)
        grip = re.search(r"^grp:+([0-9A-F]+):", block, re.MULTILINE)
        assert fingerprint is not None
        assert grip is not None
        found.append(SigningKey(fingerprint[1], int(ends) if ends else None, grip[1] in protected))
    return found


def make_key(keys: Path, passphrase: str = "", lasts: str = LASTS) -> str:
    """Make one more key in the folder; its fingerprint. Without a passphrase its folder signs."""
    keys.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = {key.fingerprint for key in list_keys(keys)}
    words = ["--yes", *_loopback(), "--quick-generate-key", OWNER, "ed25519", "sign", lasts]
    _gpg(keys, *words, typed=f"{passphrase}\n")
    (made,) = {key.fingerprint for key in list_keys(keys)} - before
    return made


def _loopback() -> list[str]:
    return ["--pinentry-mode=loopback", "--passphrase-fd=0"]


def _gpg(keys: Path, *words: str, typed: str = "", unlock: Callable[[], None] | None = None) -> str:
    try:
        if unlock is not None:
            unlock()
        command = ["gpg", f"--homedir={keys}", "--batch", "--quiet", *words]
        return run_program(command, typed=typed)
    finally:
        _end_agent(keys)


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
            raise CannotBuild(f"{keys}: its gpg-agent has not ended within {AGENT_ENDS_S:.0f} s")
        time.sleep(0.01)


def ask_new_passphrase(ask: Ask = getpass) -> str:
    """Ask for it twice. Raises CannotBuild: empty, or not the same."""
    first = ask("Passphrase of the new key: ")
    if not first or ask("Once more: ") != first:
        raise CannotBuild("the passphrase is empty, or was typed in two ways: no key was made")
    return first


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
            made = [make_key(keys, "" if options.no_passphrase else ask_new_passphrase())]
        print("\n".join(made))
        print(f"of releases' lists: {ReleaseSigner.make(keys).fingerprint}")
    except CannotBuild as error:
        print(f"make signing-key: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
