"""Serves the pages of one table until the service closes the pipe: python -m console.web.serving.

Reads the opening from standard input, then the service's messages (console/web/messages.py).
"""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from aiohttp import web

from console.child_process.pipes import LinesOut
from console.web.messages import (
    LONGEST_MESSAGE,
    FromPages,
    PagesOpening,
    Serving,
    decode_to_pages,
    encode_message,
)
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
    """Let the table have processor and memory first."""
    os.nice(NICENESS)
    try:
        OOM.write_text(OOM_SCORE)
    except OSError as error:
        log.warning("%s: %s", OOM, error)


def _take_what_is_left(opening: PagesOpening) -> None:
    """A real table's pages run only when the processor is idle: niceness alone costs it up to 4 ms.

    A simulation shares its computer with a busy browser, so its pages would never run.
    """
    if not opening.simulated:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


async def serve() -> int:
    """Serve until the service closes the pipe. Raises CannotListen."""
    lines = await _standard_input()
    async with asyncio.timeout(OPENED_WITHIN_S):
        opening = decode_to_pages(await lines.readline())
    if not isinstance(opening, PagesOpening):
        raise TypeError(f"the first message must be an opening, not {opening}")
    _take_what_is_left(opening)
    receiver, viewers = TableReceiver(opening), Viewers()
    send = _sender_to_service() if opening.simulated else None
    relay = _doings(receiver, send) if send is not None else None
    runner = web.AppRunner(application(receiver, viewers, relay), shutdown_timeout=END_S)
    await runner.setup()
    try:
        async with listen_at(runner, opening.listening) as url:
            if send is not None:
                send(Serving(url))
            await receiver.listen(lines)
    finally:
        await runner.cleanup()
    return 0


async def _standard_input() -> asyncio.StreamReader:
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader(limit=LONGEST_MESSAGE)
    await loop.connect_read_pipe(partial(asyncio.StreamReaderProtocol, lines), sys.stdin.buffer)
    return lines


def _sender_to_service() -> Callable[[FromPages], None]:
    """Sends to a simulation's service; from the pages of a real table no pipe leads there."""
    out = LinesOut(asyncio.get_running_loop(), sys.stdout.fileno(), _ignore, _ignore)
    return lambda message: out.send(encode_message(message))


def _ignore() -> None:
    """A service that has ended closes the other pipe, which ends this process."""


def _doings(receiver: TableReceiver, send: Callable[[FromPages], None]) -> ActRelay:
    opening = receiver.opening
    now = asyncio.get_running_loop().time
    relay = ActRelay(send, ScenarioRecorder(opening.table, opening.scenario), now)
    receiver.on_snapshot.append(relay.on_snapshot)
    receiver.on_answer.append(relay.on_answer)
    receiver.on_lost.append(relay.on_lost)
    return relay


if __name__ == "__main__":
    sys.exit(main())
