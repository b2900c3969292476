"""`about`: the program, the machine it runs on, and where its files lie."""

import platform
from collections.abc import Sequence
from pathlib import Path

from msgspec import UnsetType

from console.configuration.version import name_program
from console.rules.release_marks import ReleaseMarks
from console.technician.command import Command, TechnicianSession, check_no_arguments
from console.technician.table_requests import ask_status
from console.texts.layout import format_duration, label_text
from console.texts.table_texts import KEY_STORES
from console.texts.technician import command_texts, status_texts
from jackpot.failures import Failure

MODEL = Path("/proc/device-tree/model")
"""The file with a Raspberry Pi's model."""

LICENCE = "Apache-2.0"


async def _about(session: TechnicianSession, words: Sequence[str]) -> None:
    check_no_arguments(session, words)
    await session.talk.say(
        *label_text("banco", f"{name_program()} ({LICENCE})"),
        *label_text("Python", platform.python_version()),
        *label_text(session.words(status_texts.HOST), describe_machine()),
        *await _describe_service(session),
    )


async def _describe_service(session: TechnicianSession) -> list[str]:
    """Describe the running service; if it does not answer, where its files should be."""
    service = session.words(status_texts.SERVICE)
    try:
        status = await ask_status(session)
    except Failure as error:
        lines = label_text(service, f"- ({error})")
        ledger, configuration = str(session.ledger or "?"), str(session.configuration or "?")
        sha256 = ""
        key, release = list[str](), list[str]()
    else:
        up = format_duration(status.up_s * 1000)
        since = session.words(
            status_texts.UP_LEDGER_OPENING_COMMIT.fill(up, status.boot),
        )
        lines = label_text(service, f"{status.version}, {since}")
        ledger, configuration = status.ledger, status.configuration or "-"
        sha256 = status.configuration_sha256
        stored = KEY_STORES[status.key_store].in_(session.language)
        key = label_text(session.words(status_texts.SIGNED), stored)
        release = _describe_release(session, status.release)
    return [
        *lines,
        *label_text(session.words(status_texts.LEDGER), ledger),
        *key,
        *label_text("config", configuration),
        *(label_text("sha256", sha256) if sha256 else ()),
        *release,
        *label_text(session.words(status_texts.PROGRAM), str(Path(__file__).parents[3])),
    ]


def _describe_release(session: TechnicianSession, marks: ReleaseMarks | UnsetType) -> list[str]:
    """The releases that the table has run, the newest first, and what is wrong with this one."""
    title = session.words(status_texts.RELEASE)
    if isinstance(marks, UnsetType):
        return label_text(title, session.words(status_texts.NO_RELEASE))
    lines: list[str] = []
    for change in reversed(marks.changes):
        since = status_texts.RELEASE_SINCE.fill(change.at, change.version, change.digest)
        lines += label_text("" if lines else title, session.words(since))
    lines += label_text(session.words(status_texts.RELEASE_KEY), marks.key or "-")
    for board in marks.images.values():
        lines += label_text("", f"{board.kind} {board.serial}: {board.image}")
    return [*lines, *(label_text("", marks.problem) if marks.problem else ())]


def describe_machine(model: Path = MODEL) -> str:
    """Return the machine's name, hardware and operating system."""
    try:
        hardware = model.read_text("utf-8").rstrip("\0\n")
    except OSError:  # no Raspberry Pi
        hardware = platform.machine()
    return f"{platform.node()}, {hardware}, {platform.system()} {platform.release()}"


COMMANDS = (
    Command(
        names=("about", "informazioni"),
        texts=command_texts.ABOUT,
        example="about",
        run=_about,
    ),
)
