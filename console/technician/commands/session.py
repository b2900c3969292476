"""`enter` and `leave`, `language` and `exit`: who is on this line, its language and its end."""

from collections.abc import Sequence

from console.line.requests import Done, LogOut, Status
from console.technician.command import Command, TechnicianSession, check_no_arguments
from console.technician.table_requests import ask_table, enter
from console.texts.language import Language
from console.texts.technician import command_texts, session_texts
from jackpot.failures import Refused


async def _enter(session: TechnicianSession, words: Sequence[str]) -> None:
    if len(words) > 1:
        raise Refused(session.words(session_texts.PIN_ASKED_HIDDEN))
    name = words[0] if words else await session.talk.ask(session.words(session_texts.NAME))
    if name:
        await enter(session, name)


async def _leave(session: TechnicianSession, words: Sequence[str]) -> None:
    check_no_arguments(session, words)
    await ask_table(session, LogOut(), Done)
    await session.talk.say(session.words(session_texts.NOBODY_ENTERED))


ENTRY_COMMANDS = (
    Command(
        names=("enter", "entra"),
        texts=command_texts.ENTER,
        example="enter anna",
        run=_enter,
    ),
    Command(
        names=("leave", "lascia"),
        texts=command_texts.LEAVE,
        example="leave",
        run=_leave,
    ),
)


async def _language(session: TechnicianSession, words: Sequence[str]) -> None:
    known = {language.value: language for language in Language}
    if len(words) != 1 or words[0].lower() not in known:
        raise Refused(session.words(session_texts.LANGUAGES_ARE_AND_EN))
    session.language = known[words[0].lower()]
    await session.talk.say(session.words(session_texts.ENGLISH))


def _complete_language(words: Sequence[str], _status: Status | None) -> Sequence[str]:
    return () if words else tuple(language.value for language in Language)


async def _exit(session: TechnicianSession, _words: Sequence[str]) -> None:
    session.over = True


COMMANDS = (
    Command(
        names=("language", "lingua"),
        texts=command_texts.LANGUAGE,
        example="language en",
        run=_language,
        complete=_complete_language,
    ),
    Command(
        names=("exit", "fine"),
        texts=command_texts.EXIT,
        example="exit",
        run=_exit,
    ),
)
