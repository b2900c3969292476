"""The pages' routes, for a simulation and for a real table."""

from collections.abc import Mapping
from pathlib import Path

from aiohttp import hdrs, web

from console.web.messages import PagesOpening
from console.web.serving.act_relay import ActRelay
from console.web.serving.files import StaticFile, page_files
from console.web.serving.record.broadcast import RecordBroadcast
from console.web.serving.record.follower import LedgerFollower
from console.web.serving.security import add_headers, guard_requests
from console.web.serving.sign_page import SignPage
from console.web.serving.sockets import socket_handler
from console.web.serving.supervisor.routes import add_supervisor
from console.web.serving.table_messages import publish_table
from console.web.serving.table_receiver import TableReceiver
from console.web.serving.viewers import Audience, Viewers

LONGEST_BODY = 16 * 1024
"""Bytes of what is posted."""

LOCAL_NAMES = ("localhost",)


def application(
    receiver: TableReceiver, viewers: Viewers, relay: ActRelay | None
) -> web.Application:
    """The web application of this table; `relay`: only for a simulation."""
    opening = receiver.opening
    names = frozenset(name.lower() for name in (*LOCAL_NAMES, *opening.listening.names))
    app = web.Application(middlewares=[guard_requests(names)], client_max_size=LONGEST_BODY)
    app.on_response_prepare.append(add_headers)
    files = page_files()
    _add_pages(app, opening, files)
    _add_sign(app, receiver, viewers, files)
    add_supervisor(app, opening, viewers)
    if relay is not None:
        _add_simulation(app, viewers, relay)
    publish_table(receiver, viewers)
    return app


def _add_sign(
    app: web.Application, receiver: TableReceiver, viewers: Viewers, files: Mapping[str, StaticFile]
) -> None:
    sign = SignPage(receiver, files)
    app.router.add_get("/sign", sign.answer)
    for size, sheet in sign.sheets.items():
        app.router.add_get(f"/sign/{size}.css", sheet.send)
    app.router.add_get("/live/sign", socket_handler(viewers, Audience.SIGN))
    chronicle = LedgerFollower(Path(receiver.opening.ledger), receiver.opening.game)
    app.cleanup_ctx.append(RecordBroadcast(receiver, viewers, chronicle).run)


def _add_pages(
    app: web.Application, opening: PagesOpening, files: Mapping[str, StaticFile]
) -> None:
    def serve(route: str, path: str) -> None:
        async def page(request: web.Request) -> web.Response:
            if path not in files:
                raise web.HTTPNotFound(text="there is no such page\n")
            return files[path].answer(request)

        app.router.add_get(route, page)

    async def send_file(request: web.Request) -> web.Response:
        file = files.get(request.match_info["path"])
        if file is None:
            raise web.HTTPNotFound(text="there is no such file\n")
        return file.answer(request)

    serve("/", "cabinet.html" if opening.simulated else "index.html")
    serve("/supervisor", "supervisor.html")
    if opening.simulated:
        serve("/cabinet", "cabinet.html")
    app.router.add_get("/pages/{path:.+}", send_file)


def _add_simulation(app: web.Application, viewers: Viewers, relay: ActRelay) -> None:
    async def scenario(_: web.Request) -> web.Response:
        attachment = 'attachment; filename="page.scenario"'
        text = relay.recorder.text(relay.now())
        return web.Response(text=text, headers={hdrs.CONTENT_DISPOSITION: attachment})

    app.router.add_get("/live/cabinet", socket_handler(viewers, Audience.CABINET, relay))
    app.router.add_get("/cabinet/scenario", scenario)
