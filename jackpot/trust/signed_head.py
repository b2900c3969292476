"""A signed head: a ledger's newest record, signed with the table's own key (decision 0013).

What is signed is `PREFIX`, then the other fields as canonical JSON: keys in alphabetical order, no
blanks, UTF-8. docs/how-to/audit.md checks one by hand.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import asdict

from jackpot.failures import Damaged
from jackpot.ledger.export_lines import Verifier
from jackpot.trust.counterpart import Noted
from jackpot.trust.key_stores.store import KeyStore

PREFIX: Final = b"banco-signed-head 1\n"
"""The kind and version of what is signed, so that it passes for nothing else."""


class SignedHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record of a table's ledger, its store's counter then, and the signature over both.

    `wall` is the record's label for people, `key` the public key's fingerprint; `hash`, `key` and
    `signature` are hexadecimal.
    """

    table: str
    seq: int
    hash: str
    wall: str
    counter: int
    key: str
    signature: str

    @property
    def title(self) -> str:
        """For people: which record, and when."""
        return f"the signed head of record {self.seq}, {self.wall or 'without a time'}"


def sign_head(store: KeyStore, noted: Noted, *, table: str, counter: int) -> SignedHead:
    """Sign a committed record with the table's key. Raises KeyUnusable."""
    facts = {
        "table": table,
        "seq": noted.head.seq,
        "hash": noted.head.hash,
        "wall": noted.wall,
        "counter": counter,
        "key": store.public.fingerprint,
    }
    return msgspec.convert({**facts, "signature": store.sign(_to_sign(facts)).hex()}, SignedHead)


def check_head(head: SignedHead, key: Verifier) -> None:
    """Check that this key's owner signed the head. Raises Damaged."""
    if head.key != key.fingerprint:
        raise Damaged(f"{head.title} is signed with the key {head.key}, not {key.fingerprint}")
    try:
        signature = bytes.fromhex(head.signature)
    except ValueError:
        signature = b""
    if not key.accepts(signature, bytes_to_sign(head)):
        raise Damaged(f"{head.title} has a wrong signature: it was forged, or changed")


def bytes_to_sign(head: SignedHead) -> bytes:
    """The exact bytes that the head's signature covers."""
    return _to_sign({name: value for name, value in asdict(head).items() if name != "signature"})


def _to_sign(facts: Mapping[str, Any]) -> bytes:
    return PREFIX + msgspec.json.encode(facts, order="sorted")
