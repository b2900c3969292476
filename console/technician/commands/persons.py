"""`enter` and `leave`: a person by name and PIN, on this connection."""

from collections.abc import Sequence

from console.line.requests import Done, Leave
from console.technician.arguments import none_expected
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
    none_expected(session, words)
    await ask_table(session, Leave(), Done)
    await session.talk.say(session.words("Nessuno è entrato.", "Nobody has entered."))


COMMANDS = (
    Command(
        names=("enter", "entra"),
        arguments=Words("[NOME]", "[NAME]"),
        summary=Words("entrare con nome e PIN", "enter with name and PIN"),
        help=Words(
            "Serve per fare: guardare è libero. Il PIN non si vede. Vale 10 minuti\n"
            "su questa linea, poi si chiede di nuovo. Chi è entrato sta nel prompt.\n"
            "Le persone si iscrivono sulla macchina, come root: banco enrol.",
            "Needed for doing: looking is open. The PIN is not shown. It holds for\n"
            "10 minutes on this line, then it is asked for again. Who has entered\n"
            "stands in the prompt. People are enrolled on the machine, as root:\n"
            "banco enrol.",
        ),
        example="enter anna",
        run=_enter,
    ),
    Command(
        names=("leave", "lascia"),
        arguments=Words("", ""),
        summary=Words("uscire, la linea resta aperta", "leave; the line stays open"),
        help=Words(
            "Chi è entrato esce; le uscite comandate a mano si spengono.",
            "Who has entered leaves; outputs driven by hand are let go.",
        ),
        example="leave",
        run=_leave,
    ),
)
