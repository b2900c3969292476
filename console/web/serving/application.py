"""The pages' routes, for a simulation and for a real table."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from aiohttp import hdrs, web

from console.web.messages import PagesOpening
from console.web.serving.act_relay import ActRelay
from console.web.serving.entrance.pins import OpenPins
from console.web.serving.files import StaticFile, page_files
from console.web.serving.parts import add_files, add_sign, make_application
from console.web.serving.record.broadcast import RecordBroadcast
from console.web.serving.record.follower import LedgerFollower
from console.web.serving.sign_page import SignFace, SignPage, face_of_table, view_of
from console.web.serving.sockets import socket_handler
from console.web.serving.supervisor.questions import add_supervisor
from console.web.serving.table_messages import publish_table
from console.web.serving.table_receiver import TableReceiver
from console.web.serving.viewers import Audience, Viewers


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
    app.router.add_get("/live/sign", socket_handler(viewers, Audience.SIGN))
    chronicle = LedgerFollower(Path(opening.ledger), opening.game)
    app.cleanup_ctx.append(RecordBroadcast(receiver, viewers, chronicle).run)


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
