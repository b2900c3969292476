"""What arrives on a line, clean or hostile, for any framer; it needs nothing but Python."""

import asyncio
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

from tests.bench.contenders import serve

READ_SIZE = 256
"""As much as a serial port gives at once."""

PAYLOAD = bytes([3, 26]) + bytes(range(100, 126))
"""28 bytes, one less than a board's STATE: to Modbus, the answer that 13 registers are read."""

NOISE = 64
"""Bytes of noise before every two frames: the first is glued to it, the second need not be lost."""

SEED = 1


def pieces(what: str, size: int, frame: bytes) -> list[bytes]:
    """About `size` bytes of traffic, in the pieces in which they are read."""
    chance = Random(SEED)
    if what == "endless_run":
        run = bytes(chance.randrange(1, 256) for _ in range(size))
        return [run[at : at + READ_SIZE] for at in range(0, size, READ_SIZE)]
    if what == "byte_at_a_time":
        stream = frame * (size // len(frame))
        return [stream[at : at + 1] for at in range(len(stream))]
    return [chance.randbytes(NOISE) + 2 * frame for _ in range(size // (NOISE + 2 * len(frame)))]


def compete(
    encode: Callable[[bytes], bytes],
    new_receiver: Callable[[], Callable[[bytes], int]],
) -> None:
    """Serve as a contender: `new_receiver` takes pieces and tells how many frames they ended."""

    async def answer(question: dict[str, Any]) -> dict[str, Any]:
        what, size = question["what"], question["size"]
        frame = encode(PAYLOAD)
        if what == "encode":
            return {"us": _each(encode, PAYLOAD, size), "found": size}
        receive = new_receiver()
        if what == "decode":
            return {"us": _each(receive, frame, size), "found": size}
        traffic = pieces(what, size, frame)
        began = process_time()
        found = sum(map(receive, traffic))
        return {"us": (process_time() - began) * 1e6, "found": found}

    asyncio.run(serve(answer))


def _each(act: Callable[[bytes], object], data: bytes, times: int) -> float:
    began = process_time()
    for _ in range(times):
        act(data)
    return (process_time() - began) / times * 1e6
