"""The three parts of `verify`: program, ledger, settings. Each passes, fails, or is unknown."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

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

MOST_PROBLEMS = 10
"""Most problems of a part that are listed."""


class Verification(Struct, frozen=True):
    """The result for one part."""

    passed: bool | None
    """None if it cannot be verified."""

    found: Words
    """What was verified, or why not."""

    problems: tuple[str, ...] = ()


def verify_program(meter: Meter) -> Verification:
    """Compare the program's files with the hashes of the installation."""
    try:
        installed, folder = find_program()
        inspection = inspect_files(installed, folder, meter.step)
    except NotVerifiable as error:
        return Verification(
            None, Words(f"non verificabile: {error}", f"cannot be verified: {error}")
        )
    problems = [
        *(f"changed: {name}" for name in inspection.changed),
        *(f"missing: {name}" for name in inspection.missing),
        *(f"not installed with it: {name}" for name in inspection.strange),
    ]
    text = Words(
        f"versione {inspection.version}, {inspection.checked} file come installati",
        f"version {inspection.version}, {inspection.checked} files as installed",
    )
    return Verification(inspection.sound, text, _first_problems(problems))


def verify_ledger(folder: Path, meter: Meter) -> Verification:
    """Verify the chain, the postings and the balances, and replay every act."""
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
    """Check the files, and that they are in force; `in_force` is None without the service."""
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
    written = keys_of(configuration)
    differing = [
        f"{setting.key}: in force {setting.value or '-'}, written {written.get(setting.key) or '-'}"
        for setting in in_force
        if written.get(setting.key, "") != setting.value
    ]
    text = Words(f"{file}: {len(written)} chiavi", f"{file}: {len(written)} keys")
    return Verification(not differing, text, _first_problems(differing))


def _replay_problems(folder: Path, meter: Meter) -> list[str]:
    with count_records(folder, meter) as records:
        steps = replay(records)
        return [f"record {step.record.seq}: {step.problem}" for step in steps if step.problem]


def _first_problems(problems: Sequence[str]) -> tuple[str, ...]:
    more = len(problems) - MOST_PROBLEMS
    return (*problems[:MOST_PROBLEMS], *((f"+{more}",) if more > 0 else ()))
