"""Opens the page of a simulated table in the desktop's browser, if there is a desktop."""

import logging
import os
import webbrowser
from threading import Thread

log = logging.getLogger(__name__)

DESKTOPS = ("DISPLAY", "WAYLAND_DISPLAY")


class Desktop:
    """Opens the page in a browser, once, where there is a desktop; nothing waits for it."""

    def __init__(self) -> None:
        self._open = any(os.environ.get(name) for name in DESKTOPS)

    def show(self, url: str) -> None:
        """Show the page at this address."""
        if self._open:
            self._open = False
            Thread(target=_show, args=(url,), name="browser", daemon=True).start()


def _show(url: str) -> None:
    try:
        webbrowser.open(url)
    except (OSError, webbrowser.Error) as error:
        log.warning("no browser can be opened: %s", error)
