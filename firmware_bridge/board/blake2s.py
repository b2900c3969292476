"""BLAKE2s (RFC 7693) with and without a key: MicroPython has none."""

import struct
from array import array

from firmware_bridge.board import viper as micropython
from firmware_bridge.board.viper import ptr8, ptr32, uint

BLOCK_SIZE = 64
DIGEST_SIZE = 32
LONGEST_KEY = 32

_FAN_OUT_AND_DEPTH = 0x01010000  # 1 and 1: no tree (RFC 7693, 2.5)

_START = struct.pack(
    "<8I",
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
)  # fmt: skip
"""IV of RFC 7693, 2.6."""

_SIGMA = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)
_MIXED = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)  # fmt: skip
"""The words of the vector that each G of a round mixes: columns, then diagonals."""

_STEPS = bytes(
    place
    for sigma in _SIGMA
    for number, words in enumerate(_MIXED)
    for place in words + sigma[2 * number : 2 * number + 2]
)
"""Six numbers for each G: four words of the vector, two of the block."""

_STATE = 16
_COUNT = 24
_IS_LAST = 25
_IV = 26
"""Where in the words of `_compress` the chain value, the number of bytes hashed, the flag and the
IV begin. The vector is in front of them."""


@micropython.viper
def _compress(words: ptr32, block: ptr32, steps: ptr8) -> int:
    """Mix a block of 16 words into the chain value: F of RFC 7693, 3.2. Always 0.

    In viper a result has the type of what stands on the left. With the mask there it is unsigned,
    so that a shift to the right fills with zeros; a word of the array is signed.
    """
    mask = uint(0xFFFFFFFF)
    for at in range(8):
        words[at] = words[16 + at]
        words[8 + at] = words[26 + at]
    words[12] = words[12] ^ words[24]
    if words[25]:
        words[14] = words[14] ^ mask
    for at in range(0, 480, 6):
        a = steps[at]
        b = steps[at + 1]
        c = steps[at + 2]
        d = steps[at + 3]
        word_a = mask & (words[a] + words[b] + block[steps[at + 4]])
        word_d = mask & (words[d] ^ word_a)
        word_d = (word_d >> 16) | (word_d << 16) & mask
        word_c = mask & (words[c] + word_d)
        word_b = mask & (words[b] ^ word_c)
        word_b = (word_b >> 12) | (word_b << 20) & mask
        word_a = mask & (word_a + word_b + block[steps[at + 5]])
        word_d = word_d ^ word_a
        word_d = (word_d >> 8) | (word_d << 24) & mask
        word_c = mask & (word_c + word_d)
        word_b = word_b ^ word_c
        words[a] = word_a
        words[b] = (word_b >> 7) | (word_b << 25) & mask
        words[c] = word_c
        words[d] = word_d
    for at in range(8):
        words[16 + at] = words[16 + at] ^ words[at] ^ words[8 + at]
    return 0


class Blake2s:
    """BLAKE2s under one key, whose own block is hashed once; without a key the plain hash."""

    __slots__ = ("_begun", "_key_block", "_unbegun")

    def __init__(self, key: bytes = b"") -> None:
        """Raise ValueError if the key has more than 32 bytes."""
        if len(key) > LONGEST_KEY:
            raise ValueError(f"a key has at most {LONGEST_KEY} bytes, not {len(key)}")
        first: int = struct.unpack_from("<I", _START)[0]
        first ^= _FAN_OUT_AND_DEPTH | len(key) << 8 | DIGEST_SIZE
        chain = struct.pack("<I", first) + _START[4:]
        self._unbegun = bytes(4 * _STATE) + chain + bytes(4 * (_IV - _COUNT)) + _START
        self._key_block = _pad(key) if key else b""
        self._begun = self._unbegun
        if key:
            words = array("I", self._unbegun)
            _add(words, self._key_block, 0)
            self._begun = bytes(words)

    def digest(self, data: bytes) -> bytes:
        """The 32 bytes of the hash of these bytes."""
        words = array("I", self._begun)
        at, end = 0, len(data)
        while end - at > BLOCK_SIZE:
            _add(words, data[at : at + BLOCK_SIZE], 0)
            at += BLOCK_SIZE
        if data:
            _add(words, data[at:], 1)
        else:
            words = array("I", self._unbegun)
            _add(words, self._key_block, 1)
        return bytes(words)[4 * _STATE : 4 * _COUNT]


def _add(words: "array[int]", data: bytes, is_last: int) -> None:
    words[_COUNT] += len(data)
    words[_IS_LAST] = is_last
    _compress(memoryview(words), memoryview(array("I", _pad(data))), _STEPS)


def _pad(data: bytes) -> bytes:
    return (data + bytes(BLOCK_SIZE))[:BLOCK_SIZE]
