"""Why the service does not answer, as far as files and the journal tell, and what to do."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from console.configuration.adopted import read_adopted
from console.configuration.file import ConfigurationErrors
from console.configuration.overrides import OVERRIDES_FILE
from console.service.table_ledger import LOCK_FILE
from console.technician.command import TechnicianSession
from console.technician.long_work import run_in_thread
from console.technician.places import (
    Unreadable,
    find_configuration,
    find_ledger_folder,
)
from console.technician.programs import JOURNAL_WITHIN_S, read_journal
from console.texts.language import Language, Words
from console.texts.layout.paragraphs import label_text, paragraph
from console.texts.record_texts import clock_of, day_of
from jackpot.lock_file import Lock, LockFile

JOURNAL_LINES = 8
NO_ENTRIES = "-- No entries --"
TOO_LITTLE_BYTES = 50_000_000
WITHIN_S = 4 * JOURNAL_WITHIN_S

OWNER = "ledger.owner"
"""The file that the one process which writes the ledger holds (jackpot/folder.py)."""


@dataclass(frozen=True, slots=True)
class ServiceEvidence:
    """What was found without the service; None where it could not be looked at.

    `mistakes` of the configuration; `lock` beside the ledger; `holder`: the process that holds the
    ledger, "" for none; `free_bytes` of the ledger's disk; `unread`: what cannot be read, and why.
    """

    mistakes: tuple[str, ...] | None = None
    lock: Lock | None = None
    holder: str = ""
    free_bytes: int | None = None
    journal: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    simulated: bool = False


async def diagnose(session: TechnicianSession, why: str) -> list[str]:
    """What to tell of a service that does not answer. Raises TooLong, Interrupted, Hung."""
    unread: list[str] = []
    configuration = ledger = None
    try:
        configuration = find_configuration(session)
    except Unreadable as error:
        unread.append(str(error))
    try:
        ledger = find_ledger_folder(session)
    except Unreadable as error:
        unread.append(str(error))
    found = await run_in_thread(
        session, lambda _: gather_evidence(configuration, ledger, unread), seconds=WITHIN_S
    )
    simulated = session.simulated or (session.status is not None and session.status.simulated)
    return describe_evidence(replace(found, simulated=simulated), why, session.language)


def gather_evidence(
    configuration: Path | None, ledger: Path | None, unread: Sequence[str] = ()
) -> ServiceEvidence:
    """Look at files and journal; nothing is changed, and nothing is locked."""
    cannot = list(unread)
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
            cannot.append(f"{error.filename or ledger}: {error.strerror}")
    journal = tuple(line for line in read_journal(JOURNAL_LINES) if line != NO_ENTRIES)
    return ServiceEvidence(mistakes, lock, holder, free, journal, tuple(cannot))


def describe_evidence(found: ServiceEvidence, why: str, language: Language) -> list[str]:
    """It in lines: what is wrong first, what to do last."""

    def label(it: str, en: str, text: str) -> list[str]:
        return label_text(Words(it, en).in_(language), text)

    lines = label("SERVIZIO", "SERVICE", Words("non risponde: ", "no answer: ").in_(language) + why)
    if found.mistakes:
        lines += [line for mistake in found.mistakes for line in label("CONFIG", "CONFIG", mistake)]
    elif found.mistakes is not None:
        lines += label("config", "config", Words("in ordine", "in order").in_(language))
    if found.lock is not None:
        when = f"{day_of(found.lock.since)} {clock_of(found.lock.since)}".strip()
        lines += label("BLOCCO", "LOCK", f"{found.lock.fault} {when}: {found.lock.why}")
    if found.holder:
        holds = Words("lo tiene il processo ", "held by process ").in_(language)
        lines += label("registro", "ledger", holds + found.holder)
    if found.free_bytes is not None:
        free = Words("MB liberi", "MB free").in_(language)
        lines += label("disco", "disk", f"{found.free_bytes // 1_000_000} {free}")
    for text in found.unread:
        lines += label("non letto", "not read", text)
    if found.journal and not found.simulated:  # a simulation is not systemd's
        lines += label("journal", "journal", "")
        lines += [
            row for text in found.journal for row in paragraph(text, first="  ", after="    ")
        ]
    return [*lines, *label("DA FARE", "TO DO", advise(found, language))]


def advise(found: ServiceEvidence, language: Language) -> str:
    """The next step, from what was found."""
    if found.mistakes:
        words = _advise_correction(found.mistakes[0].partition(": ")[0], found.simulated)
    elif found.free_bytes is not None and found.free_bytes < TOO_LITTLE_BYTES:
        words = Words(
            "fare posto sul disco (df, journalctl --vacuum-size=50M), poi avviare",
            "make room on the disk (df, journalctl --vacuum-size=50M), then start it",
        )
    elif found.holder:
        words = Words(
            "il processo che tiene il registro vive: attendere 10 s, poi fermarlo"
            " (systemctl restart banco, o la prova rimasta aperta)",
            "the process that holds the ledger is alive: wait 10 s, then end it"
            " (systemctl restart banco, or the trial left running)",
        )
    elif found.simulated:
        words = Words(
            "la simulazione è finita: banco run --sim", "the simulation has ended: banco run --sim"
        )
    elif not found.journal:
        words = Words(
            "il servizio è fermo: systemctl start banco; se si arresta di nuovo, log dice perché",
            "the service is stopped: systemctl start banco; if it stops again, log says why",
        )
    else:
        words = Words(
            "il servizio è fermo: leggere il journal qui sopra, poi systemctl start banco",
            "the service is stopped: read the journal above, then systemctl start banco",
        )
    return words.in_(language)


def _advise_correction(file: str, simulated: bool) -> Words:
    """Which file, and what then starts the table; what would be right stands with the mistake."""
    start = "banco run --sim" if simulated else "systemctl restart banco"
    if Path(file).name == OVERRIDES_FILE:
        return Words(
            f"correggere quella chiave in {file}, o spostare il file (allora vale la sola"
            f" configurazione), poi {start}",
            f"correct that key in {file}, or move the file away (then the configuration alone"
            f" counts), then {start}",
        )
    return Words(
        f"correggere la configurazione (banco check FILE), poi {start}",
        f"correct the configuration (banco check FILE), then {start}",
    )


def _find_mistakes(file: Path) -> tuple[str, ...]:
    try:
        read_adopted(file)
    except ConfigurationErrors as error:
        return tuple(str(error).splitlines())
    return ()


def _read_lock(ledger: Path) -> Lock | None:
    """The lock beside the ledger, only read: a file that is not there is not made."""
    return LockFile(ledger / LOCK_FILE).read()


def _find_holder(ledger: Path) -> str:
    """The process that holds the ledger, as the kernel's list of locks names it; "" for none.

    Trying the lock would hold it for an instant, in which a service could start in vain.
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
"""The word of a line of /proc/locks that names the file; the process stands before it."""


def _read_command(process: str) -> str:
    """What a process was started with; "" if that may not be read."""
    try:
        raw = Path("/proc", process, "cmdline").read_bytes()
    except OSError:  # another user's, under ProtectProc, or ended meanwhile
        return ""
    return raw.replace(b"\0", b" ").decode("utf-8", "replace").strip()
