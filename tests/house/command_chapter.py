"""Generates the chapter of all commands in docs/reference/technician.md and
docs/reference/tecnico.md.

`make docs` calls it.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from console.technician.command import Command, Subject
from console.technician.registry import SUBJECTS, other_name, usage_in
from console.texts.language import Language
from console.texts.technician.session_texts import COMMAND_TABLE
from jackpot.failures import Refused

PAGES: Mapping[Language, str] = {
    Language.EN: "reference/technician.md",
    Language.IT: "reference/tecnico.md",
}

BEGIN, END = "<!-- commands: made from their help by make docs -->", "<!-- commands end -->"


class NoChapter(Refused):
    """A page lacks the marks around the chapter."""


def render_chapter(language: Language, subjects: Sequence[Subject] = SUBJECTS) -> str:
    """Render one table: usage, name in the other language, summary, each subject under its own."""
    rows = [COMMAND_TABLE.in_(language), "|---|---|---|"]
    for subject in subjects:
        rows.append(f"| **{subject.title.in_(language)}** | | |")
        rows.extend(_render_command(command, language) for command in subject.commands)
    return "\n".join(rows) + "\n"


def renew_chapter(page: str, language: Language) -> str:
    """Return the page with a new chapter. Raises NoChapter."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise NoChapter(f"the marks {BEGIN} and {END} are missing")
    return f"{before}{BEGIN}\n\n{render_chapter(language)}\n{END}{after}"


def _render_command(command: Command, language: Language) -> str:
    usage, other = usage_in(command, language), other_name(command, language)
    cells = (f"`{usage}`", f"`{other}`" if other else "", command.texts.summary.in_(language))
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def main(folder: Path) -> None:
    """Write the chapter into both pages."""
    for language, name in PAGES.items():
        page = folder / name
        page.write_text(renew_chapter(page.read_text("utf-8"), language), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
