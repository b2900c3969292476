"""Login by name and PIN, valid for ten minutes.

Nothing here blocks the event loop: a disk thread checks PINs and reads and writes files. While a
name must wait, nothing is checked, written or recorded. A name without an account of its own
(`SHARED`) is still checked, one at a time: the right PIN enters, and all others get the same
treatment and the same answer.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import msgspec
from msgspec import Struct

from console.configuration.person_names import is_name
from console.configuration.whole_file import write_whole
from console.line.access.delays import REMEMBERED, SHARED, Attempts, WrongCounts, delay_s
from console.line.access.people import (
    ANY_AGE,
    MOST_PEOPLE,
    People,
    PinAge,
    describe_too_old,
    load_people,
    on_record,
    read_people_stamp,
)
from console.line.access.pins import LONGEST, PinHash, make_unmatched_hash
from console.line.requests import NoCode
from console.rules.acts import EntryRefused, PinTooOld
from console.rules.codes import Duty
from console.service.disk_thread import DiskWriter
from jackpot.failures import Failure, Refused
from jackpot.named_files import open_regular

ATTEMPTS_FILE = "wrong-pins.json"
PAGE_ATTEMPTS_FILE = "page-wrong-pins.json"
"""In the ledger's folder. Two files: wrong PINs from the network keep nobody out of the line."""

LONGEST_FILE = 8 * 1024
MODE = 0o600

_Counts = dict[str, Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]]

log = logging.getLogger(__name__)

SESSION_MS = 10 * 60 * 1000
"""How long a login is valid, whatever is done meanwhile."""

PINS_OF_PAGES = 4
"""Most PINs of the supervisor's page at a time."""

QUEUED = 16 + PINS_OF_PAGES
"""Most PINs checked at a time: as many as the line has connections, and those of the page."""

SHARED_EVERY_MS = 250
"""The pause between two PINs under the shared account; each of them writes to the disk."""

NO_NAME = "?"
"""Recorded instead of a name that nobody enrolled has: it may be a PIN, or anybody's name."""

WRONG_OR_WAITS = (
    "name or PIN is wrong, or too many wrong PINs were given under it: try again a little later"
)
"""The answer under the shared account, where a person's own delay is not shown."""


class _CountsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`WrongCounts` as stored."""

    answered: _Counts
    people: _Counts


def load_counts(file: Path) -> WrongCounts:
    """Read the counts; empty if there is no file.

    A damaged file counts as empty, and that is logged: a power cut cannot damage it, and anybody
    else who can write there needs no PIN.
    """
    try:
        with open_regular(file) as opened:
            stored = msgspec.json.decode(opened.read(LONGEST_FILE), type=_CountsFile)
        _check([name for name in stored.answered if name != SHARED], REMEMBERED)
        _check(stored.people, MOST_PEOPLE)
    except FileNotFoundError:
        return WrongCounts()
    except (OSError, ValueError) as error:  # msgspec's errors are ValueErrors
        log.error("%s: earlier wrong PINs are forgotten: %s", file, error)
        return WrongCounts()
    return WrongCounts(stored.answered, stored.people)


def save_counts(file: Path, counts: WrongCounts) -> None:
    """Write the file as a whole. Raises OSError."""
    write_whole(file, msgspec.json.encode(counts), mode=MODE)


def _check(names: Collection[str], at_most: int) -> None:
    if len(names) > at_most or not all(map(is_name, names)):
        raise ValueError("too many names, or an invalid one")


NOBODY: Mapping[str, str] = MappingProxyType({})


class PinCheck(Struct, frozen=True):
    """The result of checking a PIN."""

    duties: tuple[Duty, ...] | None = None
    """The person's duties if the PIN is right; None if it is wrong."""

    too_old: bool = False
    """Whether the PIN is right, and opens nothing any more."""

    ends: str = ""
    """The last day of a right PIN, if it is near."""

    people: Mapping[str, str] = NOBODY
    """What a record calls each enrolled person, by name."""

    cannot: str = ""
    """Why no PIN could be checked; "" if it was."""

    stamp: str = ""
    """What differs after every change of the file of people; it was read as it was then."""


class PinChecker:
    """Checks PINs, in a disk thread; reads the file of people again whenever it has changed."""

    def __init__(self, file: Path, age: PinAge) -> None:
        self._file = file
        self._age = age
        self._stamp = ""
        self._people: People = {}
        self._cannot = ""
        self._unmatched: PinHash = make_unmatched_hash()

    def check_pin(self, name: str, pin: str) -> PinCheck:
        """Check a PIN. For an unknown name an unmatched hash is checked, which takes as long.

        Raises OSError if the file's folder cannot be accessed.
        """
        self._reload()
        stamp = self._stamp
        if self._cannot:
            return PinCheck(cannot=self._cannot, stamp=stamp)
        person = self._people.get(name)
        is_right = (person.pin if person else self._unmatched).matches(pin)
        people = {one: on_record(one, self._people[one]) for one in self._people}
        if person is None or not is_right:
            return PinCheck(people=people, stamp=stamp)
        too_old, ends = self._age.is_too_old(person), self._age.ends_soon(person)
        return PinCheck(person.duties, too_old, ends, people, stamp=stamp)

    def read_stamp(self) -> str:
        """Return what differs after every change of the file. Raises OSError."""
        return read_people_stamp(self._file)

    def _reload(self) -> None:
        """Read the file if it has changed, or could not be read before.

        What is wrong in it stays wrong until it changes. A disk or a process that cannot read may
        do so the next time: that costs one more attempt to open a small file for each PIN.
        """
        stamp = self.read_stamp()
        if stamp == self._stamp:
            return
        try:
            self._people = load_people(self._file)
        except Failure as error:
            self._stamp = stamp if isinstance(error, Refused) else ""
            if str(error) != self._cannot:
                log.error("nobody can enter: %s", error)
            self._people, self._cannot = {}, str(error)
            return
        self._stamp = stamp
        self._cannot = "" if self._people else f"nobody is enrolled in {self._file} (banco enrol)"
        costs = [person.pin.cost for person in self._people.values()]
        if costs:
            self._unmatched = make_unmatched_hash(max(costs, key=lambda cost: cost.work))


class EnteredPerson(Struct, frozen=True):
    """A person who is logged in."""

    name: str
    duties: tuple[Duty, ...]
    until_ms: int
    """When the login expires, in ms of the monotonic clock."""

    on_record: str
    """What a record calls the person."""

    pin_ends: str = ""
    """The last day on which the PIN opens, such as `2026-12-12`, if it is near."""


class LoginResult(Struct, frozen=True):
    """The result of an attempt to log in."""

    name: str
    """The name for the answer."""

    on_record: str = NO_NAME
    """What a record calls the person."""

    person: EnteredPerson | None = None
    """The person who is logged in now; None if refused."""

    refused: str | None = None
    """A NoCode: WRONG_PIN, PIN_TOO_OLD, WAIT, or CANNOT (no list of people can be used)."""

    why: str = ""
    """The reason in English, for the answer."""

    wait_s: int = 0
    """For how many seconds no further PIN is checked for this name."""

    wrong: int = 0
    """Wrong PINs since the last right one, including this one."""

    recorded: bool = False
    """Whether the attempt is recorded; attempts made while the name waits are not."""

    people: str = ""
    """What differs after every change of the file of people, as the person's PIN was read."""


def make_refusal(result: LoginResult, uid: int | None) -> EntryRefused | PinTooOld:
    """What goes on record of somebody who was not let in; `uid`: of the process that asked."""
    if result.refused == NoCode.PIN_TOO_OLD:
        return PinTooOld(result.on_record, uid)
    return EntryRefused(result.on_record, result.wrong, result.wait_s, uid)


OnLogin = Callable[[LoginResult], None]
CallLater = Callable[[float, Callable[[], None]], object]


class _Attempt(Struct, frozen=True):
    """An attempt under way."""

    name: str
    """The name for the answer."""

    typed: str
    """The name as it was typed, in lower case."""

    pin: str
    account: str
    """The account under which the answers count."""

    on_login: OnLogin


class PinLogin:
    """Logs people in by name and PIN. All methods run on the event loop."""

    def __init__(
        self,
        people: Path,
        attempts: Path,
        disk_writer: DiskWriter,
        now: Callable[[], int],
        later: CallLater,
        age: PinAge = ANY_AGE,
    ) -> None:
        """`people`: the file of enrolled people; `attempts`: the file of wrong PINs.

        `disk_writer` is closed with the login. `now` returns monotonic milliseconds. `later` is an
        event loop's `call_later`.
        """
        self._pin_checker = PinChecker(people, age)
        self._file = attempts
        self._disk_writer = disk_writer
        self._now = now
        self._later = later
        self._attempts = Attempts(load_counts(attempts), now())
        self._saved = self._attempts.counts()
        self._busy: set[str] = set()
        self._next_shared = now()
        self._closed = False

    def enter(self, name: str, pin: str, on_login: OnLogin) -> None:
        """Check a PIN. `on_login` is called once with the result, at once or later."""
        typed = name.strip().lower()
        valid = is_name(typed)
        now = self._now()
        account = self._attempts.account(typed, self._busy, now) if valid else SHARED
        recorded = typed if valid else NO_NAME
        wait_ms = self._attempts.wait_ms(account, now)
        if wait_ms or recorded in self._busy or len(self._busy) >= QUEUED:
            wait_s = max(1, -(-wait_ms // 1000))
            on_login(_make_wait(recorded, wait_s, self._attempts.answered.count(account)))
            return
        self._busy.add(recorded)
        attempt = _Attempt(recorded, typed, pin[: LONGEST + 1], account, on_login)
        pause_ms = self._turn_of_shared(now) if account == SHARED else 0
        if pause_ms:
            self._later(pause_ms / 1000, partial(self._check, attempt))
        else:
            self._check(attempt)

    def watch_people(self, on_stamp: Callable[[str], None]) -> None:
        """Call `on_stamp` later with what differs after every change of the file of people."""

        def on_unreadable(_: Exception) -> None:  # the next PIN is answered with the reason
            on_stamp("unreadable")

        if not self._closed:
            self._disk_writer.do(self._pin_checker.read_stamp, on_stamp, on_unreadable)

    def close(self) -> None:
        """Finish the checks under way. Raises TimeoutError if the disk hangs."""
        self._closed = True
        self._disk_writer.close()

    def _turn_of_shared(self, now: int) -> int:
        """Return how long the next attempt under the shared account waits, in ms."""
        turn = max(now, self._next_shared)
        self._next_shared = turn + SHARED_EVERY_MS
        return turn - now

    def _check(self, attempt: _Attempt) -> None:
        if not self._closed:
            self._disk_writer.do(
                partial(self._pin_checker.check_pin, attempt.typed, attempt.pin),
                partial(self._on_checked, attempt),
                partial(self._on_not_checked, attempt),
            )

    def _on_checked(self, attempt: _Attempt, checked: PinCheck) -> None:
        is_read = self._attempts.is_delay_over(attempt.typed, self._now())
        if checked.cannot:
            self._answer(
                attempt, LoginResult(attempt.name, refused=NoCode.CANNOT, why=checked.cannot)
            )
        elif checked.duties is None or not is_read:
            self._attempts.people.keep_only(checked.people)
            person_read = attempt.typed if attempt.typed in checked.people and is_read else None
            who = checked.people.get(attempt.typed, NO_NAME)
            self._save_and_answer(attempt, self._refuse(attempt, who, person_read))
        else:
            before = self._attempts.people.count(attempt.typed)
            self._attempts.add_right(attempt.account, attempt.typed)
            self._save_and_answer(attempt, self._admit(attempt, checked, checked.duties, before))

    def _admit(
        self, attempt: _Attempt, checked: PinCheck, duties: tuple[Duty, ...], before: int
    ) -> LoginResult:
        """`before`: wrong PINs before this right one, which may be too old."""
        name, who = attempt.name, checked.people[attempt.typed]
        if checked.too_old:
            why = describe_too_old(name)
            return LoginResult(name, who, refused=NoCode.PIN_TOO_OLD, why=why, recorded=True)
        person = EnteredPerson(name, duties, self._now() + SESSION_MS, who, checked.ends)
        return LoginResult(name, who, person, wrong=before, recorded=True, people=checked.stamp)

    def _refuse(self, attempt: _Attempt, who: str, person_read: str | None) -> LoginResult:
        """`who`: for the record. `person_read`: whose PIN was read. Neither changes the answer."""
        wrong = self._attempts.add_wrong(attempt.account, self._now(), person=person_read)
        shared = attempt.account == SHARED
        wait_s = delay_s(wrong.count) if wrong is not None and not shared else 0
        may_wait = shared and attempt.name != NO_NAME
        return LoginResult(
            attempt.name,
            who,
            refused=NoCode.WRONG_PIN,
            why=WRONG_OR_WAITS if may_wait else f"name or PIN is wrong{_for_seconds(wait_s)}",
            wait_s=wait_s,
            wrong=self._attempts.answered.count(attempt.account),
            recorded=wrong is not None,
        )

    def _on_not_checked(self, attempt: _Attempt, error: Exception) -> None:
        log.error("a PIN cannot be checked: %s", error)
        self._answer(attempt, LoginResult(attempt.name, refused=NoCode.CANNOT, why=str(error)))

    def _save_and_answer(self, attempt: _Attempt, result: LoginResult) -> None:
        """Save the counts, then answer, so that pulling the plug in between reveals nothing.

        Each refusal is saved even if no count has changed, so that the time reveals nothing.
        """
        counts = self._attempts.counts()
        if result.person is not None and counts == self._saved:
            self._answer(attempt, result)
            return

        def on_saved(_: None) -> None:
            self._saved = counts
            self._answer(attempt, result)

        def on_not_saved(error: Exception) -> None:
            log.error("wrong PINs cannot be saved for the next start: %s", error)
            self._answer(attempt, result)

        self._disk_writer.do(partial(save_counts, self._file, counts), on_saved, on_not_saved)

    def _answer(self, attempt: _Attempt, result: LoginResult) -> None:
        self._busy.discard(attempt.name)
        attempt.on_login(result)


def _make_wait(name: str, wait_s: int, wrong: int) -> LoginResult:
    return LoginResult(
        name,
        refused=NoCode.WAIT,
        why=f"no PIN is read for this name{_for_seconds(wait_s)}",
        wait_s=wait_s,
        wrong=wrong,
    )


def _for_seconds(wait_s: int) -> str:
    return f"; wait {wait_s} s" if wait_s else ""
