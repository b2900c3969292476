"""Serves a simulation's pages until it closes the pipe: python -m console.web.serving.

Reads the opening from standard input, then the service's messages (console/web/messages.py).
"""

import asyncio
import logging
import os
import sys
from functools import partial
from pathlib import Path

from console.child_process import LinesOut
from console.web.messages import LONGEST_MESSAGE, FromPages, encode_message
from console.web.serving.connections import CannotListen
from console.web.serving.serve import log_to_standard_error, serve

NICENESS = 10
OOM, OOM_SCORE = Path("/proc/self/oom_score_adj"), "500"

log = logging.getLogger(__name__)


def main() -> int:
    """The exit status."""
    log_to_standard_error()
    _give_way()
    try:
        asyncio.run(_serve_pipes())
    except CannotListen as error:
        return error.status
    return 0


def _give_way() -> None:
    """Let the table have processor and memory first."""
    os.nice(NICENESS)
    try:
        OOM.write_text(OOM_SCORE)
    except OSError as error:
        log.warning("%s: %s", OOM, error)


async def _serve_pipes() -> None:
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader(limit=LONGEST_MESSAGE)
    await loop.connect_read_pipe(partial(asyncio.StreamReaderProtocol, lines), sys.stdin.buffer)
    out = LinesOut(loop, sys.stdout.fileno(), _ignore, _ignore)

    def send(message: FromPages) -> None:
        out.send(encode_message(message))

    await serve(lines, send)


def _ignore() -> None:
    """A service that has ended closes the other pipe, which ends this process."""


if __name__ == "__main__":
    sys.exit(main())
