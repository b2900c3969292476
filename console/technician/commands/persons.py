"""`enter` and `leave`: login and logout on this connection."""

from collections.abc import Sequence

from console.line.requests import Done, LogOut
from console.technician.command import Command, TechnicianSession, check_no_arguments
from console.technician.table_requests import ask_table, enter
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


COMMANDS = (
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
