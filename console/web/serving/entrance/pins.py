"""Who checks the PINs of a page's people: the table's service, or in the room this process."""

import asyncio
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from console.line.access.login import EnteredPerson, LoginResult, PinLogin
from console.line.access.people import ANY_AGE, PinAge, read_people_stamp
from console.line.requests import NoCode
from console.service.disk_thread import DiskThread
from console.web.messages import LONGEST_TYPED, PinAnswer, PinRequest

LONG = LoginResult("?", refused=NoCode.WRONG_PIN, why="name or PIN is too long")


class PagePins(Protocol):
    """Checks names and PINs. All methods run on the event loop."""

    @property
    def people(self) -> str:
        """What differs after every change of the file of people: then all enter again."""

    async def check(self, name: str, pin: str) -> LoginResult:
        """Check them. Few at a time: whoever asks has a turn."""

    def close(self) -> None:
        """Finish the checks under way. Raises TimeoutError if the disk hangs."""


OpenPins = Callable[[], PagePins]
"""Begins the checking of PINs, on the event loop."""


class FilePins:
    """Reads a file of people itself, and counts wrong PINs in another."""

    def __init__(
        self, people: Path, attempts: Path, now: Callable[[], float], age: PinAge = ANY_AGE
    ) -> None:
        """`now`: seconds of the monotonic clock. Created on the event loop it runs on."""
        loop = asyncio.get_running_loop()
        self._file = people
        self._login = PinLogin(
            people,
            attempts,
            DiskThread(loop, name="pins"),
            lambda: round(now() * 1000),
            loop.call_later,
            age,
        )

    @property
    def people(self) -> str:
        """See PagePins."""
        try:
            return read_people_stamp(self._file)
        except OSError:
            return ""

    async def check(self, name: str, pin: str) -> LoginResult:
        """See PagePins."""
        answer: asyncio.Future[LoginResult] = asyncio.get_running_loop().create_future()

        def set_answer(result: LoginResult) -> None:
            if not answer.done():
                answer.set_result(result)

        self._login.enter(name, pin, set_answer)
        return await answer

    def close(self) -> None:
        """See PagePins."""
        self._login.close()


class ServicePins:
    """Asks the table's service, which alone reads the file of people, and counts."""

    def __init__(self, ask: Callable[[PinRequest], None]) -> None:
        """`ask`: sends to the service."""
        self._ask = ask
        self._waiting: dict[int, asyncio.Future[LoginResult]] = {}
        self._people = ""

    @property
    def people(self) -> str:
        """See PagePins."""
        return self._people

    def on_people(self, stamp: str) -> None:
        """The service has looked at its file of people."""
        self._people = stamp

    def on_answer(self, answer: PinAnswer) -> None:
        """The service has checked a PIN."""
        self.on_people(answer.people)
        waiting = self._waiting.pop(answer.to, None)
        if waiting is None or waiting.done():
            return
        person = None
        if answer.duties:  # without the line's own end of an entry: a page's session has its own
            person = EnteredPerson(answer.name, answer.duties, 0, answer.on_record, answer.pin_ends)
        waiting.set_result(
            LoginResult(
                answer.name,
                answer.on_record,
                person,
                refused=answer.refused,
                why=answer.why,
                wait_s=answer.wait_s,
                wrong=answer.wrong,
                recorded=answer.recorded,
                people=answer.people,
            )
        )

    async def check(self, name: str, pin: str) -> LoginResult:
        """See PagePins."""
        if max(len(name), len(pin)) > LONGEST_TYPED:
            return LONG
        number = secrets.randbits(53)  # no answer to a process before this one is taken for ours
        answer: asyncio.Future[LoginResult] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        self._ask(PinRequest(number, name, pin))
        try:
            return await answer
        finally:
            self._waiting.pop(number, None)

    def close(self) -> None:
        """See PagePins."""
