"""Serves the pages of one table until the service closes the pipe: python -m console.web.serving.

Reads an Opening from its standard input, then what the service tells (console/web/messages.py).
"""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from aiohttp import web

from console.web.messages import (
    LONGEST_MESSAGE,
    FromPages,
    PagesOpening,
    Serving,
    decode_to_pages,
    encode_message,
)
from console.web.pipes import LinesOut
from console.web.serving.act_relay import ActRelay
from console.web.serving.application import application
from console.web.serving.listener import CannotListen, listen_at
from console.web.serving.scenario_recorder import ScenarioRecorder
from console.web.serving.table_receiver import TableReceiver
from console.web.serving.viewers import Viewers

NICENESS = 10
OOM, OOM_SCORE = Path("/proc/self/oom_score_adj"), "500"
OPENED_WITHIN_S = 10.0
END_S = 0.5

log = logging.getLogger(__name__)


def main() -> int:
    """The exit status."""
    logging.basicConfig(format="pages: %(levelname)s %(message)s", level=logging.WARNING)
    logging.getLogger("console").setLevel(logging.INFO)  # who has entered, and who was refused
    _give_way()
    try:
        return asyncio.run(serve())
    except CannotListen as error:
        return error.status


def _give_way() -> None:
    """The table goes before its pages: at the processor, and where memory is short."""
    os.nice(NICENESS)
    try:
        OOM.write_text(OOM_SCORE)
    except OSError as error:
        log.warning("%s: %s", OOM, error)


def _take_what_is_left(opening: PagesOpening) -> None:
    """A real table's pages run when nobody else wants to: a nice process may hold it up by 4 ms.

    A simulation shares its computer with the browser that looks at it: its pages would not be
    served.
    """
    if not opening.simulated:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


async def serve() -> int:
    """Serve until told to end. Raises CannotListen."""
    lines = await _standard_input()
    async with asyncio.timeout(OPENED_WITHIN_S):
        opening = decode_to_pages(await lines.readline())
    if not isinstance(opening, PagesOpening):
        raise TypeError(f"an opening comes first, not {opening}")
    _take_what_is_left(opening)
    told, hub = TableReceiver(opening), Viewers()
    say = _to_the_service() if opening.simulated else None
    doings = _doings(told, say) if say is not None else None
    runner = web.AppRunner(application(told, hub, doings), shutdown_timeout=END_S)
    await runner.setup()
    try:
        async with listen_at(runner, opening.listening) as url:
            if say is not None:
                say(Serving(url))
            await told.listen(lines)
    finally:
        await runner.cleanup()
    return 0


async def _standard_input() -> asyncio.StreamReader:
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader(limit=LONGEST_MESSAGE)
    await loop.connect_read_pipe(partial(asyncio.StreamReaderProtocol, lines), sys.stdin.buffer)
    return lines


def _to_the_service() -> Callable[[FromPages], None]:
    """How a simulation's service is spoken to; of a real table's there is no pipe to it at all."""
    out = LinesOut(asyncio.get_running_loop(), sys.stdout.fileno(), _nothing, _nothing)
    return lambda message: out.send(encode_message(message))


def _nothing() -> None:
    """A service that takes no more ends this process by the other pipe."""


def _doings(told: TableReceiver, say: Callable[[FromPages], None]) -> ActRelay:
    opening = told.opening
    now = asyncio.get_running_loop().time
    doings = ActRelay(say, ScenarioRecorder(opening.table, opening.scenario), now)
    told.seen.append(doings.seen)
    told.answered.append(doings.answered)
    told.lost.append(doings.lost)
    return doings


if __name__ == "__main__":
    sys.exit(main())
