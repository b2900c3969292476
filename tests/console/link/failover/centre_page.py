"""The blocks of docs/how-to/centre.md and its like: where each is typed, and by whom."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from msgspec import Struct

HOW_TO = Path(__file__).parents[4] / "docs/how-to"
PAGE, PATRONI_PAGE = HOW_TO / "centre.md", HOW_TO / "patroni.md"
UPGRADE_PAGE = HOW_TO / "upgrade-postgresql.md"
UPGRADE_PATRONI_PAGE = HOW_TO / "upgrade-patroni.md"
HEADING = re.compile(r"^## (?:\d+\. )?(.+)$", re.MULTILINE)
BLOCK = re.compile(
    r"^(?P<indent> *)```\n(?P=indent)# On (?P<machines>[\w, ]+), as (?P<user>\w+):\n"
    r"(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
FENCE = re.compile(r"^ *```$", re.MULTILINE)
FIRST, THIRD = "db1", "db3"
IN_A_LIST = re.compile(rf"(?:, *| ){THIRD}\b")
NOT_HERE = re.compile(r"^apt install .*\n", re.MULTILINE)
"""Packages are on this machine, which is all machines' programs."""


class Block(Struct, frozen=True):
    """What a user types at each of these machines."""

    section: str
    machines: tuple[str, ...]
    user: str
    text: str


def read_page(page: str) -> list[Block]:
    """Every block, in order. Raises ValueError if one does not begin with "# On ..., as ...:"."""
    words = HEADING.split(page)
    blocks = [
        Block(name, tuple(found["machines"].split(", ")), found["user"], unindent(found))
        for name, text in zip(words[1::2], words[2::2], strict=True)
        for found in BLOCK.finditer(text)
    ]
    if len(FENCE.findall(page)) != 2 * len(blocks):
        raise ValueError("a block does not say where it is typed, and by whom")
    return blocks


def unindent(found: re.Match[str]) -> str:
    """The block's text, as it is in a list's item or in none."""
    width = len(found["indent"])
    return "".join(line[width:] for line in found["text"].splitlines(keepends=True))


def leave_out_third(text: str) -> str:
    """What is typed with two machines: db3 in no list, and no line of its own."""
    lines = (
        IN_A_LIST.sub("", line) if FIRST in line else line
        for line in text.splitlines(keepends=True)
    )
    return "".join(line for line in lines if THIRD not in line and "10.0.0.3" not in line)


def find_blocks(
    section: str, machines: Collection[str], page: Path = PAGE
) -> Iterator[tuple[str, Block]]:
    """What is typed in a section, machine by machine, in a house that has these.

    Raises ValueError if there is no such section.
    """
    found = [one for one in read_page(page.read_text("utf-8")) if one.section == section]
    if not found:
        raise ValueError(f"{page.name} has no section {section!r}")
    for block in found:
        text = NOT_HERE.sub("", block.text)
        if THIRD not in machines:
            text = leave_out_third(text)
        for machine in block.machines:
            if machine in machines:
                yield machine, Block(section, block.machines, block.user, text)
