"""Login by name and PIN: whoever gives both has entered for ten minutes.

Nothing here holds the event loop: a disk writer tries PINs, and reads and writes files. While
a name must wait, nothing is tried, written or put on record. A name for whose wrong PINs there is
no room (`SHARED`) is still tried, one at a time: whoever has the right PIN enters, and everybody
else gets the same treatment and the same answer.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from console.line.access.attempts_file import load_counts, save_counts
from console.line.access.delays import SHARED, Attempts, delay_s
from console.line.access.people import is_name
from console.line.access.pin_checker import PinChecker, Tried
from console.line.access.pins import LONGEST
from console.line.requests import NoCode
from console.rules.codes import Duty
from console.service.disk_thread import DiskWriter

log = logging.getLogger(__name__)

SESSION_MS = 10 * 60 * 1000
"""A person is entered for so long from the PIN on, whatever is done meanwhile."""

QUEUED = 16
"""PINs that may be under way at a time: as many as the line has connections, so nobody is crowded
out there."""

SHARED_EVERY_MS = 250
"""The time from one PIN under the shared account to the next: the disk is written at each."""

NO_NAME = "?"
"""What stands on record for what cannot be a name: a PIN typed there, or noise."""


@dataclass(frozen=True, slots=True)
class EnteredPerson:
    """Somebody who has entered, until `until_ms` of the monotonic clock."""

    name: str
    duties: tuple[Duty, ...]
    until_ms: int


@dataclass(frozen=True, slots=True)
class LoginResult:
    """What came of a name and a PIN; `why` is English, for the answer.

    `person`: who has entered; None: `refused` says why: a NoCode, WRONG_PIN, WAIT or CANNOT
    (nobody is enrolled, or the file cannot be used). `name`: as it goes on record. `wait_s`: for so
    long no PIN is read for this name. `wrong`: wrong PINs since the last right one, this one
    counted. `recorded`: whether it goes on record; attempts made while waiting do not.
    """

    name: str
    person: EnteredPerson | None = None
    refused: str | None = None
    why: str = ""
    wait_s: int = 0
    wrong: int = 0
    recorded: bool = False


OnLogin = Callable[[LoginResult], None]
CallLater = Callable[[float, Callable[[], None]], object]

WRONG_OR_WAITS = (
    "name or PIN is wrong, or too many wrong PINs were given under it: try again a little later"
)
"""Answered for a name for which there is no room, and which may have its own delay unseen."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An attempt under way: under which account it is answered, and who wants to know.

    `given`: the name as it was typed; `name`: as it goes on record.
    """

    name: str
    given: str
    pin: str
    account: str
    on_login: OnLogin


class PinLogin:
    """Lets people in by name and PIN; all its methods run on the event loop."""

    def __init__(
        self,
        people: Path,
        attempts: Path,
        disk_writer: DiskWriter,
        now: Callable[[], int],
        later: CallLater,
    ) -> None:
        """`people`: who is enrolled; `attempts`: where wrong PINs outlive a start.

        `disk_writer` is this login's own, closed with it. `now`: milliseconds, monotonic. `later`:
        as an event loop's `call_later`.
        """
        self._pin_checker = PinChecker(people)
        self._file = attempts
        self._disk_writer = disk_writer
        self._now = now
        self._later = later
        self._attempts = Attempts(load_counts(attempts), now())
        self._written = self._attempts.counts()
        self._busy: set[str] = set()
        self._next_shared = now()
        self._closed = False

    def enter(self, name: str, pin: str, on_login: OnLogin) -> None:
        """Try a PIN. `on_login` is called once with the result, at once or later."""
        given = name.strip().lower()
        known = is_name(given)
        now = self._now()
        account = self._attempts.account(given, self._busy, now) if known else SHARED
        shown = given if known else NO_NAME
        wait_ms = self._attempts.wait_ms(account, now)
        if wait_ms or shown in self._busy or len(self._busy) >= QUEUED:
            on_login(
                _must_wait(shown, max(1, -(-wait_ms // 1000)), self._attempts.answered(account))
            )
            return
        self._busy.add(shown)
        asked = _Attempt(shown, given, pin[: LONGEST + 1], account, on_login)
        pause_ms = self._turn_of_shared(now) if account == SHARED else 0
        if pause_ms:
            self._later(pause_ms / 1000, partial(self._try, asked))
        else:
            self._try(asked)

    def close(self) -> None:
        """Finish what is under way. Raises TimeoutError where the disk hangs."""
        self._closed = True
        self._disk_writer.close()

    def _turn_of_shared(self, now: int) -> int:
        """How long, in ms, the next one under the shared account waits for its turn."""
        turn = max(now, self._next_shared)
        self._next_shared = turn + SHARED_EVERY_MS
        return turn - now

    def _try(self, asked: _Attempt) -> None:
        if not self._closed:
            self._disk_writer.do(
                partial(self._pin_checker.try_pin, asked.given, asked.pin),
                partial(self._tried, asked),
                partial(self._not_tried, asked),
            )

    def _tried(self, asked: _Attempt, tried: Tried) -> None:
        is_read = self._attempts.is_read(asked.given, self._now())
        if tried.cannot:
            self._tell(asked, LoginResult(asked.name, refused=NoCode.CANNOT, why=tried.cannot))
        elif tried.duties is None or not is_read:
            self._attempts.enrolled(tried.people)
            whose = asked.given if asked.given in tried.people and is_read else None
            self._keep(asked, self._wrong(asked, whose))
        else:
            person = EnteredPerson(asked.name, tried.duties, self._now() + SESSION_MS)
            before = self._attempts.of_person(asked.given)
            self._attempts.right(asked.account, asked.given)
            self._keep(asked, LoginResult(asked.name, person, wrong=before, recorded=True))

    def _wrong(self, asked: _Attempt, whose: str | None) -> LoginResult:
        """`whose`: the person whose PIN was read; it changes nothing in the answer."""
        wrong = self._attempts.wrong(asked.account, self._now(), person=whose)
        shared = asked.account == SHARED
        wait_s = delay_s(wrong.count) if wrong is not None and not shared else 0
        full = shared and asked.name != NO_NAME
        return LoginResult(
            asked.name,
            refused=NoCode.WRONG_PIN,
            why=WRONG_OR_WAITS if full else f"name or PIN is wrong{_for_seconds(wait_s)}",
            wait_s=wait_s,
            wrong=self._attempts.answered(asked.account),
            recorded=wrong is not None,
        )

    def _not_tried(self, asked: _Attempt, error: Exception) -> None:
        log.error("a PIN cannot be tried: %s", error)
        self._tell(asked, LoginResult(asked.name, refused=NoCode.CANNOT, why=str(error)))

    def _keep(self, asked: _Attempt, entrance: LoginResult) -> None:
        """Tell it when it is on the disk: who pulls the plug first has learnt nothing.

        Each refusal is written, whether it changed a count or not: the time would tell.
        """
        counts = self._attempts.counts()
        if entrance.person is not None and counts == self._written:
            self._tell(asked, entrance)
            return

        def kept(_: None) -> None:
            self._written = counts
            self._tell(asked, entrance)

        def not_kept(error: Exception) -> None:
            log.error("wrong PINs are not kept over a start: %s", error)
            self._tell(asked, entrance)

        self._disk_writer.do(partial(save_counts, self._file, counts), kept, not_kept)

    def _tell(self, asked: _Attempt, entrance: LoginResult) -> None:
        self._busy.discard(asked.name)
        asked.on_login(entrance)


def _must_wait(name: str, wait_s: int, wrong: int) -> LoginResult:
    return LoginResult(
        name,
        refused=NoCode.WAIT,
        why=f"no PIN is read for this name{_for_seconds(wait_s)}",
        wait_s=wait_s,
        wrong=wrong,
    )


def _for_seconds(wait_s: int) -> str:
    return f"; wait {wait_s} s" if wait_s else ""
