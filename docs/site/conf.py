"""How Sphinx makes a site of docs/, with search, for `make site`.

Sphinx and MyST by their upkeep in November 2026: both had a release within two months. MkDocs, on
which most others stand, had its last in August 2024.
"""

import re
from pathlib import Path
from typing import Any

project = "banco"
extensions = ["myst_parser"]
root_doc = "README"
exclude_patterns = ["site"]
html_theme = "furo"
html_title = "banco"
html_show_copyright = False
myst_heading_anchors = 5

DOCS = Path(__file__).parent.parent
LINK = re.compile(r"\[([^\]\[]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")
FENCE = re.compile(r"^```([a-z]+).*$", re.MULTILINE)

LANGUAGES = frozenset({"console", "ini", "json", "python", "sh", "sql", "text", "toml"})
"""Of code that is coloured; the other words behind a fence are for the tests."""

PARTS = ("start", "how-to", "reference", "explanation", "dev")


def setup(app: Any) -> None:
    """Have Sphinx read each page by `read_page`."""
    app.connect("source-read", read_page)


def read_page(_app: object, page: str, source: list[str]) -> None:
    """A page as the site has it; the first one lists all, for the menu."""
    source[0] = rewrite_page(source[0], (DOCS / page).parent)
    if page == root_doc:
        for part in PARTS:
            source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {part}\n\n{part}/**\n```\n"


def rewrite_page(text: str, folder: Path) -> str:
    """Without links to what is no file of docs/, and without the tests' words behind fences."""

    def keep_link(link: re.Match[str]) -> str:
        target = (folder / link[2]).resolve()
        return link[0] if target.is_file() and target.is_relative_to(DOCS) else link[1]

    def keep_fence(fence: re.Match[str]) -> str:
        return fence[0] if fence[1] in LANGUAGES else "```text"

    return FENCE.sub(keep_fence, LINK.sub(keep_link, text))
