"""The routes of the supervisor's page, for people who have entered; they change nothing."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable

from aiohttp import web

from console.web.messages import PagesOpening
from console.web.serving.sockets import LONGEST_MESSAGE_IN, Handler, socket_handler
from console.web.serving.supervisor.login import NOT_ENTERED, Login, json_answer, refusal_answer
from console.web.serving.supervisor.questions import Questions
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


def add_supervisor(
    app: web.Application,
    opening: PagesOpening,
    viewers: Viewers,
    now: Callable[[], float] = time.monotonic,
) -> None:
    """Add the page's routes; their resources begin and end with the application.

    `now`: seconds of the monotonic clock, by which sessions end.
    """
    handlers = _Handlers(opening, viewers, now)
    app.cleanup_ctx.append(handlers.life)
    app.router.add_post("/supervisor/login", handlers.enter)
    app.router.add_post("/supervisor/logout", handlers.leave)
    app.router.add_get("/supervisor/session", handlers.session)
    app.router.add_get("/live/supervisor", handlers.look)
    for path, answer in handlers.questions.answers.items():
        app.router.add_get(f"/supervisor/{path}", handlers.require_login(answer))


class _Handlers:
    """What the page's handlers share."""

    def __init__(self, opening: PagesOpening, viewers: Viewers, now: Callable[[], float]) -> None:
        self._now = now
        self._opening = opening
        self._live = socket_handler(viewers, Audience.SUPERVISOR)
        self._login: Login | None = None
        self.questions = Questions(opening)

    async def life(self, _: web.Application) -> AsyncIterator[None]:
        """From the beginning of the application to its end."""
        self._login = Login(self._opening, asyncio.get_running_loop(), self._now)
        yield
        self.questions.close()
        try:
            self._login.close()
        except TimeoutError as error:
            log.error("supervisor's page: %s", error)

    async def enter(self, request: web.Request) -> web.StreamResponse:
        """POST /supervisor/login."""
        return await self._entry.enter(request)

    async def leave(self, request: web.Request) -> web.StreamResponse:
        """POST /supervisor/logout."""
        return self._entry.leave(request)

    async def session(self, request: web.Request) -> web.StreamResponse:
        """Who has entered, and at which table; extends the session unless the request is automatic.

        Nobody is no error here: every page asks this first.
        """
        session = self._entry.session_of(request, using=_is_used(request))
        opening = self._opening
        table = {
            "table": opening.table,
            "language": opening.language,
            "simulated": opening.simulated,
        }
        return json_answer({**self._entry.describe(session), "at": table})

    async def look(self, request: web.Request) -> web.StreamResponse:
        """The socket; it ends with the session, and its close code tells the page why."""
        if self._entry.session_of(request, using=False) is None:
            return await _close_at_once(request)
        ending = asyncio.create_task(self._end_with_session(request))
        try:
            return await self._live(request)
        finally:
            ending.cancel()

    def require_login(self, answer: Handler) -> Handler:
        """A handler only for people who have entered."""

        async def handle(request: web.Request) -> web.StreamResponse:
            if self._entry.session_of(request, using=_is_used(request)) is None:
                return _not_entered()
            return await answer(request)

        return handle

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


def _not_entered() -> web.Response:
    return refusal_answer("NOT_ENTERED", 401, NOT_ENTERED)
