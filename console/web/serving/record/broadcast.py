"""What the chronicle finds becomes what browsers are shown."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress

from aiohttp import web

from console.web.messages import TableSnapshot
from console.web.serving.record.follower import LedgerFollower, LedgerNews
from console.web.serving.table_receiver import TableReceiver
from console.web.serving.viewers import Audience, Viewers, encode

RECORDS_GO_TO = (Audience.CABINET, Audience.SUPERVISOR)
WINS_GO_TO = (Audience.SIGN, Audience.SUPERVISOR)

log = logging.getLogger(__name__)


class RecordBroadcast:
    """Follows the ledger as the table is told, and shows what is new to who may see it."""

    def __init__(self, told: TableReceiver, hub: Viewers, chronicle: LedgerFollower) -> None:
        self._told = told
        self._hub = hub
        self._chronicle = chronicle
        self._maybe_news = asyncio.Event()
        self._complained = ""
        told.seen.append(self._seen)
        told.beaten.append(self._maybe_news.set)
        for audience in RECORDS_GO_TO:
            hub.greetings[audience].append(self._greet)

    async def run(self, _: web.Application) -> AsyncIterator[None]:
        """As long as the application (its `cleanup_ctx`)."""
        following = asyncio.create_task(self._follow())
        following.add_done_callback(_ended)
        yield
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following

    async def _follow(self) -> None:
        while True:
            await self._maybe_news.wait()
            self._maybe_news.clear()
            if self._told.sight is not None:
                self._show(await self._chronicle.follow(self._told.sight.seq))

    def _seen(self, _: TableSnapshot) -> None:
        self._maybe_news.set()

    def _greet(self) -> list[str]:
        return [encode(self._chronicle.records)]

    def _show(self, news: LedgerNews) -> None:
        if news.records is not None:
            for audience in RECORDS_GO_TO:
                self._hub.tell(audience, news.records)
        if news.wins is not None:
            for audience in WINS_GO_TO:
                self._hub.show(audience, "wins", news.wins)
        if news.trouble != self._complained:
            self._complained = news.trouble
            log.warning("%s", news.trouble or "the ledger can be read again")


def _ended(following: asyncio.Task[None]) -> None:
    if not following.cancelled() and (error := following.exception()) is not None:
        log.error("records and wins are no longer followed", exc_info=error)
