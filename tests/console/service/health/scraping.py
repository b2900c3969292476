"""Metrics asked for over HTTP, as Prometheus asks for them."""

import asyncio

from console.service.health.metrics import HOST
from tests.deadlines import DEADLINE_S


async def request_metrics(port: int, request: bytes) -> bytes:
    """All that is answered until the other end closes."""
    async with asyncio.timeout(DEADLINE_S):
        answers, requests = await asyncio.open_connection(HOST, port)
        requests.write(request)
        answer = await answers.read()
        requests.close()
        return answer


async def answer_to(port: int, request: bytes) -> bytes:
    """What is answered: who is hung up on, as on a busy machine after 2 s, asks again."""
    async with asyncio.timeout(DEADLINE_S):
        while not (answer := await request_metrics(port, request)):
            pass
    return answer


async def scrape_body(port: int) -> str:
    """The body of one good answer."""
    answer = await answer_to(port, b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n"), head
    assert f"Content-Length: {len(body)}".encode() in head
    return body.decode()


async def scrape_once(port: int) -> str:
    """The first answer of a table that has just been started."""
    async with asyncio.timeout(DEADLINE_S):
        while True:
            try:
                return await scrape_body(port)
            except ConnectionRefusedError:
                await asyncio.sleep(0.05)
