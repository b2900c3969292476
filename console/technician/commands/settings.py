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
from console.rules.structs import replace
from console.technician.command import Command, TechnicianSession, check_no_arguments
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
from jackpot.failures import Failure, Refused
from jackpot.foreign_text import quote

BACK_WITHIN_S = 30.0
"""Time for the restart; systemd usually needs about three seconds."""

LOOK_EVERY_S = 1.0

AS_IN_THE_FILE = "-"
"""As a value: the configuration file's own value applies again."""

NEXT_JACKPOT = ("next-jackpot", "prossimo-jackpot")
"""After the value: it waits until the jackpot is won."""

DONE = ActOutcome.DONE.value


async def _settings(session: TechnicianSession, words: Sequence[str]) -> None:
    key, *value = words or [""]
    if value:
        later = bool(value[1:]) and value[-1].lower() in NEXT_JACKPOT
        typed = " ".join(value[:-1] if later else value)
        await _change(session, key.lower(), typed, later=later)
        return
    view = await ask_table(session, AskSettings(), SettingsView)
    wanted = words[0].lower() if words else ""
    chosen = [setting for setting in view.settings if setting.key.startswith(wanted)]
    if words and not chosen:
        raise Refused(session.words(money_texts.NO_KEY.fill(quote(wanted))))
    await session.talk.say(*list_settings(chosen, view.version, session.language))


def list_settings(settings: Sequence[SettingView], version: int, language: Language) -> list[str]:
    """List what the next start changes, what may be changed here, the rest, and what waits."""
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
    waiting = [(one.key, one.next_jackpot) for one in settings if isinstance(one.next_jackpot, str)]
    if waiting:
        lines.append(money_texts.FROM_THE_NEXT_JACKPOT.in_(language))
        lines += [f"  {key:24} -> {value}" for key, value in waiting]
    return lines


def _describe_setting(setting: SettingView) -> list[str]:
    value = setting.value or "-"
    after = f" -> {setting.next}" if setting.next else ""
    return paragraph(f"{setting.key:24} {value}{after}", first="  ", after="      ")


async def _change(session: TechnicianSession, key: str, value: str, *, later: bool) -> None:
    """Check a change, show it, ask, write it, offer the restart.

    `later`: it is for the next jackpot, and no restart is offered.
    """
    new_value = "" if value == AS_IN_THE_FILE else value
    asked = ChangeSetting(key, new_value, next_jackpot=later)
    preview = await ask_with_login(session, asked, Done)
    await session.talk.say(*result_lines(preview, session.language))
    question = money_texts.WRITE_NEXT_JACKPOT if later else money_texts.WRITE_NEXT_START
    if preview.outcome != DONE or not await confirm(session, session.words(question)):
        await session.talk.say(session.words(money_texts.NOTHING_WRITTEN))
        return
    second, pin = await _ask_second(session, key)
    await ask_with_login(session, replace(asked, second=second, pin=pin, really=True), Done)
    if later:
        await session.talk.say(session.words(money_texts.ON_RECORD_FOR_NEXT_JACKPOT))
        return
    await session.talk.say(session.words(money_texts.WRITTEN_NEXT_START_ADOPTS))
    if await confirm(session, session.words(money_texts.RESTART_NOW)):
        await _restart_and_wait(session)


async def _ask_second(session: TechnicianSession, key: str) -> tuple[str, str]:
    """Ask for the name and PIN of the second person, if this setting needs one.

    Raises NotDone, Unreachable, Interrupted, Hung.
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
