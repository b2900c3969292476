"""`language` and `exit`: the session's language and its end."""

from collections.abc import Sequence

from console.line.requests import Status
from console.technician.command import Command, Misused, TechnicianSession
from console.texts.language import Language, Words


class Finished(Exception):
    """Raised by `exit`: ends the session."""


async def _language(session: TechnicianSession, words: Sequence[str]) -> None:
    known = {language.value: language for language in Language}
    if len(words) != 1 or words[0].lower() not in known:
        raise Misused(session.words("le lingue sono it e en", "the languages are it and en"))
    session.language = known[words[0].lower()]
    await session.talk.say(session.words("Italiano.", "English."))


def _complete_language(words: Sequence[str], _status: Status | None) -> Sequence[str]:
    return () if words else tuple(language.value for language in Language)


async def _exit(_session: TechnicianSession, _words: Sequence[str]) -> None:
    raise Finished


COMMANDS = (
    Command(
        names=("language", "lingua"),
        arguments=Words("it|en", "it|en"),
        summary=Words("la lingua di questa linea", "the language of this line"),
        help=Words(
            "Cambia la lingua di questa linea. Il display mantiene la sua: è\n"
            "un'impostazione (impostazioni language).",
            "Changes the language of this line. The display keeps its own: it is a\n"
            "setting (settings language).",
        ),
        example="language en",
        run=_language,
        complete=_complete_language,
    ),
    Command(
        names=("exit", "fine"),
        arguments=Words("", ""),
        summary=Words("chiude la sessione", "ends the session"),
        help=Words(
            "Chiude la sessione. Chi era entrato esce, e le uscite comandate a\n"
            "mano sono rilasciate.",
            "Ends the session. Whoever had entered leaves, and outputs driven by\n"
            "hand are released.",
        ),
        example="exit",
        run=_exit,
    ),
)
