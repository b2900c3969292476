"""The keys of exports: made once, kept from others, encrypted where a passphrase is given."""

import stat
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_public_key,
)

from jackpot.failures import KeyUnusable
from jackpot.trust.signing import load_private, load_public, make_pair, public_file

DIGEST = sha256(b"an export").digest()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "auditor.key"


def test_what_one_half_signs_the_other_accepts(file: Path) -> None:
    public = make_pair(file)
    signature = load_private(file).sign(DIGEST)
    assert load_public(public_file(file)).accepts(signature, DIGEST)
    assert not public.accepts(signature, sha256(b"another").digest())
    assert not public.accepts(signature[:-1], DIGEST)
    assert not make_pair(file.with_name("another.key")).accepts(signature, DIGEST)


def test_the_private_key_is_its_owner_s_alone(file: Path) -> None:
    make_pair(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"PRIVATE KEY" not in public_file(file).read_bytes()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_private_key_that_others_may_read_is_refused(file: Path, mode: int) -> None:
    make_pair(file)
    file.chmod(mode)
    with pytest.raises(KeyUnusable, match="others than its owner"):
        load_private(file)


def test_a_key_is_never_overwritten(file: Path) -> None:
    make_pair(file)
    before = file.read_bytes()
    with pytest.raises(KeyUnusable, match="is there already"):
        make_pair(file)
    assert file.read_bytes() == before


def test_no_half_of_a_pair_stays_behind(file: Path) -> None:
    public_file(file).write_text("somebody's")
    with pytest.raises(KeyUnusable, match=r"auditor\.key\.pub is there already"):
        make_pair(file)
    assert not file.exists()
    assert public_file(file).read_text() == "somebody's"


def test_a_passphrase_is_needed_and_must_be_the_right_one(file: Path) -> None:
    public = make_pair(file, "tre carte")
    assert b"ENCRYPTED" in file.read_bytes()
    with pytest.raises(KeyUnusable, match="it needs its passphrase"):
        load_private(file)
    with pytest.raises(KeyUnusable, match="the passphrase is wrong"):
        load_private(file, lambda: "due carte")
    assert load_private(file, lambda: "tre carte").fingerprint == public.fingerprint


def test_a_key_without_a_passphrase_asks_for_none(file: Path) -> None:
    public = make_pair(file)
    assert load_private(file, lambda: pytest.fail("asked")).fingerprint == public.fingerprint


def test_the_fingerprint_is_that_of_the_key_as_der(file: Path) -> None:
    public = make_pair(file)
    key = load_pem_public_key(public_file(file).read_bytes())
    der = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert public.fingerprint == sha256(der).hexdigest()


def test_what_is_no_key_of_ours_is_told(file: Path) -> None:
    other = X25519PrivateKey.generate()
    file.write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    file.chmod(0o600)
    with pytest.raises(KeyUnusable, match="not an Ed25519 key"):
        load_private(file)
    file.write_bytes(
        other.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    with pytest.raises(KeyUnusable, match="not an Ed25519 key"):
        load_public(file)
    file.write_bytes(b"\x00" * 100_000)
    for load in (load_private, load_public):
        with pytest.raises(KeyUnusable, match="it is no"):
            load(file)
