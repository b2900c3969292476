"""`enter` and `leave`: login and logout on this connection."""

from collections.abc import Sequence

from console.line.requests import Done, LogOut
from console.technician.arguments import check_no_arguments
from console.technician.command import Command, Misused, TechnicianSession
from console.technician.login import enter
from console.technician.table_requests import ask_table
from console.texts.language import Words


async def _enter(session: TechnicianSession, words: Sequence[str]) -> None:
    if len(words) > 1:
        raise Misused(
            session.words("il PIN si scrive dopo, nascosto", "the PIN is asked for, hidden")
        )
    name = words[0] if words else await session.talk.ask(session.words("Nome: ", "Name: "))
    if name:
        await enter(session, name)


async def _leave(session: TechnicianSession, words: Sequence[str]) -> None:
    check_no_arguments(session, words)
    await ask_table(session, LogOut(), Done)
    await session.talk.say(session.words("Nessuno è entrato.", "Nobody has entered."))


COMMANDS = (
    Command(
        names=("enter", "entra"),
        arguments=Words("[NOME]", "[NAME]"),
        summary=Words("entrare con nome e PIN", "enter with name and PIN"),
        help=Words(
            "Chiunque può guardare; per modificare servono nome e PIN. Il PIN non si\n"
            "vede. Vale 10 minuti su questa linea, poi è chiesto di nuovo. Il prompt\n"
            "mostra chi è entrato.\n"
            "Le persone si iscrivono sulla macchina, come root: banco enrol.",
            "Anyone may look; changes need a name and a PIN. The PIN is not shown. It\n"
            "is valid for 10 minutes on this line, then you are asked again. The\n"
            "prompt shows who has entered. People are enrolled on the machine, as\n"
            "root: banco enrol.",
        ),
        example="enter anna",
        run=_enter,
    ),
    Command(
        names=("leave", "lascia"),
        arguments=Words("", ""),
        summary=Words("uscire, la linea resta aperta", "leave; the line stays open"),
        help=Words(
            "Chi è entrato esce; le uscite comandate a mano sono rilasciate.",
            "Whoever has entered leaves; outputs driven by hand are released.",
        ),
        example="leave",
        run=_leave,
    ),
)
