"""`settings` and `restart`: shows and changes settings, restarts the service."""

import asyncio
from collections.abc import Sequence

from console.line.requests import (
    AskSettings,
    ChangeSetting,
    Done,
    Restart,
    SettingsView,
    SettingView,
    Status,
)
from console.office.dialogue import result_lines
from console.rules.round.draft import ActOutcome
from console.technician.command import Command, Misused, TechnicianSession, check_no_arguments
from console.technician.table_requests import (
    ask_second_person,
    ask_status,
    ask_table,
    ask_with_login,
    confirm,
)
from console.texts import office_texts
from console.texts.language import Language
from console.texts.layout import paragraph
from console.texts.table_texts import SETTINGS_VERSION
from console.texts.technician import command_texts, money_texts
from jackpot.failures import Failure
from jackpot.foreign_text import quote

BACK_WITHIN_S = 30.0
"""Time for the restart; systemd usually needs about three seconds."""

LOOK_EVERY_S = 1.0

AS_IN_THE_FILE = "-"
"""As a value: the configuration file's own value applies again."""

DONE = ActOutcome.DONE.value


async def _settings(session: TechnicianSession, words: Sequence[str]) -> None:
    if len(words) > 1:
        await _change(session, words[0].lower(), " ".join(words[1:]))
        return
    view = await ask_table(session, AskSettings(), SettingsView)
    wanted = words[0].lower() if words else ""
    chosen = [setting for setting in view.settings if setting.key.startswith(wanted)]
    if words and not chosen:
        raise Misused(session.words(money_texts.NO_KEY.fill(quote(wanted))))
    await session.talk.say(*list_settings(chosen, view.version, session.language))


def list_settings(settings: Sequence[SettingView], version: int, language: Language) -> list[str]:
    """List what the next start changes, then what may be changed here, then the rest."""
    title = SETTINGS_VERSION.fill(version)
    lines = [title.in_(language)]
    for words, part in (
        (
            money_texts.ADOPTED_BY_NEXT_START,
            [setting for setting in settings if setting.next],
        ),
        (
            money_texts.CAN_BE_CHANGED_HERE,
            [setting for setting in settings if setting.changeable and not setting.next],
        ),
        (
            money_texts.FILE_ONLY_BY_ROOT,
            [setting for setting in settings if not setting.changeable and not setting.next],
        ),
    ):
        if part:
            lines.append(words.in_(language))
            lines += [line for setting in part for line in _describe_setting(setting)]
    return lines


def _describe_setting(setting: SettingView) -> list[str]:
    value = setting.value or "-"
    after = f" -> {setting.next}" if setting.next else ""
    return paragraph(f"{setting.key:24} {value}{after}", first="  ", after="      ")


async def _change(session: TechnicianSession, key: str, value: str) -> None:
    """Check a change, show it, ask, write it, offer the restart."""
    new_value = "" if value == AS_IN_THE_FILE else value
    preview = await ask_with_login(session, ChangeSetting(key, new_value), Done)
    await session.talk.say(*result_lines(preview, session.language))
    if preview.outcome != DONE or not await confirm(
        session, session.words(money_texts.WRITE_NEXT_START)
    ):
        await session.talk.say(session.words(money_texts.NOTHING_WRITTEN))
        return
    second, pin = await _ask_second(session, key)
    really = ChangeSetting(key, new_value, second, pin, really=True)
    await ask_with_login(session, really, Done)
    await session.talk.say(session.words(money_texts.WRITTEN_NEXT_START_ADOPTS))
    if await confirm(session, session.words(money_texts.RESTART_NOW)):
        await _restart_and_wait(session)


async def _ask_second(session: TechnicianSession, key: str) -> tuple[str, str]:
    """Ask for the name and PIN of the second person, if this setting needs one.

    Raises RequestRefused, Unreachable, Interrupted, Hung.
    """
    view = await ask_table(session, AskSettings(), SettingsView)
    if not any(setting.second for setting in view.settings if setting.key == key):
        return "", ""
    return await ask_second_person(session)


async def _restart(session: TechnicianSession, words: Sequence[str]) -> None:
    check_no_arguments(session, words)
    question = session.words(
        money_texts.SERVICE_STOPS_AND_STARTS,
    )
    if await confirm(session, question):
        await _restart_and_wait(session)
    else:
        await session.talk.say(session.words(office_texts.NOTHING))


async def _restart_and_wait(session: TechnicianSession) -> None:
    """Restart the service and wait until it answers."""
    old_boot = (await ask_status(session)).boot
    await ask_with_login(session, Restart(), Done)
    await session.talk.say(session.words(money_texts.RESTARTING))
    loop = asyncio.get_running_loop()
    began = loop.time()
    while loop.time() - began < BACK_WITHIN_S:
        await session.talk.pause(LOOK_EVERY_S)
        try:
            status = await ask_status(session)
        except Failure:
            continue
        if status.boot != old_boot:
            await session.talk.say(_describe_start(session, status, loop.time() - began))
            return
    await session.talk.say(
        session.words(
            money_texts.NOT_BACK_AFTER_S.fill(BACK_WITHIN_S),
        )
    )


def _describe_start(session: TechnicianSession, status: Status, seconds: float) -> str:
    return session.words(
        money_texts.BACK_AFTER_S_SETTINGS.fill(seconds, status.phase, status.settings_version),
    )


COMMANDS = (
    Command(
        names=("settings", "impostazioni"),
        texts=command_texts.SETTINGS,
        example="settings language en",
        run=_settings,
    ),
    Command(
        names=("restart", "riavvia"),
        texts=command_texts.RESTART,
        example="restart",
        run=_restart,
    ),
)
