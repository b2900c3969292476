"""Logs a person in: asks for name and PIN; the service checks them."""

from collections.abc import Iterable

from console.line.client import Unreachable
from console.line.refusals import refusal_lines
from console.line.requests import Enter, No, Person
from console.rules.codes import Duty
from console.technician.command import TechnicianSession
from console.texts.language import Language
from console.texts.table_texts import DUTIES


async def enter(session: TechnicianSession, name: str = "") -> bool:
    """Ask for name and PIN; return whether the person is logged in now.

    Raises Unreachable, Interrupted, Hung.
    """
    if not name:
        await session.talk.say(
            session.words(
                "Servono nome e PIN (Invio: annulla).",
                "This needs a name and a PIN (Enter: cancel).",
            )
        )
        name = await session.talk.ask(session.words("Nome: ", "Name: "))
    if not name:
        return False
    pin = await session.talk.ask("PIN: ", hidden=True)
    if not pin:
        return False
    answer = await session.table.ask(Enter(name, pin))
    if isinstance(answer, No):
        await session.talk.say(*refusal_lines(answer, session.language))
        return False
    if not isinstance(answer, Person):
        raise Unreachable(f"an answer of another kind came: {type(answer).__name__}")
    await session.talk.say(_welcome(session, answer))
    return True


def name_duties(duties: Iterable[Duty], language: Language) -> str:
    """Render duties in words."""
    return ", ".join(DUTIES[duty].in_(language) for duty in duties)


def _welcome(session: TechnicianSession, person: Person) -> str:
    duties = name_duties(person.duties, session.language)
    minutes = max(1, round(person.left_s / 60))
    return session.words(
        f"Entra {person.name} ({duties}), per {minutes} minuti.",
        f"{person.name} has entered ({duties}), for {minutes} minutes.",
    )
