"""`verify`: verifies the program's files, the ledger, and the settings in force.

Each of the three passes, fails, or is unknown.
"""

import base64
import binascii
import csv
import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from msgspec import Struct

from console.configuration.adopted import read_adopted
from console.configuration.keys import keys_of
from console.configuration.named_files import FileUnusable
from console.line.requests import AskSettings, SettingsView, SettingView, Status
from console.release.banco_check import ListUnusable, find_differences, read_list
from console.release.running import RUNS_FROM, is_release
from console.rules.records import UnreadableRecord
from console.rules.replay import replay
from console.technician.command import Command, TechnicianSession
from console.technician.ledger_reading import count_records, find_configuration, find_ledger_folder
from console.technician.long_work import Meter, run_in_thread
from console.technician.table_requests import ask_status, ask_table
from console.texts.language import Language, Words
from console.texts.layout import label_text
from console.texts.technician import command_texts, session_texts
from jackpot.failures import Failure, Refused, Unavailable
from jackpot.ledger.ledger import LedgerCorrupt, verify

NAME = "banco"
PACKAGES = ("console", "devices", "firmware_bridge", "jackpot")
"""The packages that may contain only files of the distribution."""

ALGORITHM = "sha256"

WITHIN_S = 900.0
"""Enough for years of rounds on a slow card; `q` or Ctrl-C end it earlier."""

PARTS: Mapping[str, tuple[str, Words]] = {
    "program": ("programma", session_texts.PROGRAM),
    "ledger": ("registro", session_texts.LEDGER),
    "settings": ("impostazioni", session_texts.SETTINGS),
}


MOST_PROBLEMS = 10
"""Most problems of a part that are listed."""


class Inspection(Struct, frozen=True):
    """The result of the comparison, without the files that have no hash: pip's compiled ones."""

    version: str
    checked: int
    """How many files have the right hash."""

    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()
    """Files within the program that do not belong to the distribution."""

    @property
    def sound(self) -> bool:
        """Whether every file is as installed."""
        return not (self.changed or self.missing or self.strange)


def find_program() -> tuple[Distribution, Path]:
    """Return the distribution and the folder that the program runs from. Raises Unavailable."""
    try:
        found = distribution(NAME)
    except PackageNotFoundError as error:
        raise Unavailable(f"{NAME} is not installed: it runs from its source") from error
    return found, Path(__file__).resolve().parents[2]


def inspect_files(
    installed: Distribution, folder: Path, each: Callable[[], None] = lambda: None
) -> Inspection:
    """Compare every file with its hash; `each` is called before each one.

    `folder` is where the program runs from. Raises Unavailable, and what `each` raises.
    """
    places = _read_record(installed)
    if _is_editable(installed):
        raise Unavailable("installed as editable: it runs from its source")
    if not any(place.is_relative_to(folder) and place.suffix == ".py" for place in places):
        raise Unavailable(f"it runs from {folder}, which is not what was installed")
    changed: list[str] = []
    missing: list[str] = []
    checked = 0
    for place, file in places.items():
        each()
        if not file.hash:  # RECORD itself, and what pip compiled
            continue
        if not place.is_file():
            missing.append(file.name)
        elif _has_its_hash(place, file):
            checked += 1
        else:
            changed.append(file.name)
    strange = tuple(str(place.relative_to(folder)) for place in _find_unknown(folder, places))
    return Inspection(installed.version, checked, tuple(changed), tuple(missing), strange)


class RecordedFile(Struct, frozen=True):
    """A line of RECORD; `hash` such as "sha256=...", "" if it has none."""

    name: str
    hash: str


def _read_record(installed: Distribution) -> Mapping[Path, RecordedFile]:
    """Which file should be where; `Distribution.files` leaves out what is not there."""
    lines = (installed.read_text("RECORD") or "").splitlines()
    files = [RecordedFile(name, digest) for name, digest, _ in csv.reader(lines)]
    if not files:
        raise Unavailable("the installation keeps no list of hashes (RECORD)")
    return {Path(str(installed.locate_file(file.name))).resolve(): file for file in files}


def _is_editable(installed: Distribution) -> bool:
    source = installed.read_text("direct_url.json")
    return bool(source) and bool(json.loads(source or "{}").get("dir_info", {}).get("editable"))


def _has_its_hash(place: Path, file: RecordedFile) -> bool:
    """Return whether the file has its hash; False for a hash of another kind."""
    mode, _, value = file.hash.partition("=")
    if mode != ALGORITHM:
        return False
    try:
        expected = base64.urlsafe_b64decode(f"{value}==")
    except binascii.Error:
        return False
    with place.open("rb") as content:
        return hashlib.file_digest(content, ALGORITHM).digest() == expected


def _find_unknown(folder: Path, places: Collection[Path]) -> Iterator[Path]:
    """Find files in the program's packages that were not installed with it."""
    for package in PACKAGES:
        for place in sorted((folder / package).rglob("*")):
            if place.is_file() and place.suffix != ".pyc" and place.resolve() not in places:
                yield place


class Verification(Struct, frozen=True):
    """The result for one part."""

    passed: bool | None
    """None if it cannot be verified."""

    found: Words
    """What was verified, or why not."""

    problems: tuple[str, ...] = ()


def verify_program(meter: Meter) -> Verification:
    """Compare the program's files with the release's list, or else with pip's hashes."""
    if is_release():
        return _verify_release(meter)
    try:
        installed, folder = find_program()
        inspection = inspect_files(installed, folder, meter.step)
    except Unavailable as error:
        return Verification(None, session_texts.CANNOT_BE_VERIFIED.fill(error))
    problems = [
        *(f"changed: {name}" for name in inspection.changed),
        *(f"missing: {name}" for name in inspection.missing),
        *(f"not installed with it: {name}" for name in inspection.strange),
    ]
    text = session_texts.VERSION_FILES_AS_INSTALLED.fill(inspection.version, inspection.checked)
    return Verification(inspection.sound, text, _first_problems(problems))


def _verify_release(meter: Meter) -> Verification:
    try:
        listed = read_list(RUNS_FROM)
        problems = find_differences(listed, RUNS_FROM, Path("/"), meter.step)
    except (ListUnusable, OSError) as error:
        return Verification(False, session_texts.CANNOT_BE_VERIFIED.fill(error))
    text = session_texts.RELEASE_FILES_AS_SIGNED.fill(
        listed.version, len(listed.files), listed.digest, listed.key
    )
    return Verification(not problems, text, _first_problems(problems))


def verify_ledger(folder: Path, meter: Meter) -> Verification:
    """Verify the chain, the postings and the balances, and replay every act."""
    try:
        report = verify(folder, meter.step)
        problems = [*report.problems]
        if report.sound:
            problems += _replay_problems(folder, meter)
    except LedgerCorrupt as error:
        return Verification(False, session_texts.DAMAGED, (str(error),))
    except (Unavailable, UnreadableRecord) as error:
        return Verification(None, session_texts.CANNOT_BE_VERIFIED.fill(error))
    text = session_texts.RECORDS_LAST.fill(report.records, report.head.seq, report.head.hash[:16])
    return Verification(not problems, text, _first_problems(problems))


def verify_settings(file: Path, in_force: Sequence[SettingView] | None) -> Verification:
    """Check the files, and that they are in force; `in_force` is None without the service."""
    try:
        configuration = read_adopted(file).adopted
    except FileUnusable as error:
        return Verification(False, session_texts.MISTAKES, _first_problems(str(error).splitlines()))
    if in_force is None:
        return Verification(
            None,
            session_texts.NO_MISTAKES_WHAT_FORCE.fill(file),
        )
    written = keys_of(configuration)
    differing = [
        f"{setting.key}: in force {setting.value or '-'}, written {written.get(setting.key) or '-'}"
        for setting in in_force
        if written.get(setting.key, "") != setting.value
    ]
    text = session_texts.KEYS.fill(file, len(written))
    return Verification(not differing, text, _first_problems(differing))


def _replay_problems(folder: Path, meter: Meter) -> list[str]:
    with count_records(folder, meter) as records:
        steps = replay(records)
        return [f"record {step.record.seq}: {step.problem}" for step in steps if step.problem]


def _first_problems(problems: Sequence[str]) -> tuple[str, ...]:
    more = len(problems) - MOST_PROBLEMS
    return (*problems[:MOST_PROBLEMS], *((f"+{more}",) if more > 0 else ()))


async def _verify(session: TechnicianSession, words: Sequence[str]) -> None:
    parts = _parse_parts(session, words)
    try:
        await ask_status(session)
        in_force: Sequence[SettingView] | None = (
            await ask_table(session, AskSettings(), SettingsView)
        ).settings
    except Failure:  # the files can be verified without the service
        in_force = None
    passed: list[bool | None] = []
    for part in parts:
        verdict = await _verify_part(session, part, in_force)
        passed.append(verdict.passed)
        await session.talk.say(*describe_verification(PARTS[part][1], verdict, session.language))
    await session.talk.say(_summarize(passed, session.language))


async def _verify_part(
    session: TechnicianSession, part: str, in_force: Sequence[SettingView] | None
) -> Verification:
    try:
        return await run_in_thread(session, _work_of(session, part, in_force), seconds=WITHIN_S)
    except Unavailable as error:
        return Verification(None, session_texts.CANNOT_BE_VERIFIED.fill(error))


def _work_of(
    session: TechnicianSession, part: str, in_force: Sequence[SettingView] | None
) -> Callable[[Meter], Verification]:
    """Return the work for the thread. Raises Unavailable if a file is not known."""
    if part == "program":
        return verify_program
    if part == "ledger":
        folder = find_ledger_folder(session)
        return lambda meter: verify_ledger(folder, meter)
    file: Path = find_configuration(session)
    return lambda _: verify_settings(file, in_force)


def describe_verification(part: Words, verdict: Verification, language: Language) -> list[str]:
    """Render a result: what was verified, and each problem."""
    mark = {True: "OK", False: session_texts.FAIL.in_(language), None: "?"}[verdict.passed]
    lines = label_text(part.in_(language), f"{mark:5}{verdict.found.in_(language)}")
    return [*lines, *(line for text in verdict.problems for line in label_text("", f"- {text}"))]


def _summarize(passed: Sequence[bool | None], language: Language) -> str:
    if False in passed:
        return session_texts.NOT_ORDER.in_(language)
    if not any(passed):
        return session_texts.NOTHING_COULD_BE_VERIFIED.in_(language)
    if None in passed:
        return session_texts.NOTHING_WRONG_BUT_NOT.in_(language)
    return session_texts.ALL_ORDER.in_(language)


def _parse_parts(session: TechnicianSession, words: Sequence[str]) -> tuple[str, ...]:
    if not words:
        return tuple(PARTS)
    word = words[0].lower()
    for part, (italian, _) in PARTS.items():
        if len(words) == 1 and word in (part, italian):
            return (part,)
    names = session.words(session_texts.PROGRAM_LEDGER_SETTINGS)
    raise Refused(session.words(session_texts.ONE.fill(names)))


def _complete_part(words: Sequence[str], _status: Status | None) -> Sequence[str]:
    return () if words else (*PARTS, *(italian for italian, _ in PARTS.values()))


COMMANDS = (
    Command(
        names=("verify", "verifica"),
        texts=command_texts.VERIFY,
        example="verify ledger",
        run=_verify,
        complete=_complete_part,
    ),
)
