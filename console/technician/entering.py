"""A person enters: name and PIN, asked at the terminal, checked by the service."""

from collections.abc import Iterable, Mapping

from console.line.client import Unreachable
from console.line.refusals import refusal_lines
from console.line.requests import Enter, No, Person
from console.rules.codes import Duty
from console.technician.command import TechnicianSession
from console.texts.display import Language, Words

DUTIES: Mapping[Duty, Words] = {
    Duty.TECHNICIAN: Words("tecnico", "technician"),
    Duty.FLOOR_MANAGER: Words("capotavolo", "floor manager"),
    Duty.CASHIER: Words("cassiere", "cashier"),
}


async def enter(desk: TechnicianSession, name: str = "") -> bool:
    """Ask for name and PIN; whether that person has entered. Nothing typed: no.

    Raises Unreachable, Interrupted, Hung.
    """
    if not name:
        await desk.talk.say(
            desk.words(
                "Bisogna entrare con nome e PIN (Invio: lascia stare).",
                "This needs a name and a PIN (Enter: leave it).",
            )
        )
        name = await desk.talk.ask(desk.words("Nome: ", "Name: "))
    if not name:
        return False
    pin = await desk.talk.ask("PIN: ", hidden=True)
    if not pin:
        return False
    answer = await desk.table.ask(Enter(name, pin))
    if isinstance(answer, No):
        await desk.talk.say(*refusal_lines(answer, desk.language))
        return False
    if not isinstance(answer, Person):
        raise Unreachable(f"an answer of another kind came: {type(answer).__name__}")
    await desk.talk.say(_welcome(desk, answer))
    return True


def duties_told(duties: Iterable[Duty], language: Language) -> str:
    """What somebody may do, in words."""
    return ", ".join(DUTIES[duty].in_(language) for duty in duties)


def _welcome(desk: TechnicianSession, person: Person) -> str:
    duties = duties_told(person.duties, desk.language)
    minutes = max(1, round(person.left_s / 60))
    return desk.words(
        f"Entra {person.name} ({duties}), per {minutes} minuti.",
        f"{person.name} has entered ({duties}), for {minutes} minutes.",
    )
