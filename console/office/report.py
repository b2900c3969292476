"""`banco report`: the night's bordereau, printed or written to a file."""

import os
import re
import sys
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from console.bordereau.figures import NotStamped, RecordRange, TimeStamp
from console.bordereau.json import json_of
from console.bordereau.nights import bordereau_of, find_night, newest_night, rounds_of
from console.bordereau.pdf_libraries import draw_pdf
from console.bordereau.sections import sheet_of
from console.bordereau.sheet import Sheet, text_of
from console.bordereau.time_stamp import stamp_hash
from console.bordereau.words import Wording
from console.configuration.file import load_configuration
from console.configuration.named_files import FileUnusable
from console.configuration.places import ledger_in, simulation_folder
from console.configuration.sections import TimeStampSection
from console.service.supervision.process_end import describe_failure
from console.texts.language import Language, Words
from jackpot.failures import Failure, Refused, Unavailable
from jackpot.foreign_text import quote
from jackpot.named_files import write_new

DONE, DOES_NOT_ADD_UP, UNUSABLE = 0, 1, 2

FORMATS = ("text", "json", "pdf")

CONFIGURATION = Path("/etc/banco/table.toml")
"""The table this machine runs."""


class ReportRequest(Struct, frozen=True):
    """Which bordereau, of which ledger, how and where.

    Without `folder` and `config` it is this machine's table; without `night` and `rounds` it is the
    newest night.
    """

    folder: Path | None
    config: Path | None
    simulated: bool
    night: str | None
    rounds: str | None
    last: bool
    """The last night that is closed."""
    format: str
    """One of `FORMATS`."""
    out: Path | None
    """Where it is written; None: on standard output."""
    language: Language | None
    """None: the table's own."""


def report(request: ReportRequest) -> int:
    """Answer `banco report`; the exit status."""
    try:
        source = _source(request)
        folder = source.folder
        _check_new(request)
        bordereau = bordereau_of(folder, _stretch(folder, request))
        if source.stamp is not None:
            bordereau = replace(bordereau, stamp=_stamp(source.stamp, bordereau.hash, request))
        say = Wording(request.language or source.language)
        sheet = partial(sheet_of, bordereau, say, source.house)
        written = render_paper(request.format, sheet, partial(json_of, bordereau), say)
        _keep_reply(bordereau.stamp, request)
        write_paper(written, request.format, request.out)
    except FileUnusable as error:
        print(error.in_(request.language), file=sys.stderr)
        return UNUSABLE
    except (Failure, OSError) as error:
        print(describe_failure(error), file=sys.stderr)
        return UNUSABLE
    if bordereau.differs:
        names = ", ".join(bordereau.differs)
        print(
            f"the postings do not lead to the balances on record ({names}): "
            f"banco ledger verify {folder}",
            file=sys.stderr,
        )
        return DOES_NOT_ADD_UP
    return DONE


class _Source(Struct, frozen=True):
    """Where the records are, and what the configuration says of their bordereau."""

    folder: Path
    language: Language = Language.IT
    stamp: TimeStampSection | None = None
    house: str = ""


def _source(request: ReportRequest) -> _Source:
    """Raises FileUnusable."""
    if request.folder is not None:
        return _Source(ledger_in(request.folder))
    if request.simulated:
        return _Source(ledger_in(simulation_folder()))
    configuration = load_configuration(request.config or CONFIGURATION)
    return _Source(
        ledger_in(Path(configuration.ledger.folder)),
        configuration.language,
        configuration.timestamp,
        configuration.plan().house,
    )


def _check_new(request: ReportRequest) -> None:
    """Before a stamp is asked for, which costs money. Raises Refused."""
    if request.out is None:
        return
    for file in (request.out, _reply_file(request.out)):
        if os.path.lexists(file):
            raise Refused(f"{file} is there already; a bordereau never overwrites a file")


def _reply_file(out: Path) -> Path:
    """Where the stamp's reply is kept, beside the bordereau."""
    return out.with_name(f"{out.name}.tsr")


def _stamp(
    section: TimeStampSection, digest: str, request: ReportRequest
) -> TimeStamp | NotStamped:
    """A stamp is asked for only where its reply is kept: beside --out, or in JSON."""
    if request.out is None and request.format != "json":
        return NotStamped("it is asked for with --out FILE")
    stamp = stamp_hash(section, digest)
    if isinstance(stamp, NotStamped):
        print(f"no time stamp: {stamp.why}", file=sys.stderr)
    return stamp


def _keep_reply(stamp: TimeStamp | NotStamped | None, request: ReportRequest) -> None:
    """Raises OSError."""
    if isinstance(stamp, TimeStamp) and request.out is not None:
        write_new(_reply_file(request.out), stamp.reply)


def _stretch(folder: Path, request: ReportRequest) -> RecordRange:
    if request.rounds is not None:
        return rounds_of(folder, *_rounds(request.rounds))
    if request.night is not None:
        return find_night(folder, _day(request.night))
    return newest_night(folder, closed=request.last)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Refused(f"--night {quote(text)}: write a day such as 2026-11-20") from error


def _rounds(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text)
    if found is None:
        raise Refused(f"--rounds {quote(text)}: write the first and the last, such as 3-17")
    first, last = int(found[1]), int(found[2] or found[1])
    if first > last:
        raise Refused(f"--rounds {text}: the first is after the last; write {last}-{first}")
    return first, last


def render_paper(
    form: str, sheet: Callable[[], Sheet], content: Callable[[], str], say: Wording
) -> bytes:
    """A bordereau in one of `FORMATS`; `content`: as JSON. Raises Unavailable."""
    if form == "json":
        return content().encode()
    if form == "text":
        return text_of(sheet()).encode("ascii")
    pdf = draw_pdf(sheet(), say)
    if isinstance(pdf, Words):
        raise Unavailable(pdf.en)
    return pdf


def write_paper(written: bytes, form: str, out: Path | None) -> None:
    """Write it to a new file, or on standard output. Raises OSError, Refused."""
    if out is not None:
        write_new(out, written)
        return
    if form == "pdf" and sys.stdout.isatty():
        raise Refused("a PDF cannot be shown on a terminal: use --out FILE")
    sys.stdout.buffer.write(written)
    sys.stdout.buffer.flush()
