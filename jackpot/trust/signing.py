"""Keys for signing exports: Ed25519, in PEM files. Needs cryptography (extra `audit`)."""

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from jackpot.failures import KeyUnusable
from jackpot.ledger.folder import sync_folder
from jackpot.named_files import open_regular, write_new

LONGEST_KEY_BYTES: Final = 10_000
"""The most bytes read of a key's file; a real one is far shorter."""

ENCRYPTED: Final = b"ENCRYPTED PRIVATE KEY"

_OTHERS = 0o077
"""The permissions of everybody except the owner."""


class PublicKey:
    """The key that checks a signature."""

    def __init__(self, key: Ed25519PublicKey) -> None:
        self._key = key

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the key as DER, in hexadecimal, for people to compare."""
        spki = self._key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return sha256(spki).hexdigest()

    def pem(self) -> bytes:
        """The key as in its file."""
        return self._key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def accepts(self, signature: bytes, signed: bytes) -> bool:
        """Whether the signature over these bytes is by this key's private key."""
        try:
            self._key.verify(signature, signed)
        except InvalidSignature:
            return False
        return True


class PrivateKey:
    """The key that signs an export."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key

    @property
    def public(self) -> PublicKey:
        """The public key of the pair."""
        return PublicKey(self._key.public_key())

    @property
    def fingerprint(self) -> str:
        """The public key's fingerprint."""
        return self.public.fingerprint

    def sign(self, signed: bytes) -> bytes:
        """The signature over these bytes."""
        return self._key.sign(signed)

    def pem(self, passphrase: str) -> bytes:
        """The key as in its file, encrypted unless the passphrase is empty."""
        encryption: KeySerializationEncryption = NoEncryption()
        if passphrase:
            encryption = BestAvailableEncryption(passphrase.encode())
        return self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)


def public_file(private: Path) -> Path:
    """The file of a pair's public key, beside the private one."""
    return private.with_name(f"{private.name}.pub")


def make_pair(file: Path, passphrase: str = "") -> PublicKey:
    """Make a new pair: the private key in `file`, for its owner alone, the public one beside it.

    Raises OSError, and KeyUnusable if one of the files exists; then neither is made.
    """
    key = PrivateKey(Ed25519PrivateKey.generate())
    public = public_file(file)
    write_new_key(file, key.pem(passphrase), 0o600)
    try:
        write_new_key(public, key.public.pem(), 0o644)
    except (KeyUnusable, OSError):
        file.unlink()
        raise
    sync_folder(file.absolute().parent)
    return key.public


def load_private(file: Path, ask: Callable[[], str] | None = None) -> PrivateKey:
    """Read a private key; `ask`: for its passphrase, if it has one. Raises KeyUnusable, OSError."""
    with open_regular(file) as opened:
        mode = os.fstat(opened.fileno()).st_mode
        if mode & _OTHERS:
            raise KeyUnusable(
                f"{file}: others than its owner may read or write it; chmod 600, and if somebody "
                "may have read it, make a new pair"
            )
        text = opened.read(LONGEST_KEY_BYTES)
    passphrase = None
    if ENCRYPTED in text:
        if ask is None:
            raise KeyUnusable(f"{file}: it needs its passphrase")
        passphrase = ask().encode()
    try:
        key = load_pem_private_key(text, passphrase)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        wrong = "the passphrase is wrong, or it is" if passphrase is not None else "it is"
        raise KeyUnusable(f"{file}: {wrong} no private key in PEM") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyUnusable(f"{file}: not an Ed25519 key; banco ledger key makes one")
    return PrivateKey(key)


def load_public(file: Path) -> PublicKey:
    """Read a public key. Raises KeyUnusable, OSError."""
    with open_regular(file) as opened:
        text = opened.read(LONGEST_KEY_BYTES)
    try:
        key = load_pem_public_key(text)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise KeyUnusable(f"{file}: it is no public key in PEM") from error
    if not isinstance(key, Ed25519PublicKey):
        raise KeyUnusable(f"{file}: not an Ed25519 key")
    return PublicKey(key)


def write_new_key(file: Path, content: bytes, mode: int) -> None:
    """Write a file of a pair. Raises KeyUnusable if it is there already, OSError."""
    try:
        write_new(file, content, mode)
    except FileExistsError as error:
        raise KeyUnusable(f"{file} is there already; a key is never overwritten") from error
