"""Debian's Chromium, driven by playwright; none is ever fetched from elsewhere."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

SHELL = "chromium-headless-shell"
"""Chromium without the browser around the page: a quarter of the processor for each page."""

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

DEADLINE_MS = 60_000.0
"""Longer than anything here may take on a busy machine; not how long it should."""

DESKTOP: ViewportSize = {"width": 1440, "height": 900}


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser with a profile of its own. While it is there, its thread cannot use asyncio."""
    executable = shutil.which(SHELL)
    assert executable is not None, f"no {SHELL}: install the package {SHELL}"
    expect.set_options(timeout=DEADLINE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()
