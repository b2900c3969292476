"""The security headers of every answer, and the check of who may ask."""

import ipaddress
from typing import Protocol, runtime_checkable
from urllib.parse import urlsplit

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "font-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}


@runtime_checkable
class RequestObserver(Protocol):
    """A connection that is told when a request has come."""

    def on_request(self) -> None:
        """A request has come."""


ONLY_OVER_TLS = {"Strict-Transport-Security": "max-age=31536000"}
"""A browser that has seen the page over TLS asks for it in no other way for a year (RFC 6797)."""


async def add_headers(request: web.Request, answer: web.StreamResponse) -> None:
    """Add the security headers to an answer, and remove the program's name."""
    answer.headers.update(HEADERS)
    if request.secure:
        answer.headers.update(ONLY_OVER_TLS)
    answer.headers.popall(hdrs.SERVER, None)
    answer.headers.setdefault(hdrs.CACHE_CONTROL, "no-store")


def add_headers_to_error(answer: web.StreamResponse, *, secure: bool) -> None:
    """The same for the answer to an invalid request."""
    answer.headers.update(HEADERS)
    if secure:
        answer.headers.update(ONLY_OVER_TLS)
    answer.headers[hdrs.SERVER] = ""
    answer.headers[hdrs.CACHE_CONTROL] = "no-store"


def guard_requests(names: frozenset[str]) -> Middleware:
    """Refuse requests for another host, and changes that another host's page asks for (CSRF).

    `names`: the allowed hosts. IP addresses are allowed: unlike names, they cannot be redirected.
    A socket's key that is not ASCII is refused here: aiohttp takes only ASCII for Base64.
    """

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if isinstance(request.protocol, RequestObserver):
            request.protocol.on_request()
        if not _is_ours(request.headers.get(hdrs.HOST, ""), names):
            raise web.HTTPMisdirectedRequest(text="this is not that host\n")
        if _changes(request) and not _own_page(request):
            raise web.HTTPForbidden(text="only from a page of this table\n")
        if not request.headers.get(hdrs.SEC_WEBSOCKET_KEY, "").isascii():
            raise web.HTTPBadRequest(text="Sec-WebSocket-Key: only Base64 (RFC 6455, 4.1)\n")
        return await handler(request)

    return guard


def _is_ours(host: str, names: frozenset[str]) -> bool:
    try:
        asked = urlsplit(f"//{host}")
    except ValueError:
        return False
    name = asked.hostname or ""
    if asked.netloc != host or "@" in host:
        return False
    if name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _changes(request: web.Request) -> bool:
    socket = request.headers.get(hdrs.UPGRADE, "").lower() == "websocket"
    return socket or request.method not in (hdrs.METH_GET, hdrs.METH_HEAD)


def _own_page(request: web.Request) -> bool:
    origin = request.headers.get(hdrs.ORIGIN, "")
    scheme, _, host = origin.partition("://")
    schemes = ("https",) if request.secure else ("http", "https")  # https: through a proxy
    return scheme in schemes and host == request.headers.get(hdrs.HOST, "")
