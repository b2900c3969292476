"""Version 2: the board's key, its sessions, and the proofs of its frames.

Frames and states are in docs/reference/wire-protocol.md, version 2.
"""

import struct

from firmware_bridge.board.blake2s import Blake2s

KEY_SIZE = 16
CHALLENGE_SIZE = 8
MAC_SIZE = 8
PROOF_SIZE = 16
NO_PROOF = bytes(PROOF_SIZE)

KEY_HELD = 0x01
JUMPER_CLOSED = 0x02
"""Bits of IDENTITY's key_state."""

LAST_COUNT = 0xFFFFFFFF


class ProvingSession:
    """One session under the board's key; `number` is the host's."""

    __slots__ = ("_hash", "_sent", "_taken", "number")

    def __init__(self, key: Blake2s, challenge: bytes, number: int, boot: int, greeting: int):
        self.number = number
        seed = b"\0" + challenge + struct.pack("<III", number, boot, greeting)
        self._hash = Blake2s(key.digest(seed))
        self._sent = 0
        self._taken = 0

    def prove(self, message: bytes) -> bytes:
        """The message and its proof."""
        self._sent = min(self._sent + 1, LAST_COUNT)
        counted = message + struct.pack("<II", self.number, self._sent)
        return counted + self._hash.digest(counted)[:MAC_SIZE]

    def take(self, payload: bytes) -> bytes | None:
        """The message before the proof; None if it is invented, of another session, or repeated."""
        end = len(payload) - PROOF_SIZE
        if end <= 0:
            return None
        number, count = struct.unpack_from("<II", payload, end)
        if number != self.number or count <= self._taken:
            return None
        counted = payload[:-MAC_SIZE]
        if self._hash.digest(counted)[:MAC_SIZE] != payload[-MAC_SIZE:]:
            return None
        self._taken = count
        return payload[:end]


class KeyKeeper:
    """Where the board's key outlives the power, and the jumper that lets it be replaced."""

    def read_key(self) -> bytes | None:
        """The key; None if there is none."""
        raise NotImplementedError

    def write_key(self, key: bytes) -> None:
        """Keep this key from now on; `read_key` returns it, or it is not kept."""
        raise NotImplementedError

    def jumper_is_closed(self) -> bool:
        """Whether a person lets another key in now."""
        raise NotImplementedError


class Proofs:
    """The board's key, the session that runs, and the one that may follow it."""

    __slots__ = ("_boot", "_greeted", "_greeting", "_hash", "_keeper", "_key", "_next", "_present")

    def __init__(self, boot: int, keeper: KeyKeeper) -> None:
        self._boot = boot
        self._keeper = keeper
        self._greeting = 0
        self._hash = Blake2s()
        self._key: bytes | None = None
        self._greeted: tuple[bytes, int] | None = None
        self._next: ProvingSession | None = None
        self._present: ProvingSession | None = None
        self._use_key()

    def has_key(self) -> bool:
        """Whether only proved frames are obeyed."""
        return self._key is not None

    # HELLO and IDENTITY

    def greet(self, challenge: bytes, number: int) -> None:
        """Take a HELLO: the session may begin with its first proved WANT."""
        if (challenge, number) == self._greeted:
            return
        self._greeted = challenge, number
        self._next = None
        if self._greeting == LAST_COUNT:
            return  # a greeting that came again would let old sessions come again
        self._greeting += 1
        if self._key is not None:
            self._next = ProvingSession(self._hash, challenge, number, self._boot, self._greeting)

    def end_identity(self, head: bytes, challenge: bytes) -> bytes:
        """The whole IDENTITY, of its first 23 bytes; without a challenge it proves nothing."""
        state = KEY_HELD if self._key is not None else 0
        if self._keeper.jumper_is_closed():
            state |= JUMPER_CLOSED
        head += struct.pack("<BI", state, self._greeting)
        if self._key is None or not challenge:
            return head + bytes(MAC_SIZE)
        return head + self._hash.digest(challenge + head)[:MAC_SIZE]

    # KEY

    def take_key(self, number: int, key: bytes) -> bool:
        """Take a KEY for this session; whether it is another key, so that no session runs."""
        if self._greeted is None or number != self._greeted[1] or key == self._key:
            return False
        if self._key is not None and not self._keeper.jumper_is_closed():
            return False
        self._keeper.write_key(key)
        self._use_key()
        return True

    def _use_key(self) -> None:
        self._key = self._keeper.read_key()
        if self._key is not None:
            self._hash = Blake2s(self._key)
        self._greeted = self._next = self._present = None

    # WANT, STATE and IMAGE

    def take_want(self, payload: bytes) -> tuple[bytes, int | None] | None:
        """The proved message, and the number of the session that begins with it; None: nothing."""
        following, present = self._next, self._present
        message = following.take(payload) if following else None
        if following and message is not None:
            self._present, self._next = following, None
            return message, following.number
        message = present.take(payload) if present else None
        return None if message is None else (message, None)

    def prove(self, message: bytes) -> bytes:
        """The message with its proof; as it is while the board has no key."""
        if self._key is None:
            return message
        return self._present.prove(message) if self._present else message + NO_PROOF
