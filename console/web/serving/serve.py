"""Serves the pages of one table, a simulated or a real one, as long as its service speaks."""

import asyncio
import logging
import socket
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from aiohttp import hdrs, web

from console.web.messages import FromPages, PagesOpening, PinRequest, Serving, decode_to_pages
from console.web.serving.act_relay import ActRelay, ScenarioRecorder
from console.web.serving.connections import listen_at
from console.web.serving.entrance.pins import OpenPins, ServicePins
from console.web.serving.files import StaticFile, page_files
from console.web.serving.parts import add_files, add_logo, add_sign, make_application
from console.web.serving.record import LedgerFollower, RecordBroadcast
from console.web.serving.sign_page import SignFace, SignPage, face_of_table, view_of
from console.web.serving.sockets import socket_handler
from console.web.serving.supervisor.questions import add_supervisor
from console.web.serving.table_messages import publish_table
from console.web.serving.table_receiver import TableReceiver
from console.web.serving.viewers import Audience, Viewers

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
    relay = _relay_acts(receiver, send) if opening.simulated else None
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


def _relay_acts(receiver: TableReceiver, send: Send) -> ActRelay:
    opening = receiver.opening
    now = asyncio.get_running_loop().time
    relay = ActRelay(send, ScenarioRecorder(opening.table, opening.scenario), now)
    receiver.on_snapshot.append(relay.on_snapshot)
    receiver.on_answer.append(relay.on_answer)
    receiver.on_lost.append(relay.on_lost)
    return relay


def application(
    receiver: TableReceiver, viewers: Viewers, open_pins: OpenPins, relay: ActRelay | None
) -> web.Application:
    """The web application of this table; `relay`: only for a simulation."""
    opening = receiver.opening
    app = make_application(opening.listening)
    files = page_files()
    _add_pages(app, opening, files)
    _add_sign(app, receiver, viewers, files)
    add_supervisor(app, opening, viewers, open_pins)
    if relay is not None:
        _add_simulation(app, viewers, relay)
    publish_table(receiver, viewers)
    return app


def _add_sign(
    app: web.Application, receiver: TableReceiver, viewers: Viewers, files: Mapping[str, StaticFile]
) -> None:
    opening = receiver.opening
    look = partial(_look_at_table, receiver)
    add_sign(app, SignPage(files, look, view_of(opening)), "/sign")
    add_logo(app, opening.sign)
    app.router.add_get("/live/sign", socket_handler(viewers, Audience.SIGN))
    follower = LedgerFollower(Path(opening.ledger))
    app.cleanup_ctx.append(RecordBroadcast(receiver, viewers, follower).run)


def _look_at_table(receiver: TableReceiver) -> SignFace:
    return face_of_table(receiver.opening, receiver.snapshot)


def _add_pages(
    app: web.Application, opening: PagesOpening, files: Mapping[str, StaticFile]
) -> None:
    pages = {
        "/": "cabinet.html" if opening.simulated else "index.html",
        "/supervisor": "supervisor.html",
    }
    add_files(app, files, pages | ({"/cabinet": "cabinet.html"} if opening.simulated else {}))


def _add_simulation(app: web.Application, viewers: Viewers, relay: ActRelay) -> None:
    async def scenario(_: web.Request) -> web.Response:
        attachment = 'attachment; filename="page.scenario"'
        text = relay.recorder.text(relay.now())
        return web.Response(text=text, headers={hdrs.CONTENT_DISPOSITION: attachment})

    app.router.add_get("/live/cabinet", socket_handler(viewers, Audience.CABINET, relay))
    app.router.add_get("/cabinet/scenario", scenario)
