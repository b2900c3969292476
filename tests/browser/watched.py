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


class Watch:
    """What has gone wrong in one browser context: on its console, in its requests and answers.

    A test that brings something about on purpose announces it: `expects` a pattern.
    """

    def __init__(self, context: BrowserContext, url: str) -> None:
        """`url`: of the table; asking anybody else is wrong."""
        self._origin = _origin(url)
        self._complaints: list[str] = []
        self._expected: list[re.Pattern[str]] = []
        context.add_init_script(TELL_VIOLATIONS)
        context.on("page", self._follow)
        context.on("request", self._asked)
        context.on("response", self._answered)
        context.on("console", self._said)
        context.on("weberror", self._failed)

    def expects(self, pattern: str) -> None:
        """Complaints that match are wanted, from now on and so far."""
        self._expected.append(re.compile(pattern))

    @property
    def complaints(self) -> list[str]:
        """All that was not expected."""
        return [
            told
            for told in self._complaints
            if not any(pattern.search(told) for pattern in self._expected)
        ]

    def _complain(self, told: str) -> None:
        self._complaints.append(told)

    def _follow(self, page: Page) -> None:
        page.on("crash", lambda _: self._complain("the page has crashed"))
        page.on("websocket", lambda socket: self._goes_to(socket.url))

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning", "assert"}:
            self._complain(f"console {message.type}: {message.text}")

    def _failed(self, failure: WebError) -> None:
        self._complain(f"uncaught: {failure.error.stack or failure.error}")

    def _asked(self, request: Request) -> None:
        self._goes_to(request.url)

    def _answered(self, response: Response) -> None:
        if response.status >= FAILED:
            self._complain(f"{response.status} {response.request.method} {response.url}")

    def _goes_to(self, url: str) -> None:
        if not url.startswith(OF_THE_PAGE) and _origin(url) != self._origin:
            self._complain(f"asks another: {url}")


def _origin(url: str) -> tuple[str, str]:
    """Scheme and host; a socket is of the page it was opened from."""
    parts = urlsplit(url)
    return parts.scheme.replace("ws", "http"), parts.netloc
