"""A hostile client, as a process of its own: `python -m tests.console.line.hostile KIND SOCKET`.

Prints how many bytes it sent; it never keeps many of them in memory.
"""

import random
import select
import socket
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import repeat

from tests.deadlines import DEADLINE_S

TEN_MEGABYTES = 10_000_000
A_MEGABYTE = 1_000_000
A_THOUSAND = 1_000
PIECE = 1 << 16
COSTLY = b'{"ask":"devices","frames":32}\n'
"""The request that costs most."""


def connect(path: str) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(1.0)
    line.connect(path)
    return line


def random_bytes() -> Iterator[bytes]:
    """Endless random bytes, which contain line feeds."""
    chance = random.Random(4)
    while True:
        yield chance.randbytes(PIECE)


def pour(path: str, pieces: Iterable[bytes], total: int, *, reads: bool, until: float) -> int:
    """Send bytes, on a new connection whenever one ends; return how many were sent."""
    sent = 0
    line = connect(path)
    for piece in pieces:
        rest = memoryview(piece)
        while rest and sent < total and time.monotonic() < until:
            try:
                if reads and select.select([line], [], [], 0)[0] and not line.recv(PIECE):
                    raise ConnectionResetError
                count = line.send(rest)
            except TimeoutError:
                continue
            except OSError:  # cut off: connect again
                line.close()
                line = connect(path)
                break
            rest = rest[count:]
            sent += count
        if sent >= total or time.monotonic() >= until:
            break
    line.close()
    return sent


def crowd(path: str, until: float) -> int:
    """Open a thousand connections and keep them; return how many."""
    there: list[socket.socket] = []
    while len(there) < A_THOUSAND and time.monotonic() < until:
        try:
            there.append(connect(path))
        except OSError:  # its queue is full
            continue
    return len(there)


def main(kind: str, path: str) -> int:
    until = time.monotonic() + DEADLINE_S
    match kind:
        case "random":
            return pour(path, random_bytes(), TEN_MEGABYTES, reads=True, until=until)
        case "endless":
            return pour(path, repeat(b"x" * PIECE), TEN_MEGABYTES, reads=False, until=until)
        case "deaf":
            return pour(path, repeat(COSTLY * 1000), A_MEGABYTE, reads=False, until=until)
        case "eager":
            return pour(path, repeat(COSTLY * 10), 3000 * len(COSTLY), reads=True, until=until)
    return crowd(path, until)


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
