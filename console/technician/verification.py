"""The three parts of `verify`: program, ledger, settings; each passes, fails, or cannot be told."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from console.configuration.adopted import read_adopted
from console.configuration.file import ConfigurationErrors
from console.configuration.keys import keys_of
from console.line.requests import SettingView
from console.rules.records import UnreadableRecord
from console.rules.replay import replay
from console.technician.installation import NotVerifiable, find_program, inspect_files
from console.technician.ledger_reading import count_records
from console.technician.long_work import Meter
from console.texts.language import Words
from jackpot.ledger import LedgerCorrupt, LedgerUnavailable, verify

MOST_TOLD = 10
"""So many problems of a part are told by name."""


@dataclass(frozen=True, slots=True)
class Verification:
    """A part verified: `passed` is None where it cannot be; `found` says what was looked at."""

    passed: bool | None
    found: Words
    problems: tuple[str, ...] = ()


def verify_program(meter: Meter) -> Verification:
    """The program's files against the hashes it was installed with."""
    try:
        installed, folder = find_program()
        found = inspect_files(installed, folder, meter.step)
    except NotVerifiable as error:
        return Verification(
            None, Words(f"non verificabile: {error}", f"cannot be verified: {error}")
        )
    problems = [
        *(f"changed: {name}" for name in found.changed),
        *(f"missing: {name}" for name in found.missing),
        *(f"not installed with it: {name}" for name in found.strange),
    ]
    text = Words(
        f"versione {found.version}, {found.checked} file come installati",
        f"version {found.version}, {found.checked} files as installed",
    )
    return Verification(found.sound, text, _first_problems(problems))


def verify_ledger(folder: Path, meter: Meter) -> Verification:
    """The chain, the postings, the balances; and every act played again."""
    try:
        report = verify(folder, meter.step)
        problems = [*report.problems]
        if report.sound:
            problems += _replay_problems(folder, meter)
    except LedgerCorrupt as error:
        return Verification(False, Words("danneggiato", "damaged"), (str(error),))
    except (LedgerUnavailable, UnreadableRecord) as error:
        return Verification(
            None, Words(f"non verificabile: {error}", f"cannot be verified: {error}")
        )
    text = Words(
        f"{report.records} record, l'ultimo è {report.head.seq} {report.head.hash[:16]}",
        f"{report.records} records, the last is {report.head.seq} {report.head.hash[:16]}",
    )
    return Verification(not problems, text, _first_problems(problems))


def verify_settings(file: Path, in_force: Sequence[SettingView] | None) -> Verification:
    """The files without a mistake, and in force what they say; None: the service is silent."""
    try:
        configuration = read_adopted(file).adopted
    except ConfigurationErrors as error:
        return Verification(
            False, Words("con errori", "with mistakes"), _first_problems(str(error).splitlines())
        )
    if in_force is None:
        return Verification(
            None,
            Words(
                f"{file}: senza errori; che cosa vale non si sa, il servizio non risponde",
                f"{file}: no mistakes; what is in force is not known, the service is silent",
            ),
        )
    said = keys_of(configuration)
    differing = [
        f"{setting.key}: in force {setting.value or '-'}, written {said.get(setting.key) or '-'}"
        for setting in in_force
        if said.get(setting.key, "") != setting.value
    ]
    text = Words(f"{file}: {len(said)} chiavi", f"{file}: {len(said)} keys")
    return Verification(not differing, text, _first_problems(differing))


def _replay_problems(folder: Path, meter: Meter) -> list[str]:
    with count_records(folder, meter) as records:
        steps = replay(records)
        return [f"record {step.record.seq}: {step.problem}" for step in steps if step.problem]


def _first_problems(problems: Sequence[str]) -> tuple[str, ...]:
    more = len(problems) - MOST_TOLD
    return (*problems[:MOST_TOLD], *((f"+{more}",) if more > 0 else ()))
