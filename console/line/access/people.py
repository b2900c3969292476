"""The file of enrolled people: names, duties and hashed PINs. It belongs to root.

Beside it is the file of changes: what `banco enrol` and `banco pin` have done. The service puts
each on record. Nobody's PIN is in it.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from console.configuration.named_files import (
    FileUnusable,
    describe_unreadable,
    parse_toml,
    read_open_file,
    why_untrusted,
)
from console.configuration.person_names import NAME_RULE, NUMBER_RULE, is_name, is_number
from console.configuration.whole_file import Owner, write_whole
from console.line.access.pins import HASH_BYTES, SALT_BYTES, Cost, PinHash
from console.rules.acts import PeopleChange, PeopleChanged
from console.rules.codes import Duty
from jackpot.failures import Damaged, Refused, Unavailable
from jackpot.foreign_text import quote
from jackpot.named_files import open_regular
from jackpot.value_mistakes import describe_mistake, locate_mistake

MOST_PEOPLE = 64
LONGEST_FILE = 64 * 1024
MODE = 0o640

HEADER = (
    "# Written by banco enrol. PINs cannot be read back from it, but guessed: keep it closed.\n"
)


class Enrolled(Struct, frozen=True):
    """One person's duties and hashed PIN."""

    duties: tuple[Duty, ...]
    pin: PinHash
    number: str = ""
    """For the record; "" before the first change of a list of banco 0.1.0."""
    pin_since: date | None = None
    """The day, in UTC, on which the PIN was given; None: by banco 0.1.0, nobody knows when."""


People = Mapping[str, Enrolled]


def today() -> date:
    """The day by the machine's clock, in UTC."""
    return datetime.now(UTC).date()


class PinAge(Struct, frozen=True):
    """How old a PIN may become (`people.pin_age_days`)."""

    most_days: int = 0
    """0: any age."""
    today: Callable[[], date] = today

    def last_day(self, person: Enrolled) -> date | None:
        """The last day on which the PIN opens; None: every day.

        Where there is an age, a PIN of unknown age opens on no day.
        """
        if not self.most_days:
            return None
        if person.pin_since is None:
            return date.min
        return person.pin_since + timedelta(days=self.most_days)

    def is_too_old(self, person: Enrolled) -> bool:
        """Whether the PIN opens nothing any more."""
        last_day = self.last_day(person)
        return last_day is not None and last_day < self.today()

    def ends_soon(self, person: Enrolled) -> str:
        """The last day, `2026-12-12`, if it is near; "" if it is not."""
        last_day = self.last_day(person)
        near = last_day is not None and last_day - self.today() <= TOLD_BEFORE
        return str(last_day) if near else ""


ANY_AGE = PinAge()

TOLD_BEFORE = timedelta(days=14)
"""From so long before its last day on, whoever enters is told that a PIN ends."""


def describe_too_old(name: str) -> str:
    """What somebody is told whose PIN was right, and is too old."""
    return f"this PIN is too old: change it first, with banco pin {name}"


def on_record(name: str, person: Enrolled) -> str:
    """What a record calls this person: the number, or the name of who has none yet."""
    return person.number or name


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One person in the file; salt and hash are hexadecimal."""

    duties: tuple[Duty, ...]
    n: int
    r: int
    p: int
    salt: str
    hash: str
    number: str = ""
    pin_since: date | None = None


def load_people(file: Path) -> People:
    """Read all enrolled people; nobody if there is no file.

    Raises Unavailable if it cannot be read, Refused for what is wrong with it.
    """
    try:
        with open_regular(file) as opened:
            status = os.fstat(opened.fileno())
            text = read_open_file(opened, LONGEST_FILE)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise Unavailable(f"{file}: {describe_unreadable(error)}") from error
    except FileUnusable as error:
        raise Refused(f"{file}: {error}") from error
    reason = why_untrusted(status.st_mode, status.st_uid, os.geteuid())
    if reason is not None:
        raise Refused(f"{file}: {reason}")
    return _parse_people(file, text)


def read_people_stamp(file: Path) -> str:
    """Return what differs after every change of the file, or "no file". Raises OSError."""
    try:
        status = os.stat(file)
    except FileNotFoundError:
        return "no file"
    return f"{status.st_mtime_ns} {status.st_ctime_ns} {status.st_size} {status.st_ino}"


def save_people(file: Path, people: People, owner: Owner | None = None) -> None:
    """Replace the file as a whole. Raises OSError, as `write_whole` does."""
    text = HEADER + "".join(_render_entry(name, people[name]) for name in sorted(people))
    write_whole(file, text.encode(), mode=MODE, owner=owner)


def _parse_people(file: Path, text: str) -> People:
    try:
        content = parse_toml(text)
    except FileUnusable as error:
        raise Refused(f"{file}: {error}") from error
    if len(content) > MOST_PEOPLE:
        raise Refused(f"{file}: holds more than {MOST_PEOPLE} people")
    people = {}
    for name, entry in content.items():
        if not is_name(name):
            raise Refused(f"{file}: {quote(name)}: {NAME_RULE}")
        try:
            people[name] = _parse_entry(msgspec.convert(entry, _Entry))
        except ValueError as error:  # msgspec's errors are ValueErrors
            key, what = locate_mistake(error)
            place = f"{key}: " if key else ""
            raise Refused(f"{file}: [{name}]: {place}{what}") from error
    numbers = [one.number for one in people.values() if one.number]
    if len(set(numbers)) < len(numbers):
        raise Refused(f"{file}: two people have the same number")
    return people


def _parse_entry(entry: _Entry) -> Enrolled:
    """Raises ValueError."""
    if not entry.duties or len(set(entry.duties)) < len(entry.duties):
        raise ValueError("duties: name at least one, and each only once")
    cost = Cost(entry.n, entry.r, entry.p)
    if cost.objection is not None:
        raise ValueError(cost.objection)
    if entry.number and not is_number(entry.number):
        raise ValueError(f"number: {NUMBER_RULE}")
    salt = _bytes("salt", entry.salt, SALT_BYTES)
    pin = PinHash(salt, _bytes("hash", entry.hash, HASH_BYTES), cost)
    return Enrolled(entry.duties, pin, entry.number, entry.pin_since)


def _bytes(key: str, text: str, length: int) -> bytes:
    if not re.fullmatch(rf"[0-9a-f]{{{2 * length}}}", text):
        raise ValueError(f"{key}: {2 * length} hexadecimal digits are expected")
    return bytes.fromhex(text)


def _render_entry(name: str, person: Enrolled) -> str:
    duties = ", ".join(f'"{duty.value}"' for duty in person.duties)
    cost = person.pin.cost
    number = f'number = "{person.number}"\n' if person.number else ""
    since = f"pin_since = {person.pin_since}\n" if person.pin_since is not None else ""
    return (
        f"\n[{name}]\n{number}duties = [{duties}]\nn = {cost.n}\nr = {cost.r}\np = {cost.p}\n"
        f'salt = "{person.pin.salt.hex()}"\nhash = "{person.pin.hash.hex()}"\n{since}'
    )


MOST_CHANGES = 256
"""The most changes kept; the table has all of them on record."""

LONGEST_CHANGES = MOST_CHANGES * 1024


def changes_beside(people: Path) -> Path:
    """The file of changes that belongs to a file of people: `people-changes.jsonl`."""
    return people.with_name(f"{people.stem}-changes.jsonl")


def read_changes(people: Path) -> tuple[PeopleChanged, ...]:
    """The changes of the list in this file, oldest first; none without a file.

    Raises OSError; Damaged, with the line.
    """
    file = changes_beside(people)
    try:
        with open_regular(file) as opened:
            content = opened.read(LONGEST_CHANGES)
    except FileNotFoundError:
        return ()
    lines = enumerate(content.splitlines(), 1)
    return tuple(_parse_change(file, number, line) for number, line in lines if line)


def _parse_change(file: Path, number: int, line: bytes) -> PeopleChanged:
    """Raises Damaged."""
    try:
        return msgspec.json.decode(line, type=PeopleChanged)
    except (RecursionError, ValueError) as error:  # msgspec's errors are ValueErrors
        raise Damaged(f"{file}, line {number}: {describe_mistake(error)}") from error


def hash_people(people: Path) -> str:
    """The SHA-256 of the file of people; of nothing where there is none. Raises OSError."""
    try:
        with open_regular(people) as opened:
            return sha256(opened.read(LONGEST_FILE)).hexdigest()
    except FileNotFoundError:
        return sha256().hexdigest()


def add_change(
    people: Path,
    change: PeopleChange,
    by: str,
    whom: str,
    duties: Sequence[Duty],
    owner: Owner | None = None,
) -> None:
    """Note a change that was just written. Raises OSError, as `write_whole` does."""
    try:
        before = read_changes(people)
    except Damaged:  # the record has what was noted before
        before = ()
    number = _choose_number(before)
    made = PeopleChanged(change, by, whom, tuple(duties), number, hash_people(people))
    lines = [msgspec.json.encode(one) for one in (*before, made)][-MOST_CHANGES:]
    file = changes_beside(people)
    write_whole(file, b"".join(line + b"\n" for line in lines), mode=MODE, owner=owner)


def _choose_number(before: Sequence[PeopleChanged]) -> int:
    """A number above all that were given, also by a file that was lost, or is an old copy now.

    The record takes only higher ones for new. So it is the time, in ms since 1970, or the next one
    where the clock is behind the file.
    """
    now_ms = int(datetime.now(UTC).timestamp() * 1000)
    return max(now_ms, before[-1].number + 1 if before else 1)
