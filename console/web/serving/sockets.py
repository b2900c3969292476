"""The sockets to the browsers: messages go out, and in a simulation acts come in."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from aiohttp import WSCloseCode, WSMsgType, web

from console.web.serving.act_relay import ActRelay, BrowserActs
from console.web.serving.connections import hang_up
from console.web.serving.viewers import MOST_VIEWERS, Audience, Viewer, Viewers
from jackpot.failures import Refused

PING_EVERY_S = 30.0
"""A browser that does not answer within half of it is gone. Shorter, and this process, which runs
when nobody else does, would take its own slowness for the browser's."""

LONGEST_MESSAGE_IN = 1024
"""Bytes of one message from a browser."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def socket_handler(viewers: Viewers, audience: Audience, relay: ActRelay | None = None) -> Handler:
    """The socket of an audience; without `relay` it accepts no message."""

    async def handle(request: web.Request) -> web.StreamResponse:
        if viewers.count >= MOST_VIEWERS:
            raise web.HTTPServiceUnavailable(text=f"{MOST_VIEWERS} browsers look already\n")
        socket = web.WebSocketResponse(
            heartbeat=PING_EVERY_S, compress=False, max_msg_size=LONGEST_MESSAGE_IN
        )
        await socket.prepare(request)
        viewer = Viewer(socket)
        viewers.add(audience, viewer)
        sending = asyncio.create_task(_send(viewer, request))
        try:
            await _listen(socket, relay.acts_of(viewer.send_event) if relay is not None else None)
        finally:
            viewers.remove(audience, viewer)
            sending.cancel()
        return socket

    return handle


async def _send(viewer: Viewer, request: web.Request) -> None:
    with suppress(TimeoutError, ConnectionError):  # it does not read, or is gone
        await viewer.run()
    hang_up(request.transport)


async def _listen(socket: web.WebSocketResponse, browser_acts: BrowserActs | None) -> None:
    """Until the browser leaves, or sends a message that it may not send."""
    async for message in socket:
        try:
            if browser_acts is None or message.type is not WSMsgType.TEXT:
                raise Refused("no message is accepted here")
            browser_acts.ask(message.data)
        except Refused as error:
            await socket.close(code=WSCloseCode.POLICY_VIOLATION, message=str(error).encode())
            return
