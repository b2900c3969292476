"""The supervisor's page of a table, served as it is beside the service; people who may enter."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from aiohttp import CookieJar, web
from aiohttp.test_utils import TestClient, TestServer

from console.configuration.addresses import Listening
from console.configuration.table_plan import TablePlan
from console.web.messages import PagesOpening
from console.web.serving.entrance.pins import FilePins, OpenPins
from console.web.serving.security import add_headers, guard_requests
from console.web.serving.supervisor.questions import add_supervisor
from console.web.serving.viewers import Viewers
from tests.console.line.access.login_bench import PIN

Client = TestClient[web.Request, web.Application]


def opening_of(ledger: Path, **changed: Any) -> PagesOpening:
    """What the service tells of a Caribbean Stud table."""
    fields: dict[str, Any] = {
        "table": "cs-1",
        "game": "caribbean-stud",
        "language": "it",
        "simulated": False,
        "version": "1.2.3",
        "rail": "slot",
        "shuffler": "one-deck",
        "shoe": None,
        "combinations": (),
        "devices": (),
        "inspector_fitted": True,
        "token": "2.00",
        "base": "5000.00",
        "ledger": str(ledger),
        "listening": Listening("127.0.0.1", 0),
        "settings": TablePlan().settings(),
    }
    return PagesOpening(**(fields | changed))


@dataclass
class Page:
    """One browser at the page, and what it is answered."""

    client: Client
    viewers: Viewers

    @property
    def origin(self) -> str:
        return str(self.client.make_url("/").origin())

    async def post(self, path: str, body: object = None, **headers: str) -> "Answer":
        """As a form of the page's own sends it."""
        sent = {"Origin": self.origin} | headers
        async with self.client.post(f"/supervisor/{path}", json=body, headers=sent) as answer:
            return Answer(answer.status, await _json(answer), answer.headers)

    async def enter(self, name: str = "anna", pin: str = PIN) -> "Answer":
        return await self.post("login", {"name": name, "pin": pin})

    async def ask(self, question: str, **headers: str) -> "Answer":
        async with self.client.get(f"/supervisor/{question}", headers=headers) as answer:
            return Answer(answer.status, await _json(answer), answer.headers)

    async def read(self, question: str) -> dict[str, Any]:
        """The answer to a question that is answered."""
        answer = await self.ask(question)
        assert answer.status == 200, answer
        return answer.body


@dataclass(frozen=True)
class Answer:
    """A status, what was told, and the headers."""

    status: int
    body: dict[str, Any]
    headers: Any


async def _json(answer: Any) -> dict[str, Any]:
    if answer.content_type != "application/json":
        return {"text": await answer.text()}
    body: dict[str, Any] = await answer.json()
    return body


def application_of(
    opening: PagesOpening,
    people: Path,
    viewers: Viewers,
    now: Callable[[], float] | None = None,
    open_pins: OpenPins | None = None,
) -> web.Application:
    """The page's routes behind the guard of all pages.

    `people`: the folder of who may enter; `now`: a clock moved by hand; `open_pins`: who checks
    PINs, instead of the page's own process.
    """
    app = web.Application(middlewares=[guard_requests(frozenset({"localhost"}))])
    app.on_response_prepare.append(add_headers)
    clock = now or time.monotonic
    own = partial(FilePins, people / "people.toml", people / "wrong-pins.json", clock)
    add_supervisor(app, opening, viewers, open_pins or own, clock)
    return app


@asynccontextmanager
async def serve_supervisor(
    opening: PagesOpening, people: Path, now: Callable[[], float] | None = None
) -> AsyncIterator[Page]:
    """The same on a port of this machine, and a browser that keeps its cookies."""
    viewers = Viewers()
    server = TestServer(application_of(opening, people, viewers, now))
    async with TestClient(server, cookie_jar=CookieJar(unsafe=True)) as client:
        yield Page(client, viewers)
