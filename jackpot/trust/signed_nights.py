"""The file of signed heads beside the seal: one line of JSON for each night."""

import os
from pathlib import Path

import msgspec

from jackpot.ledger.folder import hand_over
from jackpot.named_files import open_regular
from jackpot.trust.counterpart import CounterpartLost
from jackpot.trust.signed_head import SignedHead
from jackpot.value_mistakes import describe_mistake

LONGEST_LINE_BYTES = 4_096


def nights_file(seal: Path) -> Path:
    """The file of a seal's nights, beside it."""
    return seal.with_name(f"{seal.name}.nights")


class SignedNights:
    """Adds to such a file."""

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self._path = path
        self._durable = durable

    def add(self, head: SignedHead) -> None:
        """Add a night's head. Raises OSError."""
        new = not self._path.exists()
        with self._path.open("ab+") as file:
            if file.tell():  # a line that power has cut stays a line of its own
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    file.write(b"\n")
            file.write(msgspec.json.encode(head) + b"\n")
            file.flush()
            if self._durable:
                os.fsync(file.fileno())
        if new:
            hand_over(self._path)


def read_heads(path: Path) -> list[SignedHead]:
    """The heads in a file, one a line. Raises CounterpartLost, OSError."""
    heads: list[SignedHead] = []
    with open_regular(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE_BYTES), b""), 1):
            try:
                heads.append(msgspec.json.decode(line, type=SignedHead))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise CounterpartLost(
                    f"{path}, line {number}: it is no signed head: {describe_mistake(error)}"
                ) from error
    return heads
