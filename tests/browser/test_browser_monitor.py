"""What goes wrong in a page is noticed, whatever the test was about."""

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.browser_monitor import BrowserMonitor

TABLE = "http://127.0.0.1:8080"
STRICT = "default-src 'none'; script-src 'self'; img-src http:"


def complaints(browser: Browser, script: str, expected: str = "^$") -> list[str]:
    """About a page that does this, and has been expected to."""

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(TABLE)
        headers = {"Content-Security-Policy": STRICT}
        if path == "/":
            body = '<!doctype html><title>page</title><body><script src="/page.js"></script>'
            route.fulfill(body=body, content_type="text/html", headers=headers)
        elif path == "/page.js":
            route.fulfill(body=script, content_type="text/javascript", headers=headers)
        else:
            route.fulfill(status=404)

    context = browser.new_context()
    context.route("**/*", answer)
    watch = BrowserMonitor(context, TABLE)
    watch.expect(expected)
    page = context.new_page()
    page.goto(f"{TABLE}/")
    expect(page).to_have_title("done")
    context.close()
    return watch.complaints


DONE = "document.title = 'done';"

FETCHED = """
const asked = document.createElement("%s");
asked.addEventListener("error", () => { document.title = "done"; });
asked.src = "%s";
document.body.append(asked);
"""


def test_a_page_that_does_no_wrong(browser: Browser) -> None:
    assert complaints(browser, f"console.log('ready'); {DONE}") == []


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        (f"console.error('no'); {DONE}", "console error: no"),
        (f"console.warn('no'); {DONE}", "console warning: no"),
        (f"{DONE} throw new Error('no');", "uncaught: Error: no"),
        (f"Promise.reject(new Error('no')); setTimeout(() => {{ {DONE} }});", "uncaught: Error"),
        (f"document.body.innerHTML = '<p style=\"color:red\">'; {DONE}", "violates style-src"),
        (f"fetch('/pages/none').catch(() => {{ {DONE} }});", "violates connect-src"),
        (FETCHED % ("script", "/none"), "404 GET"),
        (FETCHED % ("img", "http://elsewhere.example/"), "asks another: http://elsewhere"),
    ],
)
def test_what_a_page_must_not_do(browser: Browser, script: str, complaint: str) -> None:
    assert complaint in "\n".join(complaints(browser, script))


def test_what_was_announced(browser: Browser) -> None:
    assert complaints(browser, f"console.error('lost it'); {DONE}", "lost") == []
