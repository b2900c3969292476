"""What the browser must refuse; nothing leaves the machine (docs/dev/decisions/0009)."""

import re
from collections.abc import Iterator

import pytest

from tests.browser.conftest import Visits
from tests.browser.web_table import WebTable, serve_table

PAGES = ("/", "/cabinet", "/sign", "/sign?size=small", "/supervisor")

NEEDED = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}

INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style\b|\sstyle=|\son[a-z]+=|javascript:")

ELSEWHERE = re.compile(r"(?:https?:)?//(?!127\.0\.0\.1)[\w.-]+")

NAMESPACE = "http://www.w3.org/"
"""How an SVG element is named; nobody is asked."""

LOADED = "() => performance.getEntriesByType('resource').map(({ name }) => name)"

ATTEMPTS = """
() => {
  const script = document.createElement("script");
  script.textContent = "document.title = 'taken'";
  document.body.append(script);
  document.body.setAttribute("onclick", "document.title = 'taken'");
  document.body.click();
  const picture = document.createElement("img");
  picture.src = "http://elsewhere.example/picture.png";
  document.body.append(picture);
  return fetch("http://elsewhere.example/").then(() => "answered", () => "refused");
}
"""


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebTable]:
    with serve_table(tmp_path_factory.mktemp("t")) as table:
        yield table


def policy(header: str) -> dict[str, str]:
    """Each directive of a content security policy, and whom it allows."""
    parts = (part.strip().partition(" ") for part in header.split(";") if part.strip())
    return {name: allowed for name, _, allowed in parts}


def test_every_page_is_under_a_strict_policy(standing: WebTable, visits: Visits) -> None:
    page = visits.to(standing, "/")
    for path in PAGES:
        answer = page.request.get(standing.url + path)
        directives = policy(answer.headers["content-security-policy"])
        assert {name: directives.get(name) for name in NEEDED} == NEEDED, path
        assert "unsafe" not in answer.headers["content-security-policy"], path
        assert answer.headers["x-content-type-options"] == "nosniff", path
        assert INLINE.findall(answer.text()) == [], path


def test_no_page_names_another_machine(standing: WebTable, visits: Visits) -> None:
    page = visits.to(standing, "/")
    files = set()
    for path in PAGES:
        page.goto(standing.url + path)
        files |= {page.url, *page.evaluate(LOADED)}
    assert len(files) > len(PAGES)
    for file in sorted(files):
        text = page.request.get(file).text().replace(NAMESPACE, "")
        assert ELSEWHERE.findall(text) == [], file


def test_what_is_smuggled_into_a_page_does_nothing(standing: WebTable, visits: Visits) -> None:
    page = visits.to(standing, "/sign")
    visits.expect(r"elsewhere\.example|violates (script|img|connect)-src|[Ii]nline|script-src")
    assert page.evaluate(ATTEMPTS) == "refused"
    assert page.title() != "taken"
