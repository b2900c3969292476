"""`banco room`: serves the sign and the overview until it is stopped (docs/how-to/room.md)."""

import asyncio
import logging
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from aiohttp import web

from console.configuration.room_file import RoomConfiguration, load_room
from console.room.application import RoomPages
from console.room.centre_watch import READ_EVERY_S, watch_centre
from console.service.supervision.stop_signals import act_on_signals
from console.web.serving.listener import listen_at
from jackpot.failures import Failure

DONE, UNUSABLE = 0, 2
END_S = 0.5

log = logging.getLogger(__name__)


def run_room(file: Path) -> int:
    """Serve the room of this configuration; the exit status. Prints what prevents it."""
    logging.basicConfig(format="room: %(levelname)s %(message)s", level=logging.WARNING)
    logging.getLogger("console").setLevel(logging.INFO)  # who has entered, and who was refused
    try:
        asyncio.run(serve_room(load_room(file)))
    except Failure as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    return DONE


async def serve_room(room: RoomConfiguration) -> None:
    """Serve until a signal asks to stop. Raises CannotListen."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    async with AsyncExitStack() as stack:
        stack.enter_context(act_on_signals(loop, stopped.set))
        pages = RoomPages(room, await stack.enter_async_context(watch_centre(room.centre)))
        runner = web.AppRunner(pages.app, shutdown_timeout=END_S)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        url = await stack.enter_async_context(listen_at(runner, room.web.listening()))
        print(f"the room is served at {url}", flush=True)
        while not stopped.is_set():
            pages.publish()
            await _wait(stopped)


async def _wait(stopped: asyncio.Event) -> None:
    """Until the next reading is due, or until it is stopped."""
    try:
        async with asyncio.timeout(READ_EVERY_S):
            await stopped.wait()
    except TimeoutError:
        return
