"""Version 2: who has the board's key, and which WANT and STATE are of this session. Pure.

Frames, keys and states are in docs/dev/decisions/0024-protocol-version-2.md.
"""

from hashlib import blake2s
from hmac import compare_digest
from struct import Struct

from firmware_bridge.board_link.protocol import IDENTITY_PROVED_SIZE, MAC_SIZE, Hello

NO_MAC = bytes(MAC_SIZE)

_PROOF = Struct(f"<II{MAC_SIZE}s")
_SEED = Struct("<B8sIII")
_SEED_TYPE = 0x00  # no message's type: a session key is never the hash of a message
_LAST_COUNT = 0xFFFFFFFF

PROOF_SIZE = _PROOF.size
NO_PROOF = bytes(PROOF_SIZE)
"""Behind the STATE of a board that has a key and no session yet."""


def make_mac(key: bytes, data: bytes) -> bytes:
    """The first 8 bytes of BLAKE2s under the key."""
    return blake2s(data, key=key).digest()[:MAC_SIZE]


def proves_key(key: bytes, challenge: bytes, identity: bytes) -> bool:
    """Whether this IDENTITY's bytes answer the challenge by the key."""
    proved = identity[:IDENTITY_PROVED_SIZE]
    mac = identity[IDENTITY_PROVED_SIZE : IDENTITY_PROVED_SIZE + MAC_SIZE]
    return compare_digest(mac, make_mac(key, challenge + proved))


class ProvedSession:
    """One side of a session: its key, the frames sent, and the last one taken."""

    __slots__ = ("_key", "_sent", "_taken", "greeting", "session")

    def __init__(self, board_key: bytes, hello: Hello, boot: int, greeting: int) -> None:
        """`boot` and `greeting` are of the IDENTITY that answers `hello`, and proves the key."""
        seed = _SEED.pack(_SEED_TYPE, hello.challenge, hello.session, boot, greeting)
        self.session = hello.session
        self.greeting = greeting
        self._key = blake2s(seed, key=board_key).digest()
        self._sent = 0
        self._taken = 0

    def prove(self, message: bytes) -> bytes:
        """The message with its proof; each time another one, as each frame counts."""
        self._sent = min(self._sent + 1, _LAST_COUNT)
        counted = message + self.session.to_bytes(4, "little") + self._sent.to_bytes(4, "little")
        return counted + make_mac(self._key, counted)

    def take(self, payload: bytes) -> bytes | None:
        """The message before the proof; None if it is invented, of another session, or repeated."""
        if len(payload) <= PROOF_SIZE:
            return None
        session, count, mac = _PROOF.unpack(payload[-PROOF_SIZE:])
        if session != self.session or count <= self._taken:
            return None
        if not compare_digest(mac, make_mac(self._key, payload[:-MAC_SIZE])):
            return None
        self._taken = count
        return payload[:-PROOF_SIZE]
