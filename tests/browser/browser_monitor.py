"""A page in a real browser, watched: whatever goes wrong in it fails its test."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError

OF_THE_PAGE = ("data:", "blob:", "about:")

TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`violates ${event.violatedDirective}: ${event.blockedURI}`);
});
"""

FAILED = 400

SLOW_MACHINE = "was preloaded using link preload but not used within a few seconds"
"""What Chromium says where a page is first laid out more than 3 s after it was loaded."""


class BrowserMonitor:
    """Collects what goes wrong in one browser context: console, requests, answers.

    A test that provokes a complaint on purpose announces it by `expect`.
    """

    def __init__(self, context: BrowserContext, url: str) -> None:
        """`url`: of the table; a request to any other address is a complaint."""
        self._origin = _origin(url)
        self._complaints: list[str] = []
        self._expected: list[re.Pattern[str]] = []
        context.add_init_script(TELL_VIOLATIONS)
        context.on("page", self._follow)
        context.on("request", self._on_request)
        context.on("response", self._on_response)
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)

    def expect(self, pattern: str) -> None:
        """Complaints that match this pattern are wanted: those so far and those to come."""
        self._expected.append(re.compile(pattern))

    @property
    def complaints(self) -> list[str]:
        """Those that no test expected."""
        return [
            complaint
            for complaint in self._complaints
            if not any(pattern.search(complaint) for pattern in self._expected)
        ]

    def _complain(self, complaint: str) -> None:
        self._complaints.append(complaint)

    def _follow(self, page: Page) -> None:
        page.on("crash", lambda _: self._complain("the page has crashed"))
        page.on("websocket", lambda socket: self._check_origin(socket.url))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning", "assert"} and SLOW_MACHINE not in message.text:
            self._complain(f"console {message.type}: {message.text}")

    def _on_error(self, failure: WebError) -> None:
        self._complain(f"uncaught: {failure.error.stack or failure.error}")

    def _on_request(self, request: Request) -> None:
        self._check_origin(request.url)

    def _on_response(self, response: Response) -> None:
        if response.status >= FAILED:
            self._complain(f"{response.status} {response.request.method} {response.url}")

    def _check_origin(self, url: str) -> None:
        if not url.startswith(OF_THE_PAGE) and _origin(url) != self._origin:
            self._complain(f"asks another: {url}")


def _origin(url: str) -> tuple[str, str]:
    """Scheme and host; a socket is of the page it was opened from."""
    parts = urlsplit(url)
    return parts.scheme.replace("ws", "http"), parts.netloc
