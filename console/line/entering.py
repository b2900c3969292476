"""Coming in at the desk: the door tries the PIN, the journal keeps who came, or who did not."""

import asyncio

from console.line.access.login import Entrance, LoginDesk, Person
from console.line.reported_acts import ANSWER_S, NotDone, ReportedActs
from console.line.requests import NoCode
from console.line.sessions import Leaving
from console.rules.acts import Entered, EntryRefused, Left


async def entrance(door: LoginDesk | None, name: str, pin: str) -> Entrance:
    """What the door says of a name and a PIN. Raises NotDone if it says nothing, or is none."""
    if door is None:
        raise NotDone(NoCode.CANNOT, "nobody can enter here")
    heard: asyncio.Future[Entrance] = asyncio.get_running_loop().create_future()

    def told(entrance: Entrance) -> None:
        if not heard.done():
            heard.set_result(entrance)

    door.enter(name, pin, told)
    try:
        async with asyncio.timeout(ANSWER_S):
            return await heard
    except TimeoutError as error:
        raise NotDone(NoCode.NO_ANSWER, "the disk does not answer; nobody entered") from error


async def recorded(entrance: Entrance, acting: ReportedActs) -> Person:
    """Put it on record where it belongs there; who has entered. Raises NotDone for nobody."""
    person = entrance.person
    if person is None:
        if entrance.recorded:
            acting.service.report(EntryRefused(entrance.name, entrance.wrong, entrance.wait_s))
        raise NotDone(entrance.refused or NoCode.CANNOT, entrance.why)
    try:
        await acting.settled(Entered(person.name, person.duties))
    except NotDone:
        acting.service.report(Left(person.name, Leaving.UNANSWERED.value))
        raise
    return person
