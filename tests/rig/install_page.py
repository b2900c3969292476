"""The commands of docs/how-to/install.md, as a newcomer types them."""

import re
from collections.abc import Iterator

from msgspec import Struct

TYPED_SECTIONS = (
    "1. The package",
    "2. What is where",
    "3. Device names",
    "5. The table",
    "6. People, and the technician's line",
)
"""4 is about a Pi's own firmware, 7 to 9 about what not every table has."""

BLOCK = re.compile(r"^```(.*)\n((?:.*\n)*?)^```$", re.MULTILINE)
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)

AT_A_LAPTOP = re.compile(r"^picocom ")


class Command(Struct, frozen=True):
    """One line of a block, and the section it is in."""

    section: str
    line: str


def read_commands(page: str) -> Iterator[Command]:
    """The lines of every block without a language, in the sections that are typed.

    Raises ValueError if the page lacks one of them.
    """
    for name in TYPED_SECTIONS:
        for block in read_blocks(page, name, ""):
            for line in block.splitlines():
                if not AT_A_LAPTOP.match(line):
                    yield Command(name, line)


def read_blocks(page: str, section: str, language: str) -> list[str]:
    """The blocks of one language in a section. Raises ValueError if there is no such section."""
    words = HEADING.split(page)
    sections = dict(zip(words[1::2], words[2::2], strict=True))
    if section not in sections:
        raise ValueError(f"docs/how-to/install.md has no section {section!r}")
    return [text for word, text in BLOCK.findall(sections[section]) if word == language]


def type_line(line: str, pin: str) -> str:
    """What a shell runs for a line: PINs are typed, an editor changes nothing, a log ends."""
    if line.startswith(
        ("sudo banco enrol anna", "sudo banco enrol rossi", "sudo banco ledger begin")
    ):
        return f"printf '{pin}\\n{pin}\\n' | {line}"
    if line.endswith(" -f"):
        return f"timeout 3 {line} || test $? = 124"
    if line.startswith("systemctl status"):
        return f"{line} --no-pager"
    return line
