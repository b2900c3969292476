"""Outputs driven by hand while a command runs; however it ends, they are released."""

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
    NotDone,
)
from console.rules.codes import Refusal
from console.rules.drive import Drive
from console.technician.command import TechnicianSession
from console.technician.table_requests import ask_status, ask_table, ask_with_login
from console.texts.technician import session_texts
from devices.device import Device
from devices.figures import InputFigures
from devices.roles import SEATS

HELD_S = 120.0
"""An output stays driven this long if no key is pressed."""

LOOK_EVERY_S = 0.5

RELEASED_BY_TABLE = frozenset({NoCode.NOT_ENTERED, NoCode.NOT_YOUR_DUTY, NoCode.NO_POWER})
"""The codes of a refusal after which nothing is driven: the login has ended, or the power."""


class ManualOutputs:
    """The outputs that the technician drives; see `drive_by_hand`."""

    def __init__(self, session: TechnicianSession) -> None:
        self._session = session
        self._driving = False

    async def drive(self, drive: Drive) -> None:
        """Drive exactly these outputs; ask for name and PIN first if nobody is logged in.

        Raises NotDone, Unreachable, Interrupted, Hung.
        """
        before, self._driving = self._driving, True  # the answer may be lost although it drives
        try:
            await ask_with_login(self._session, DriveOutputs(drive), Done)
        except NotDone as error:
            self._driving = before or error.no.code == NoCode.NO_ANSWER
            if error.no.code == Refusal.NOT_IN_SERVICE.value:
                await show_key_and_phase(self._session)
            raise

    async def release(self) -> None:
        """Give the outputs back to the table, if any are driven.

        Raises NotDone if they may still be driven, which is printed, and Unreachable.
        """
        if not self._driving:
            return
        try:
            await ask_table(self._session, DriveOutputs(None), Done)
        except NotDone as error:
            if error.no.code not in RELEASED_BY_TABLE:
                words = self._session.words(session_texts.OUTPUTS_MAY_STILL_BE)
                await self._session.talk.say(words)
                raise
        self._driving = False


@asynccontextmanager
async def drive_by_hand(session: TechnicianSession) -> AsyncIterator[ManualOutputs]:
    """Drive outputs within the block; they are released at its end."""
    outputs = ManualOutputs(session)
    try:
        yield outputs
    finally:
        await outputs.release()


async def show_key_and_phase(session: TechnicianSession) -> None:
    """Print the key's position and the phase. The refusal says what to do."""
    status = await ask_status(session)
    key = status.key or "?"
    await session.talk.say(
        session.words(
            session_texts.NOW_KEY_AT_TABLE.fill(key, status.phase),
        )
    )


async def read_inputs(session: TechnicianSession) -> dict[str, InputFigures]:
    """Ask for all inputs, by name."""
    answer = await ask_table(session, AskInputs(), Inputs)
    return {one.name: one for one in answer.inputs}


async def read_dead_lamps(session: TechnicianSession) -> frozenset[int]:
    """Return the seats whose slot lamp draws no current when lit, as the rail's board reports."""
    return await _read_seats(session, "dead lamps")


async def read_open_gates(session: TechnicianSession) -> frozenset[int]:
    """Return the seats whose gate the rail's board holds open now."""
    return await _read_seats(session, "open gates")


async def _read_seats(session: TechnicianSession, what: str) -> frozenset[int]:
    """Return the seats that the rail's board reports in its state under a name."""
    answer = await ask_table(session, AskDevices(), Devices)
    listed = [one.state.get(what, "") for one in answer.devices if one.device is Device.RAIL]
    return frozenset(seat for seat in SEATS for seats in listed if str(seat) in seats.split())


def begins_a_command(key: str) -> bool:
    """Return whether a key may be the first letter of the next command."""
    return key.isprintable() and key not in " qQ"


async def wait_for_key(session: TechnicianSession, lit: frozenset[int] = frozenset()) -> str | None:
    """Wait for a key; meanwhile warn of lit slot lamps that draw no current.

    Returns None if no key came, or if the outputs are no longer driven, which is printed.
    """
    reported: frozenset[int] = frozenset()
    deadline = asyncio.get_running_loop().time() + HELD_S
    while asyncio.get_running_loop().time() < deadline:
        key = await session.talk.key(LOOK_EVERY_S)
        dead = await read_dead_lamps(session) & lit - reported if lit else frozenset[int]()
        if dead:
            reported |= dead
            await session.talk.say(_describe_dead_lamps(session, dead))
        if key is not None:
            return key
        if not (await ask_status(session)).driven:
            await session.talk.say(
                session.words(
                    session_texts.OUTPUTS_ARE_NO_LONGER,
                )
            )
            return None
    return None


def _describe_dead_lamps(session: TechnicianSession, seats: frozenset[int]) -> str:
    listed = " ".join(str(seat) for seat in sorted(seats))
    return session.words(
        session_texts.BOARD_SAYS_SLOT_LAMP.fill(listed),
    )
