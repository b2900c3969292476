"""A PIN as it is kept: scrypt with a salt of its own, and the parameters beside it."""

import re
import secrets
from dataclasses import dataclass
from hashlib import scrypt
from hmac import compare_digest
from itertools import pairwise

SHORTEST, LONGEST = 6, 12
"""Digits of a PIN."""

HASH_BYTES = 32
SALT_BYTES = 16
MEMORY_LIMIT = 64 * 1024 * 1024
"""Bytes that one check may take, whatever a file asks for."""

_REPEATED = re.compile(r"(\d{1,3})\1+\d{0,2}")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a check costs: scrypt's n, r, p (RFC 7914). Memory is 128 * n * r bytes.

    The standard ones take 8 MiB, and on a Raspberry Pi 4 a tenth of a second or less.
    """

    n: int = 1 << 13
    r: int = 8
    p: int = 1

    @property
    def objection(self) -> str | None:
        """Why these cannot be worked with; None: they can."""
        if self.n <= 1 or self.n & (self.n - 1):
            return f"n is a power of two, not {self.n}"
        if self.r < 1 or self.p < 1:
            return "r and p are at least 1"
        if 128 * self.r * (self.n + self.p) > MEMORY_LIMIT:
            return f"a check would take more than {MEMORY_LIMIT >> 20} MiB"
        return None

    @property
    def work(self) -> int:
        """Proportional to the time a check takes."""
        return self.n * self.r * self.p


STANDARD = Cost()


@dataclass(frozen=True, slots=True)
class PinHash:
    """What is kept of a PIN; it cannot be read back, only tried."""

    salt: bytes
    hash: bytes
    cost: Cost = STANDARD

    def fits(self, pin: str) -> bool:
        """Whether it is this PIN. Takes the same time whether it is or not."""
        same = compare_digest(_hash(pin, self.salt, self.cost), self.hash)
        return same and _digits(pin)  # to scrypt a PIN is the same with zero bytes behind it


def hash_pin(pin: str, cost: Cost = STANDARD) -> PinHash:
    """Keep a PIN, with a new salt."""
    salt = secrets.token_bytes(SALT_BYTES)
    return PinHash(salt, _hash(pin, salt, cost), cost)


def make_unmatched_hash(cost: Cost = STANDARD) -> PinHash:
    """A hash that no PIN fits: what is tried for a name that is not enrolled, at the same cost."""
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
    """Why this may not become somebody's PIN; None: it may."""
    if not (_digits(pin) and SHORTEST <= len(pin) <= LONGEST):
        return f"a PIN is {SHORTEST} to {LONGEST} digits"
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    if len(steps) == 1:
        return "digits that are all the same, or count up or down, are guessed first"
    if _REPEATED.fullmatch(pin):
        return "a few digits over and over are guessed first"
    return None


def _digits(pin: str) -> bool:
    return pin.isascii() and pin.isdigit()
