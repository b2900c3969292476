"""The changelog in Debian's form, made from CHANGELOG.md."""

import re
import textwrap
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import format_datetime

from jackpot.failures import Refused
from systemd.debian.control import MAINTAINER
from systemd.debian.target import Suite

SECTION = re.compile(
    r"^## \[(?P<version>[^]]+)\](?: - (?P<date>\d{4}-\d\d-\d\d))?\n(?P<text>.*?)(?=^## |\Z)",
    re.MULTILINE | re.DOTALL,
)

CHANGE = re.compile(r"^(?P<rest>###|\s*-) (?P<words>.+(?:\n(?!\s*-|#|\n).+)*)", re.MULTILINE)
"""A heading or a point, with the lines that go on with it."""


def write_changelog(package: str, page: str, suite: Suite, version: str, seconds: int) -> str:
    """Return the changelog; the newest section is that of this version and date.

    Raises Refused: no section, or an older one without its date.
    """
    entries = []
    for number, found in enumerate(SECTION.finditer(page)):
        if number == 0:
            date = datetime.fromtimestamp(seconds, UTC)
        elif found["date"] is None:
            raise Refused(f"CHANGELOG.md: [{found['version']}] has no date")
        else:
            date = datetime.fromisoformat(f"{found['date']}T00:00:00+00:00")
        name = version if number == 0 else f"{found['version']}+deb{suite.release}"
        changes = "\n".join(_list_changes(found["text"]))
        entries.append(
            f"{package} ({name}) {suite.name}; urgency=medium\n\n{changes}\n\n"
            f" -- {MAINTAINER}  {format_datetime(date)}\n"
        )
    if not entries:
        raise Refused("CHANGELOG.md: no section like ## [0.1.0] - 2026-12-01")
    return "\n".join(entries)


def _list_changes(text: str) -> Iterator[str]:
    for found in CHANGE.finditer(text):
        words = " ".join(found["words"].split()).replace("`", "")
        if found["rest"] == "###":
            yield f"  [ {words} ]"
        else:
            depth = 2 if found["rest"].startswith(" ") else 0
            first, rest = ("  * ", "    ") if depth == 0 else ("    - ", "      ")
            yield textwrap.fill(words, 78, initial_indent=first, subsequent_indent=rest)
