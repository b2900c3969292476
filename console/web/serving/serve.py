"""Serves the pages of one table, as long as its service speaks."""

import asyncio
import logging
import socket
from collections.abc import Callable, Sequence

from aiohttp import web

from console.web.messages import FromPages, PagesOpening, PinRequest, Serving, decode_to_pages
from console.web.serving.act_relay import ActRelay
from console.web.serving.application import application
from console.web.serving.entrance.pins import ServicePins
from console.web.serving.listener import listen_at
from console.web.serving.scenario_recorder import ScenarioRecorder
from console.web.serving.table_receiver import TableReceiver
from console.web.serving.viewers import Viewers

OPENED_WITHIN_S = 10.0
END_S = 0.5

Send = Callable[[FromPages], None]


def log_to_standard_error() -> None:
    """Who has entered, who was refused, and what is wrong."""
    logging.basicConfig(format="pages: %(levelname)s %(message)s", level=logging.WARNING)
    logging.getLogger("console").setLevel(logging.INFO)


async def serve(
    lines: asyncio.StreamReader, send: Send, inherited: Sequence[socket.socket] = ()
) -> None:
    """Serve until the service ends. `inherited`: sockets that systemd has opened.

    Raises CannotListen; ValueError for an invalid message; TimeoutError without an opening.
    """
    async with asyncio.timeout(OPENED_WITHIN_S):
        opening = decode_to_pages(await lines.readline())
    if not isinstance(opening, PagesOpening):
        raise ValueError("the first message must be an opening")
    receiver, viewers = TableReceiver(opening), Viewers()
    pins = ask_service_for_pins(receiver, send)
    relay = _doings(receiver, send) if opening.simulated else None
    app = application(receiver, viewers, lambda: pins, relay)
    runner = web.AppRunner(app, shutdown_timeout=END_S)
    await runner.setup()
    try:
        async with listen_at(runner, opening.listening, inherited) as url:
            send(Serving(url))
            await receiver.listen(lines)
    finally:
        await runner.cleanup()


def ask_service_for_pins(
    receiver: TableReceiver, send: Callable[[PinRequest], None]
) -> ServicePins:
    """PINs are checked by the service that sends to this receiver."""
    pins = ServicePins(send)
    receiver.on_pin.append(pins.on_answer)
    receiver.on_people.append(pins.on_people)
    return pins


def _doings(receiver: TableReceiver, send: Send) -> ActRelay:
    opening = receiver.opening
    now = asyncio.get_running_loop().time
    relay = ActRelay(send, ScenarioRecorder(opening.table, opening.scenario), now)
    receiver.on_snapshot.append(relay.on_snapshot)
    receiver.on_answer.append(relay.on_answer)
    receiver.on_lost.append(relay.on_lost)
    return relay
