"""`verify`: verifies the program's files, the ledger, and the settings in force."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from console.line.requests import AskSettings, SettingsView, SettingView, Status
from console.technician.command import Command, Misused, TechnicianSession
from console.technician.long_work import Meter, TooLong, run_in_thread
from console.technician.places import Unreadable, find_configuration, find_ledger_folder
from console.technician.table_requests import ask_status, ask_table
from console.technician.verification import (
    Verification,
    verify_ledger,
    verify_program,
    verify_settings,
)
from console.texts.language import Language, Words
from console.texts.layout.paragraphs import label_text
from console.texts.technician import command_texts, verification_texts
from jackpot.failures import Failure

WITHIN_S = 900.0
"""Enough for years of rounds on a slow card; `q` or Ctrl-C end it earlier."""

PARTS: Mapping[str, tuple[str, Words]] = {
    "program": ("programma", verification_texts.PROGRAM),
    "ledger": ("registro", verification_texts.LEDGER),
    "settings": ("impostazioni", verification_texts.SETTINGS),
}


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
    except Unreadable as error:
        return Verification(None, verification_texts.CANNOT_BE_VERIFIED.fill(error))
    except TooLong:
        minutes = WITHIN_S / 60
        return Verification(
            None,
            verification_texts.NOT_DONE_WITHIN_MIN.fill(minutes),
        )


def _work_of(
    session: TechnicianSession, part: str, in_force: Sequence[SettingView] | None
) -> Callable[[Meter], Verification]:
    """Return the work for the thread. Raises Unreadable if a file is not known."""
    if part == "program":
        return verify_program
    if part == "ledger":
        folder = find_ledger_folder(session)
        return lambda meter: verify_ledger(folder, meter)
    file: Path = find_configuration(session)
    return lambda _: verify_settings(file, in_force)


def describe_verification(part: Words, verdict: Verification, language: Language) -> list[str]:
    """Render a result: what was verified, and each problem."""
    mark = {True: "OK", False: verification_texts.FAIL.in_(language), None: "?"}[verdict.passed]
    lines = label_text(part.in_(language), f"{mark:5}{verdict.found.in_(language)}")
    return [*lines, *(line for text in verdict.problems for line in label_text("", f"- {text}"))]


def _summarize(passed: Sequence[bool | None], language: Language) -> str:
    if False in passed:
        return verification_texts.NOT_ORDER.in_(language)
    if not any(passed):
        return verification_texts.NOTHING_COULD_BE_VERIFIED.in_(language)
    if None in passed:
        return verification_texts.NOTHING_WRONG_BUT_NOT.in_(language)
    return verification_texts.ALL_ORDER.in_(language)


def _parse_parts(session: TechnicianSession, words: Sequence[str]) -> tuple[str, ...]:
    if not words:
        return tuple(PARTS)
    word = words[0].lower()
    for part, (italian, _) in PARTS.items():
        if len(words) == 1 and word in (part, italian):
            return (part,)
    names = session.words(verification_texts.PROGRAM_LEDGER_SETTINGS)
    raise Misused(session.words(verification_texts.ONE.fill(names)))


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
