"""What the site's pages are made of: links that stay in docs/, fences that can be coloured."""

import runpy
from collections.abc import Callable
from typing import Any

import pytest

from tests.house.sources import ROOT

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def rewrite() -> Callable[..., str]:
    """The site's own function, from the file that Sphinx reads."""
    settings: dict[str, Any] = runpy.run_path(str(DOCS / "site" / "conf.py"))
    page: Callable[..., str] = settings["rewrite_page"]
    return page


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[rules](../reference/rules.md#4-money)", "[rules](../reference/rules.md#4-money)"),
        ("[a first round](../../README.md#a-first-round)", "a first round"),
        ("[decisions](../dev/decisions/)", "decisions"),
        ("[elsewhere](https://example.org)", "[elsewhere](https://example.org)"),
        ("```example line\nx\n```", "```text\nx\n```"),
        ("```toml\nx = 1\n```", "```toml\nx = 1\n```"),
    ],
)
def test_a_page_links_only_to_what_the_site_has(
    rewrite: Callable[..., str], written: str, shown: str
) -> None:
    assert rewrite(written, DOCS / "how-to") == shown
