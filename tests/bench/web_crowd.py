"""Contender: a crowd of browsers before the signs, as many as asked for.

They would be other computers: here they get what the table and its pages leave of the processor.
"""

import asyncio
import os
import sys
from time import perf_counter
from typing import Any

from aiohttp import ClientConnectionError, ClientSession, ClientWebSocketResponse, TCPConnector

from tests.bench.contenders import join_group, serve

SERVED_WITHIN_S = 30.0
REACHED_WITHIN_S = 10.0


class Crowd:
    """Viewers of /live/sign; when each has first seen an amount."""

    def __init__(self, browser: ClientSession, port: int) -> None:
        self._browser = browser
        self._origin = f"http://127.0.0.1:{port}"
        self._watching: dict[asyncio.Task[None], ClientWebSocketResponse] = {}
        self._messages = 0
        self._seen: dict[str, list[float]] = {}
        self._news = asyncio.Event()

    async def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """`viewers`: be so many. `amount`: when the first and the last of them have seen it."""
        if "viewers" in question:
            await self._be(question["viewers"])
            return {"viewers": len(self._watching), "messages": self._messages}
        times: list[float] = []
        async with asyncio.timeout(REACHED_WITHIN_S):
            while len(times := self._seen.get(question["amount"], [])) < len(self._watching):
                self._news.clear()
                await self._news.wait()
        return {"first": min(times), "last": max(times)}

    async def _be(self, viewers: int) -> None:
        while len(self._watching) > viewers:
            task, socket = self._watching.popitem()
            await socket.close()
            await task
        while len(self._watching) < viewers:
            socket = await self._open_socket()
            self._watching[asyncio.create_task(self._watch(socket))] = socket

    async def _open_socket(self) -> ClientWebSocketResponse:
        async with asyncio.timeout(SERVED_WITHIN_S):
            while True:
                try:
                    url = f"{self._origin}/live/sign"
                    return await self._browser.ws_connect(url, origin=self._origin)
                except ClientConnectionError:  # it is not served yet
                    await asyncio.sleep(0.05)

    async def _watch(self, socket: ClientWebSocketResponse) -> None:
        last = ""
        async for message in socket:
            self._messages += 1
            _, separator, rest = message.data.partition('"amount":"')
            amount = rest.partition('"')[0]
            if separator and amount != last:
                last = amount
                self._seen.setdefault(amount, []).append(perf_counter())
                self._news.set()


async def main(port: int, group: str, policy: int) -> None:
    """Look as often as asked."""
    join_group(os.getpid(), group)
    os.sched_setscheduler(0, policy, os.sched_param(0))
    async with ClientSession(connector=TCPConnector(limit=0)) as browser:
        crowd = Crowd(browser, port)
        await serve(crowd.answer)
        await crowd.answer({"viewers": 0})


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
