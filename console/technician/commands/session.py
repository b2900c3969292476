"""`language` and `exit`: the session's language and its end."""

from collections.abc import Sequence

from console.line.requests import Status
from console.technician.command import Command, TechnicianSession
from console.texts.language import Language
from console.texts.technician import command_texts, session_texts
from jackpot.failures import Refused


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
