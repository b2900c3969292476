"""Draws a sheet as PDF, by libraries that only this needs: a release has them apart and signed.

The package `banco-report` brings them. A release takes them from there only, and looks at them
before it imports any of them; a checkout, and what pip has installed, have them among the others.
"""

import sys
from pathlib import Path

from console.bordereau.sheet import Sheet
from console.bordereau.words import Wording
from console.release.banco_check import (
    KEY,
    PDF_LIBRARIES,
    ListUnusable,
    find_differences,
    read_list,
)
from console.release.running import RUNS_FROM, describe_differences, is_release
from console.texts.language import Words
from console.texts.page_texts import NO_PDF, PDF_LIBRARIES_CHANGED

WITH_THE_PACKAGE = "sudo apt-get install ./banco-report_*.deb"
WITH_PIP = "requirements-report.txt (docs/reference/bordereau.md)"


def draw_pdf(sheet: Sheet, say: Wording) -> bytes | Words:
    """The PDF file's content, or why there is none."""
    missing = find_libraries()
    if missing is not None:
        return missing
    try:
        from console.bordereau.pdf import pdf_of  # slow, and nobody waits who wants no PDF
    except ModuleNotFoundError:
        return NO_PDF.fill(WITH_PIP)
    return pdf_of(sheet, say)


def find_libraries(folder: Path = PDF_LIBRARIES, program: Path = RUNS_FROM) -> Words | None:
    """Let a release import from this folder, if its own key has signed the folder's list.

    Returns what is wrong with it.
    """
    if not is_release(program) or str(folder) in sys.path:
        return None
    if not folder.is_dir():
        return NO_PDF.fill(WITH_THE_PACKAGE)
    try:
        differences = find_differences(read_list(folder, program / KEY), folder)
    except (ListUnusable, OSError) as error:
        return PDF_LIBRARIES_CHANGED.fill(folder, error)
    if differences:
        return PDF_LIBRARIES_CHANGED.fill(folder, describe_differences(differences))
    sys.path.insert(0, str(folder))  # before Debian's own, which nobody has signed
    return None
