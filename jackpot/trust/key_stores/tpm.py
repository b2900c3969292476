"""A key store in a TPM 2.0, by Debian's tpm2-tools: an NV counter, and the key sealed in the TPM.

No TPM that we know signs with Ed25519, so the key is unsealed when the store is opened, and is then
in this process's memory. Each command has a deadline: a TPM that hangs is a store that is lost.

The sealed content is the key's seed and the counter's value when it was made: an NV counter begins
wherever the TPM's highest one had been.
"""

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.failures import KeyUnusable
from jackpot.ledger.folder import sync_folder
from jackpot.trust.signing import PrivateKey, PublicKey, public_file, write_new_key

DEVICE: Final = "device:/dev/tpmrm0"
"""The kernel's resource manager, as tpm2-tools' --tcti takes it."""

AUTH: Final = "table.auth"
KEY: Final = "table.key"

COUNTER_INDEX: Final = "0x01800BA0"
SEALED_HANDLE: Final = "0x81010BA0"

COMMAND_WITHIN_S: Final = 5
"""How long a command may take; a TPM on SPI takes some tenths of a second."""

MADE_WITHIN_S: Final = 60
"""How long each command may take that makes the key, once."""

_SEED_BYTES = 32
_COUNTER_BYTES = 8
_COUNTER_IS = "authread|authwrite|no_da|nt=counter"
_SEALED_IS = "fixedtpm|fixedparent|userwithauth|noda"


class TpmStore:
    """Key and counter in a TPM; `folder` has the file with the password for both."""

    name = "tpm"

    def __init__(
        self, folder: Path, device: str = DEVICE, *, within_s: int = COMMAND_WITHIN_S
    ) -> None:
        """Unseal the key; `device` is what tpm2-tools' --tcti takes. Raises KeyUnusable."""
        self._tpm = _Tpm(folder / AUTH, device, within_s)
        sealed = self._tpm.run("unseal", "-c", SEALED_HANDLE, "-p", self._tpm.auth)
        if len(sealed) != _SEED_BYTES + _COUNTER_BYTES:
            raise KeyUnusable(f"what the TPM has sealed at {SEALED_HANDLE} is not a table's key")
        self._key = PrivateKey(Ed25519PrivateKey.from_private_bytes(sealed[:_SEED_BYTES]))
        self._began_at = int.from_bytes(sealed[_SEED_BYTES:], "big")

    @property
    def public(self) -> PublicKey:
        """The public key."""
        return self._key.public

    def sign(self, signed: bytes) -> bytes:
        """The signature over these bytes."""
        return self._key.sign(signed)

    def read_counter(self) -> int:
        """How often the counter was raised since it was made. Raises KeyUnusable."""
        return self._tpm.read_counter() - self._began_at

    def raise_counter(self) -> int:
        """Add one to the counter. Raises KeyUnusable."""
        self._tpm.raise_counter()
        return self.read_counter()


def make_tpm_store(folder: Path, device: str = DEVICE) -> PublicKey:
    """Make key and counter in the TPM, their password and the public key in a folder.

    Raises KeyUnusable, also if the TPM or the folder has them already; OSError.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    auth = folder / AUTH
    write_new_key(auth, os.urandom(16).hex().encode(), 0o600)
    tpm = _Tpm(auth, device, MADE_WITHIN_S)
    try:
        tpm.check_free()
        public = tpm.make()
        write_new_key(public_file(folder / KEY), public.pem(), 0o644)
    except (KeyUnusable, OSError):
        auth.unlink()
        raise
    sync_folder(folder)
    return public


class _Tpm:
    """tpm2-tools' commands for one TPM."""

    def __init__(self, auth: Path, device: str, within_s: int) -> None:
        self.auth = f"file:{auth}"
        self._device = device
        self._within_s = within_s

    def run(self, command: str, *arguments: str, stdin: bytes = b"") -> bytes:
        """Run `tpm2_COMMAND`; what it prints. Raises KeyUnusable."""
        program = shutil.which(f"tpm2_{command}")
        if program is None:
            raise KeyUnusable("the TPM needs Debian's package tpm2-tools, which is not installed")
        try:
            done = subprocess.run(
                [program, *arguments, "--tcti", self._device],
                input=stdin,
                capture_output=True,
                timeout=self._within_s,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise KeyUnusable(
                f"the TPM has not answered tpm2_{command} within {self._within_s} s"
            ) from error
        except OSError as error:
            raise KeyUnusable(f"{program} cannot be run: {error.strerror}") from error
        if done.returncode:
            why = _first_error(done.stderr)
            raise KeyUnusable(f"the TPM ({self._device}) refuses tpm2_{command}: {why}")
        return done.stdout

    def read_counter(self) -> int:
        """The NV counter's own value. Raises KeyUnusable."""
        value = self.run("nvread", COUNTER_INDEX, "-C", COUNTER_INDEX, "-P", self.auth)
        if len(value) != _COUNTER_BYTES:
            raise KeyUnusable(f"what the TPM has at {COUNTER_INDEX} is not a counter")
        return int.from_bytes(value, "big")

    def raise_counter(self) -> None:
        """Raise the NV counter. Raises KeyUnusable."""
        self.run("nvincrement", COUNTER_INDEX, "-C", COUNTER_INDEX, "-P", self.auth)

    def check_free(self) -> None:
        """Check that the TPM has no such key or counter. Raises KeyUnusable."""
        for handles, handle in (
            ("handles-nv-index", COUNTER_INDEX),
            ("handles-persistent", SEALED_HANDLE),
        ):
            taken = self.run("getcap", handles).decode().split()
            if int(handle, 16) in {int(one, 16) for one in taken if one.startswith("0x")}:
                raise KeyUnusable(
                    f"the TPM has something at {handle} already; a key is never overwritten"
                )

    def make(self) -> PublicKey:
        """Make the counter, and seal a new key. Raises KeyUnusable."""
        define = ("-C", "o", "-s", str(_COUNTER_BYTES), "-a", _COUNTER_IS, "-p", self.auth)
        self.run("nvdefine", COUNTER_INDEX, *define)
        try:
            self.raise_counter()
            key = Ed25519PrivateKey.generate()
            began_at = self.read_counter().to_bytes(_COUNTER_BYTES, "big")
            self._seal(key.private_bytes_raw() + began_at)
        except KeyUnusable:
            self.run("nvundefine", COUNTER_INDEX, "-C", "o")
            raise
        return PrivateKey(key).public

    def _seal(self, content: bytes) -> None:
        with TemporaryDirectory() as made:
            parent, sealed = f"{made}/parent", f"{made}/sealed"
            self.run("createprimary", "-C", "o", "-G", "ecc256", "-c", parent)
            self._flush()
            keep = ("-i", "-", "-c", sealed, "-p", self.auth, "-a", _SEALED_IS)
            self.run("create", "-C", parent, *keep, stdin=content)
            self._flush()
            self.run("evictcontrol", "-C", "o", "-c", sealed, SEALED_HANDLE)
            self._flush()

    def _flush(self) -> None:
        """Make room for objects: a TPM has three places, and not each way to it manages them."""
        self.run("flushcontext", "-t")


def _first_error(stderr: bytes) -> str:
    """The first line of an error that tpm2-tools print, without their own prefix."""
    lines = stderr.decode(errors="replace").splitlines()
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["without a word"])[0]
