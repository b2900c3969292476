"""The sockets to the browsers: what they are told goes out, and of a simulation acts come in."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from aiohttp import WSCloseCode, WSMsgType, web

from console.web.serving.act_relay import ActRelay, BrowserActs, NotAnAct
from console.web.serving.connections import hang_up
from console.web.serving.viewers import MOST_VIEWERS, Audience, Viewer, Viewers

PING_EVERY_S = 10.0
"""A browser that does not answer in half of it is gone."""

LONGEST_MESSAGE_IN = 1024
"""Bytes of a message from a browser."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def socket_handler(hub: Viewers, audience: Audience, doings: ActRelay | None = None) -> Handler:
    """The socket of an audience; without `doings` nothing may be said on it."""

    async def handle(request: web.Request) -> web.StreamResponse:
        if hub.count >= MOST_VIEWERS:
            raise web.HTTPServiceUnavailable(text=f"{MOST_VIEWERS} browsers look already\n")
        socket = web.WebSocketResponse(
            heartbeat=PING_EVERY_S, compress=False, max_msg_size=LONGEST_MESSAGE_IN
        )
        await socket.prepare(request)
        viewer = Viewer(socket)
        hub.add(audience, viewer)
        sending = asyncio.create_task(_send(viewer, request))
        try:
            await _listen(socket, doings.doer(viewer.tell) if doings is not None else None)
        finally:
            hub.remove(audience, viewer)
            sending.cancel()
        return socket

    return handle


async def _send(viewer: Viewer, request: web.Request) -> None:
    with suppress(TimeoutError, ConnectionError):  # it does not take it, or is gone
        await viewer.send()
    hang_up(request.transport)


async def _listen(socket: web.WebSocketResponse, doer: BrowserActs | None) -> None:
    """Until the browser leaves, or says what it may not."""
    async for message in socket:
        try:
            if doer is None or message.type is not WSMsgType.TEXT:
                raise NotAnAct("nothing may be said here")
            doer.ask(message.data)
        except NotAnAct as error:
            await socket.close(code=WSCloseCode.POLICY_VIOLATION, message=str(error).encode())
            return
