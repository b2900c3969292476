"""Signed heads: nobody but the table's key makes one, and no field of it can be changed."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import asdict

from jackpot.failures import Damaged, KeyUnusable
from jackpot.ledger.journal import Head
from jackpot.trust.counterpart import Noted
from jackpot.trust.head_signer import HeadSigner
from jackpot.trust.key_stores.file import FileStore, make_file_store
from jackpot.trust.signed_head import SignedHead, bytes_to_sign, check_head, sign_head

NOTED = Noted(Head(812, sha256(b"812").hexdigest()), "2026-03-01T23:59:01")


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    make_file_store(tmp_path / "key")
    return FileStore(tmp_path / "key")


@pytest.fixture
def head(store: FileStore) -> SignedHead:
    return sign_head(store, NOTED, table="càribbean-1", counter=7)


def test_the_tables_public_key_accepts_it(store: FileStore, head: SignedHead) -> None:
    check_head(head, store.public)
    assert (head.seq, head.counter, head.key) == (812, 7, store.public.fingerprint)


@pytest.mark.parametrize("field", ["table", "seq", "hash", "wall", "counter", "key", "signature"])
def test_no_field_can_be_changed(store: FileStore, head: SignedHead, field: str) -> None:
    fields = asdict(head)
    old = fields[field]
    fields[field] = old + 1 if isinstance(old, int) else old[:-1] + ("0" if old[-1] != "0" else "1")
    with pytest.raises(Damaged):
        check_head(SignedHead(**fields), store.public)


@pytest.mark.parametrize("signature", ["", "no hexadecimal", "00" * 64])
def test_a_signature_that_is_none(store: FileStore, head: SignedHead, signature: str) -> None:
    with pytest.raises(Damaged, match="wrong signature"):
        check_head(SignedHead(**{**asdict(head), "signature": signature}), store.public)


def test_another_key_is_named(tmp_path: Path, head: SignedHead) -> None:
    other = make_file_store(tmp_path / "other")
    with pytest.raises(Damaged, match=f"with the key {head.key}, not {other.fingerprint}"):
        check_head(head, other)


def test_what_is_signed_can_be_made_by_hand(head: SignedHead) -> None:
    fields = asdict(head)
    del fields["signature"]
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert bytes_to_sign(head) == b"banco-signed-head 1\n" + text.encode()


def test_a_signer_signs_ahead_before_it_raises(tmp_path: Path, store: FileStore) -> None:
    signer = HeadSigner("one", lambda: FileStore(tmp_path / "key"))
    assert signer.sign(NOTED).counter == 0
    assert signer.sign_ahead(NOTED).counter == 1
    assert store.read_counter() == 0
    assert signer.raise_counter() == 1
    assert signer.sign(NOTED).counter == store.read_counter() == 1


def test_a_lost_store_is_opened_again(tmp_path: Path) -> None:
    signer = HeadSigner("one", lambda: FileStore(tmp_path / "later"))
    with pytest.raises(KeyUnusable):
        signer.sign(NOTED)
    make_file_store(tmp_path / "later")
    assert signer.sign(NOTED).table == "one"
