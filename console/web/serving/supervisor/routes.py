"""The routes of the supervisor's page, for people who have entered; they change nothing."""

import time
from collections.abc import AsyncIterator, Callable

from aiohttp import web

from console.web.messages import PagesOpening
from console.web.serving.entrance.pins import OpenPins
from console.web.serving.entrance.routes import EnteredPage, Entrance
from console.web.serving.supervisor.questions import Questions
from console.web.serving.viewers import Audience, Viewers

SUPERVISOR = "/supervisor"


def add_supervisor(
    app: web.Application,
    opening: PagesOpening,
    viewers: Viewers,
    open_pins: OpenPins,
    now: Callable[[], float] = time.monotonic,
) -> None:
    """Add the page's routes; their resources begin and end with the application.

    `now`: seconds of the monotonic clock, by which sessions end.
    """
    entrance = Entrance(app, _page_of(opening, open_pins), viewers, now)
    questions = Questions(opening)

    async def close_questions(_: web.Application) -> AsyncIterator[None]:
        yield
        questions.close()

    app.cleanup_ctx.append(close_questions)
    for path, answer in questions.answers.items():
        app.router.add_get(f"{SUPERVISOR}/{path}", entrance.require_login(answer))


def _page_of(opening: PagesOpening, open_pins: OpenPins) -> EnteredPage:
    return EnteredPage(
        name="supervisor's page",
        path=SUPERVISOR,
        audience=Audience.SUPERVISOR,
        open_pins=open_pins,
        place={
            "table": opening.table,
            "language": opening.language,
            "simulated": opening.simulated,
        },
    )
