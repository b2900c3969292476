"""Hashed PINs: scrypt, each with its own salt and cost."""

import re
import secrets
from hashlib import scrypt
from hmac import compare_digest
from itertools import pairwise

from msgspec import Struct

SHORTEST, LONGEST = 6, 12
"""Least and most digits of a PIN."""

HASH_BYTES = 32
SALT_BYTES = 16
MEMORY_LIMIT = 64 * 1024 * 1024
"""Most bytes of memory for one check, whatever the file says."""

_REPEATED = r"(\d{1,3})\1+\d{0,2}"


class Cost(Struct, frozen=True):
    """The cost of a check: scrypt's n, r, p (RFC 7914). Memory is 128 * r * (n + p + 2) bytes.

    n is less than 2 to the power of 16 * r. The defaults take 8 MiB, and on a Raspberry Pi 4
    probably 0.1 s or less.
    """

    n: int = 1 << 13
    r: int = 8
    p: int = 1

    @property
    def objection(self) -> str | None:
        """Why these parameters are not usable; None if they are."""
        if self.n <= 1 or self.n & (self.n - 1):
            return f"n is a power of two, not {self.n}"
        if self.r < 1 or self.p < 1:
            return "r and p are at least 1"
        if 128 * self.r * (self.n + self.p + 2) > MEMORY_LIMIT:
            return f"a check would take more than {MEMORY_LIMIT >> 20} MiB"
        if self.n.bit_length() > 16 * self.r:
            return f"n is less than {1 << 16 * self.r} where r is {self.r}, not {self.n}"
        return None

    @property
    def work(self) -> int:
        """Proportional to the time a check takes."""
        return self.n * self.r * self.p


STANDARD = Cost()


class PinHash(Struct, frozen=True):
    """A hashed PIN; it can be checked but not read back."""

    salt: bytes
    hash: bytes
    cost: Cost = STANDARD

    def matches(self, pin: str) -> bool:
        """Return whether this is the PIN, in the same time either way."""
        equal = compare_digest(_hash(pin, self.salt, self.cost), self.hash)
        return equal and _is_digits(pin)  # scrypt ignores zero bytes after a PIN


def hash_pin(pin: str, cost: Cost = STANDARD) -> PinHash:
    """Hash a PIN with a new salt."""
    salt = secrets.token_bytes(SALT_BYTES)
    return PinHash(salt, _hash(pin, salt, cost), cost)


def make_unmatched_hash(cost: Cost = STANDARD) -> PinHash:
    """Return a hash that no PIN matches, for checks of unknown names at the same cost."""
    return PinHash(secrets.token_bytes(SALT_BYTES), secrets.token_bytes(HASH_BYTES), cost)


def _hash(pin: str, salt: bytes, cost: Cost) -> bytes:
    return scrypt(
        pin.encode("utf-8", "replace"),
        salt=salt,
        n=cost.n,
        r=cost.r,
        p=cost.p,
        maxmem=MEMORY_LIMIT + (1 << 20),
        dklen=HASH_BYTES,
    )


def objection(pin: str) -> str | None:
    """Return why this is not acceptable as a new PIN; None if it is."""
    if not (_is_digits(pin) and SHORTEST <= len(pin) <= LONGEST):
        return f"a PIN is {SHORTEST} to {LONGEST} digits"
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    if len(steps) == 1:
        return "digits that are all the same, or go up or down by one step, are guessed first"
    if re.fullmatch(_REPEATED, pin):
        return "a few digits over and over are guessed first"
    return None


def _is_digits(pin: str) -> bool:
    return pin.isascii() and pin.isdigit()
