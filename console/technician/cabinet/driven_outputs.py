"""Outputs driven by hand for as long as a command runs; whatever ends it, they are let go."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from console.line.requests import (
    AskDevices,
    AskInputs,
    Devices,
    Done,
    DriveOutputs,
    Inputs,
    NoCode,
)
from console.rules.codes import Refusal
from console.rules.drive import Drive
from console.technician.command import TechnicianSession
from console.technician.table_requests import (
    RequestRefused,
    ask_status,
    ask_table,
    ask_with_login,
)
from devices.device import Device
from devices.figures import InputFigures
from devices.roles import SEATS

HELD_S = 120.0
"""So long an output stays driven when no key comes."""

LOOK_EVERY_S = 0.5


class ManualOutputs:
    """The technician's hand on the outputs; made by `drive_by_hand`."""

    def __init__(self, session: TechnicianSession) -> None:
        self._session = session
        self._driving = False

    async def drive(self, drive: Drive) -> None:
        """Drive exactly these; where nobody has entered, that is offered.

        Raises RequestRefused, which says what is missing, and Unreachable.
        """
        before, self._driving = self._driving, True  # an answer may be lost, and the drive not
        try:
            await ask_with_login(self._session, DriveOutputs(drive), Done)
        except RequestRefused as error:
            self._driving = before or error.no.code == NoCode.NO_ANSWER
            if error.no.code == Refusal.NOT_IN_SERVICE.value:
                await show_key_and_phase(self._session)
            raise

    async def release(self) -> None:
        """The table shows again what it would; nothing where nothing is driven."""
        if self._driving:
            self._driving = False
            await self._session.table.ask(DriveOutputs(None))


@asynccontextmanager
async def drive_by_hand(session: TechnicianSession) -> AsyncIterator[ManualOutputs]:
    """A hand on the outputs, let go at the end."""
    hand = ManualOutputs(session)
    try:
        yield hand
    finally:
        await hand.release()


async def show_key_and_phase(session: TechnicianSession) -> None:
    """Where key and table stand: what must be done about it, the refusal says."""
    status = await ask_status(session)
    key = status.key or "?"
    await session.talk.say(
        session.words(
            f"Ora: chiave in {key}, tavolo in {status.phase}.",
            f"Now: key at {key}, table {status.phase}.",
        )
    )


async def read_inputs(session: TechnicianSession) -> dict[str, InputFigures]:
    """Every input by its name."""
    told = await ask_table(session, AskInputs(), Inputs)
    return {one.name: one for one in told.inputs}


async def read_dead_lamps(session: TechnicianSession) -> frozenset[int]:
    """The seats whose slot lamp, says the rail's board, draws no current when it should."""
    return await _read_seats(session, "dead lamps")


async def read_open_gates(session: TechnicianSession) -> frozenset[int]:
    """The seats whose gate, says the rail's board, it holds open now."""
    return await _read_seats(session, "open gates")


async def _read_seats(session: TechnicianSession, what: str) -> frozenset[int]:
    """The seats that the rail's board tells in its state under this name."""
    told = await ask_table(session, AskDevices(), Devices)
    listed = [one.state.get(what, "") for one in told.devices if one.device is Device.RAIL]
    return frozenset(seat for seat in SEATS for seats in listed if str(seat) in seats.split())


def begins_a_command(key: str) -> bool:
    """Whether a key that ended something is the first letter of what is typed next."""
    return key.isprintable() and key not in " qQ"


async def wait_for_key(session: TechnicianSession, lit: frozenset[int] = frozenset()) -> str | None:
    """The key that ends it; meanwhile say which of the slot lamps lit draw no current.

    None: no key came, or the outputs are no longer driven (and that is said).
    """
    told: frozenset[int] = frozenset()
    deadline = asyncio.get_running_loop().time() + HELD_S
    while asyncio.get_running_loop().time() < deadline:
        key = await session.talk.key(LOOK_EVERY_S)
        dead = await read_dead_lamps(session) & lit - told if lit else frozenset[int]()
        if dead:
            told |= dead
            await session.talk.say(_describe_dead_lamps(session, dead))
        if key is not None:
            return key
        if not (await ask_status(session)).driven:
            await session.talk.say(
                session.words(
                    "le uscite non sono piu' comandate: chiave via da S, o tempo scaduto",
                    "the outputs are no longer driven: the key has left S, or time is up",
                )
            )
            return None
    return None


def _describe_dead_lamps(session: TechnicianSession, seats: frozenset[int]) -> str:
    told = " ".join(str(seat) for seat in sorted(seats))
    return session.words(
        f"! la scheda dice: la lampada dello slot {told} non assorbe corrente",
        f"! the board says: the slot lamp of seat {told} draws no current",
    )
