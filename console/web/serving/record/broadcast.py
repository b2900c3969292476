"""Sends new records and wins to the browsers that may see them."""

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
    """Follows the ledger after each snapshot, and sends what is new."""

    def __init__(self, receiver: TableReceiver, viewers: Viewers, follower: LedgerFollower) -> None:
        self._receiver = receiver
        self._viewers = viewers
        self._follower = follower
        self._maybe_news = asyncio.Event()
        self._complained = ""
        receiver.on_snapshot.append(self._on_snapshot)
        receiver.on_heartbeat.append(self._maybe_news.set)
        for audience in RECORDS_GO_TO:
            viewers.greetings[audience].append(self._greet)

    async def run(self, _: web.Application) -> AsyncIterator[None]:
        """Run as long as the application (its `cleanup_ctx`)."""
        following = asyncio.create_task(self._follow())
        following.add_done_callback(_log_end)
        yield
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following

    async def _follow(self) -> None:
        while True:
            await self._maybe_news.wait()
            self._maybe_news.clear()
            if self._receiver.snapshot is not None:
                self._show(await self._follower.follow(self._receiver.snapshot.seq))

    def _on_snapshot(self, _: TableSnapshot) -> None:
        self._maybe_news.set()

    def _greet(self) -> list[str]:
        return [encode(self._follower.records)]

    def _show(self, news: LedgerNews) -> None:
        if news.records is not None:
            for audience in RECORDS_GO_TO:
                self._viewers.send(audience, news.records)
        if news.wins is not None:
            for audience in WINS_GO_TO:
                self._viewers.show(audience, "wins", news.wins)
        if news.trouble != self._complained:
            self._complained = news.trouble
            log.warning("%s", news.trouble or "the ledger can be read again")


def _log_end(following: asyncio.Task[None]) -> None:
    if not following.cancelled() and (error := following.exception()) is not None:
        log.error("records and wins are no longer followed", exc_info=error)
