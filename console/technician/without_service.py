"""Finds out from files and the journal why the service does not answer, and what to do."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from console.configuration.adopted import read_adopted
from console.configuration.named_files import FileUnusable
from console.configuration.overrides import OVERRIDES_FILE
from console.rules.structs import replace
from console.service.table_ledger import LOCK_FILE
from console.technician.command import TechnicianSession
from console.technician.ledger_reading import find_configuration, find_ledger_folder
from console.technician.long_work import run_in_thread
from console.texts.language import Language, Words
from console.texts.layout import label_text, paragraph
from console.texts.record_texts import clock_of, day_of
from console.texts.technician import status_texts
from jackpot.failures import Unavailable
from jackpot.ledger.lock_file import Lock, LockFile

UNIT = "banco"
"""The service's unit (systemd/banco.service)."""

JOURNAL_WITHIN_S = 5.0

LONGEST_LINE = 400

JOURNAL_LINES = 8
NO_ENTRIES = "-- No entries --"
TOO_LITTLE_BYTES = 50_000_000
WITHIN_S = 4 * JOURNAL_WITHIN_S

OWNER = "ledger.owner"
"""The file that the process that writes the ledger locks (jackpot/ledger/folder.py)."""


def read_journal(lines: int) -> list[str]:
    """Return the unit's last lines in systemd's journal, or one line that says why not."""
    return read_output(
        ("journalctl", "--unit", UNIT, "--lines", str(lines), "--output", "short", "--no-pager")
    )[-lines:]


def read_output(command: Sequence[str]) -> list[str]:
    """Return what a program prints within 5 s, or one line that says why not."""
    name = command[0]
    path = shutil.which(name)
    if path is None:
        return [f"{name}: not on this machine"]
    try:
        done = subprocess.run(
            (path, *command[1:]),
            check=False,  # its error messages are shown, too
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=JOURNAL_WITHIN_S,
        )
    except subprocess.TimeoutExpired:
        return [f"{name}: no answer within {JOURNAL_WITHIN_S:.0f} s"]
    except OSError as error:
        return [f"{name}: {error}"]
    lines = (done.stdout or done.stderr).decode("utf-8", "replace").splitlines()
    return [line[:LONGEST_LINE] for line in lines] or [f"{name}: nothing"]


class ServiceEvidence(Struct, frozen=True):
    """What can be found out without the service."""

    mistakes: tuple[str, ...] | None = None
    """Mistakes in the configuration; None if it is not known."""

    lock: Lock | None = None
    """The lock beside the ledger."""

    holder: str = ""
    """The process that holds the ledger, "" for none."""

    free_bytes: int | None = None
    """Free space on the ledger's disk."""

    journal: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    """What cannot be read, and why."""

    simulated: bool = False


async def diagnose(session: TechnicianSession, why: str) -> list[str]:
    """Return what to print about the service. Raises Unavailable, Interrupted, Hung."""
    unread: list[str] = []
    configuration = ledger = None
    try:
        configuration = find_configuration(session)
    except Unavailable as error:
        unread.append(str(error))
    try:
        ledger = find_ledger_folder(session)
    except Unavailable as error:
        unread.append(str(error))
    evidence = await run_in_thread(
        session, lambda _: gather_evidence(configuration, ledger, unread), seconds=WITHIN_S
    )
    simulated = session.simulated or (session.status is not None and session.status.simulated)
    return describe_evidence(replace(evidence, simulated=simulated), why, session.language)


def gather_evidence(
    configuration: Path | None, ledger: Path | None, unread: Sequence[str] = ()
) -> ServiceEvidence:
    """Read the files and the journal, without changing or locking anything."""
    problems = list(unread)
    mistakes = _find_mistakes(configuration) if configuration is not None else None
    lock, holder, free = None, "", None
    if ledger is not None:
        try:
            lock, holder, free = (
                _read_lock(ledger),
                _find_holder(ledger),
                shutil.disk_usage(ledger).free,
            )
        except OSError as error:
            problems.append(f"{error.filename or ledger}: {error.strerror}")
    journal = tuple(line for line in read_journal(JOURNAL_LINES) if line != NO_ENTRIES)
    return ServiceEvidence(mistakes, lock, holder, free, journal, tuple(problems))


def describe_evidence(evidence: ServiceEvidence, why: str, language: Language) -> list[str]:
    """Render the evidence: what is wrong first, what to do last."""

    def label(title: Words, text: str) -> list[str]:
        return label_text(title.in_(language), text)

    lines = label(status_texts.SERVICE_TITLE, status_texts.NO_ANSWER.in_(language) + why)
    if evidence.mistakes:
        lines += [
            line for mistake in evidence.mistakes for line in label(status_texts.CONFIG, mistake)
        ]
    elif evidence.mistakes is not None:
        lines += label(status_texts.CONFIG_IN_ORDER, status_texts.ORDER.in_(language))
    if evidence.lock is not None:
        when = f"{day_of(evidence.lock.since)} {clock_of(evidence.lock.since)}".strip()
        lines += label(status_texts.LOCK, f"{evidence.lock.fault} {when}: {evidence.lock.why}")
    if evidence.holder:
        holds = status_texts.HELD_BY_PROCESS.in_(language)
        lines += label(status_texts.LEDGER, holds + evidence.holder)
    if evidence.free_bytes is not None:
        free = status_texts.MB_FREE.in_(language)
        lines += label(status_texts.DISK, f"{evidence.free_bytes // 1_000_000} {free}")
    for text in evidence.unread:
        lines += label(status_texts.NOT_READ, text)
    if evidence.journal and not evidence.simulated:  # a simulation is not systemd's
        lines += label(status_texts.JOURNAL, "")
        lines += [
            row for text in evidence.journal for row in paragraph(text, first="  ", after="    ")
        ]
    return [*lines, *label(status_texts.TO_DO, advise(evidence, language))]


def advise(evidence: ServiceEvidence, language: Language) -> str:
    """Return the next step."""
    if evidence.mistakes:
        words = _advise_correction(evidence.mistakes[0].partition(": ")[0], evidence.simulated)
    elif evidence.free_bytes is not None and evidence.free_bytes < TOO_LITTLE_BYTES:
        words = status_texts.MAKE_ROOM_DISK_DF
    elif evidence.holder:
        words = status_texts.PROCESS_HOLDS_LEDGER_ALIVE
    elif evidence.simulated:
        words = status_texts.SIMULATION_ENDED_BANCO_RUN
    elif not evidence.journal:
        words = status_texts.SERVICE_STOPPED_SYSTEMCTL_START
    else:
        words = status_texts.SERVICE_STOPPED_READ_JOURNAL
    return words.in_(language)


def _advise_correction(file: str, simulated: bool) -> Words:
    """Say which file to correct, and how to start the table then."""
    start = "banco run --sim" if simulated else "systemctl restart banco"
    if Path(file).name == OVERRIDES_FILE:
        return status_texts.CORRECT_KEY_OR_MOVE.fill(file, start)
    return status_texts.CORRECT_CONFIGURATION_BANCO_CHECK.fill(start)


def _find_mistakes(file: Path) -> tuple[str, ...]:
    try:
        read_adopted(file)
    except FileUnusable as error:
        return tuple(str(error).splitlines())
    return ()


def _read_lock(ledger: Path) -> Lock | None:
    """Read the lock beside the ledger, without creating the file."""
    return LockFile(ledger / LOCK_FILE).read()


def _find_holder(ledger: Path) -> str:
    """Return the process that holds the ledger, from the kernel's list of locks; "" for none.

    Trying to lock would hold the lock for an instant, and a service starting then would fail.
    """
    owner = ledger / OWNER
    if not owner.exists():
        return ""
    inode = owner.stat().st_ino
    device = owner.stat().st_dev
    place = f"{os.major(device):02x}:{os.minor(device):02x}:{inode}"
    for line in Path("/proc/locks").read_text("ascii").splitlines():
        words = line.split()
        if len(words) >= PLACE + 1 and words[1] == "FLOCK" and words[PLACE] == place:
            return f"{words[PLACE - 1]} {_read_command(words[PLACE - 1])}".strip()
    return ""


PLACE = 5
"""The word in a line of /proc/locks that names the file; the one before is the process."""


def _read_command(process: str) -> str:
    """Return a process's command line; "" if it may not be read."""
    try:
        raw = Path("/proc", process, "cmdline").read_bytes()
    except OSError:  # another user's, under ProtectProc, or ended meanwhile
        return ""
    return raw.replace(b"\0", b" ").decode("utf-8", "replace").strip()
