"""Each line `KEY DATA` in hexadecimal, `-` for nothing, is answered with the hash; in MicroPython.

With a number as the program's argument, it hashes a STATE that often and answers the microseconds.
"""

import sys
from binascii import hexlify, unhexlify

import utime

from firmware_bridge.board.blake2s import Blake2s

RAIL_STATE_SIZE = 37
"""A rail's STATE with the session and count of its proof."""


def measure(times: int) -> float:
    """The microseconds of one hash of so many."""
    keyed, state = Blake2s(bytes(32)), bytes(RAIL_STATE_SIZE)
    begun = utime.ticks_us()
    for _ in range(times):
        keyed.digest(state)
    took_us: int = utime.ticks_diff(utime.ticks_us(), begun)
    return took_us / times


def unpack(word: str) -> bytes:
    """The bytes of a word."""
    return b"" if word == "-" else unhexlify(word)


if len(sys.argv) > 1:
    print(measure(int(sys.argv[1])))
else:
    for line in sys.stdin.read().split("\n"):
        if line:
            key, data = [unpack(word) for word in line.split()]
            print(hexlify(Blake2s(key).digest(data)).decode())
