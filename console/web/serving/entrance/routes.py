"""The routes by which people enter a page, and its socket, for those who have."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping

from aiohttp import web
from msgspec import Struct

from console.texts.page_texts import NOT_ENTERED
from console.web.serving.entrance.login import Login, json_answer, refusal_answer
from console.web.serving.entrance.pins import OpenPins
from console.web.serving.sockets import LONGEST_MESSAGE_IN, Handler, socket_handler
from console.web.serving.viewers import Audience, Viewers

log = logging.getLogger(__name__)

NOT_ENTERED_CODE = 4401
"""The code with which a socket is closed if nobody has entered, or the session has ended."""

CHECK_EVERY_S = 1.0
"""How soon after its session a socket ends."""

TAKES_LEAVE_WITHIN_S = 2.0
"""The time in which a browser must close a closed socket on its side."""

BY_ITSELF = "X-By-Itself"
"""The header of automatic requests; they do not extend a session."""


class EnteredPage(Struct, frozen=True):
    """A page that people enter: its socket's audience, and its people.

    `name`: what the log calls it. `path`: where it is served, "/supervisor". `place`: what a
    browser may know before anybody has entered.
    """

    name: str
    path: str
    audience: Audience
    open_pins: OpenPins
    log_addresses: bool
    place: Mapping[str, object]


class Entrance:
    """Login, logout, session and socket of a page; they begin and end with the application."""

    def __init__(
        self, app: web.Application, page: EnteredPage, viewers: Viewers, now: Callable[[], float]
    ) -> None:
        """Add the routes. `now`: seconds of the monotonic clock, by which sessions end."""
        self._now = now
        self._page = page
        self._live = socket_handler(viewers, page.audience)
        self._login: Login | None = None
        app.cleanup_ctx.append(self._run)
        app.router.add_post(f"{page.path}/login", self._enter)
        app.router.add_post(f"{page.path}/logout", self._leave)
        app.router.add_get(f"{page.path}/session", self._session)
        app.router.add_get(f"/live/{page.audience.value}", self._look)

    def require_login(self, answer: Handler) -> Handler:
        """A handler only for people who have entered."""

        async def handle(request: web.Request) -> web.StreamResponse:
            if self._entry.session_of(request, using=_is_used(request)) is None:
                return refusal_answer("NOT_ENTERED", 401, NOT_ENTERED)
            return await answer(request)

        return handle

    async def _run(self, _: web.Application) -> AsyncIterator[None]:
        """From the beginning of the application to its end."""
        page = self._page
        self._login = Login(
            page.name, page.open_pins(), self._now, log_addresses=page.log_addresses
        )
        yield
        try:
            self._login.close()
        except TimeoutError as error:
            log.error("%s: %s", page.name, error)

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        return await self._entry.enter(request)

    async def _leave(self, request: web.Request) -> web.StreamResponse:
        return self._entry.leave(request)

    async def _session(self, request: web.Request) -> web.StreamResponse:
        """Who has entered, and where; extends the session unless the request is automatic.

        Nobody is no error here: every page asks this first.
        """
        session = self._entry.session_of(request, using=_is_used(request))
        return json_answer({**self._entry.describe(session), "at": self._page.place})

    async def _look(self, request: web.Request) -> web.StreamResponse:
        """The socket; it ends with the session, and its close code tells the page why."""
        if self._entry.session_of(request, using=False) is None:
            return await _close_at_once(request)
        ending = asyncio.create_task(self._end_with_session(request))
        try:
            return await self._live(request)
        finally:
            ending.cancel()

    @property
    def _entry(self) -> Login:
        if self._login is None:
            raise RuntimeError("the application has not begun")
        return self._login

    async def _end_with_session(self, request: web.Request) -> None:
        while self._entry.session_of(request, using=False) is not None:
            await asyncio.sleep(CHECK_EVERY_S)
        if request.transport is not None:
            request.transport.close()


async def _close_at_once(request: web.Request) -> web.StreamResponse:
    """A browser tells its page the code of a closed socket, but not the status of a refused one.

    Nobody knows who it is: no more is read of what it says than of who may look.
    """
    socket = web.WebSocketResponse(
        timeout=TAKES_LEAVE_WITHIN_S, compress=False, max_msg_size=LONGEST_MESSAGE_IN
    )
    await socket.prepare(request)
    await socket.close(code=NOT_ENTERED_CODE, message=b"enter with name and PIN")
    return socket


def _is_used(request: web.Request) -> bool:
    return BY_ITSELF not in request.headers
