"""Contender: our terminal, hearing random bytes; asked for how many, and how fast they come."""

import asyncio
import resource
from collections.abc import Sequence
from random import Random
from time import process_time
from typing import Any

from console.technician.talk import Interrupted
from console.technician.terminal.terminal import Terminal
from devices.sim.virtual_time import VirtualLoop
from tests.bench.contenders import serve
from tests.console.technician.terminal.typist import typist

PIECE = 256


async def _prompt() -> Sequence[str]:
    return ("cs-1  PLAYING  key R  faults: none", "banco> ")


async def _parrot(terminal: Terminal) -> None:
    while True:
        try:
            await terminal.say(await terminal.command(_prompt, lambda _: ()))
        except Interrupted:
            continue


def hear(size: int, bytes_a_second: int) -> dict[str, Any]:
    """Processor seconds for so many bytes at this rate, in virtual time; memory grown, in kB."""
    chance = Random(1)
    pieces = [chance.randbytes(PIECE) for _ in range(1000)]
    loop = VirtualLoop()
    try:
        with typist(loop, _parrot) as somebody:
            somebody.wire.on_received = None
            _send_pieces(somebody.loop, somebody.wire.send, pieces, bytes_a_second)
            before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            began = process_time()
            for _ in range(size // (PIECE * len(pieces))):
                _send_pieces(somebody.loop, somebody.wire.send, pieces, bytes_a_second)
            taken = process_time() - began
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb
    finally:
        loop.close()
    return {"s": taken, "grown_kb": grown}


def _send_pieces(
    loop: VirtualLoop, send: Any, pieces: Sequence[bytes], bytes_a_second: int
) -> None:
    for piece in pieces:
        send(piece)
        loop.run_for(PIECE / bytes_a_second)


async def _answer(question: dict[str, Any]) -> dict[str, Any]:
    return await asyncio.to_thread(hear, question["size"], question["rate"])


if __name__ == "__main__":
    asyncio.run(serve(_answer))
