"""The file of enrolled people: names, duties and hashed PINs. It belongs to root."""

import os
import re
from collections.abc import Mapping
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
from console.configuration.whole_file import Owner, write_whole
from console.line.access.pins import HASH_BYTES, SALT_BYTES, Cost, PinHash
from console.rules.codes import Duty
from jackpot.failures import Refused
from jackpot.foreign_text import quote
from jackpot.named_files import open_regular
from jackpot.value_mistakes import locate_mistake

PEOPLE_FILE = Path("/etc/banco/people.toml")
"""The file of a table; a simulation has a file of this name in its folder."""

MOST_PEOPLE = 64
LONGEST_FILE = 64 * 1024
MODE = 0o640

NAME = re.compile(r"[a-z][a-z0-9-]{0,23}")
NAME_RULE = "a name is 1 to 24 of a to z, 0 to 9 and -, beginning with a letter"

HEADER = (
    "# Written by banco enrol. PINs cannot be read back from it, but guessed: keep it closed.\n"
)


class PeopleUnreadable(Refused):
    """The file of people cannot be used. The text names file and place."""


class Enrolled(Struct, frozen=True):
    """One person's duties and hashed PIN."""

    duties: tuple[Duty, ...]
    pin: PinHash


People = Mapping[str, Enrolled]


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One person in the file; salt and hash are hexadecimal."""

    duties: tuple[Duty, ...]
    n: int
    r: int
    p: int
    salt: str
    hash: str


def is_name(text: str) -> bool:
    """Return whether this is a valid name."""
    return NAME.fullmatch(text) is not None


def load_people(file: Path) -> People:
    """Read all enrolled people; nobody if there is no file. Raises PeopleUnreadable."""
    try:
        with open_regular(file) as opened:
            status = os.fstat(opened.fileno())
            text = read_open_file(opened, LONGEST_FILE)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise PeopleUnreadable(f"{file}: {describe_unreadable(error)}") from error
    except FileUnusable as error:
        raise PeopleUnreadable(f"{file}: {error}") from error
    reason = why_untrusted(status.st_mode, status.st_uid, os.geteuid())
    if reason is not None:
        raise PeopleUnreadable(f"{file}: {reason}")
    return _parse_people(file, text)


def read_people_stamp(file: Path) -> str:
    """Return what differs after every change of the file, or "no file". Raises OSError."""
    try:
        status = os.stat(file)
    except FileNotFoundError:
        return "no file"
    return f"{status.st_mtime_ns} {status.st_ctime_ns} {status.st_size} {status.st_ino}"


def save_people(file: Path, people: People, owner: Owner | None = None) -> None:
    """Replace the file as a whole. Raises OSError."""
    text = HEADER + "".join(_render_entry(name, people[name]) for name in sorted(people))
    write_whole(file, text.encode(), mode=MODE, owner=owner)


def _parse_people(file: Path, text: str) -> People:
    try:
        content = parse_toml(text)
    except FileUnusable as error:
        raise PeopleUnreadable(f"{file}: {error}") from error
    if len(content) > MOST_PEOPLE:
        raise PeopleUnreadable(f"{file}: holds more than {MOST_PEOPLE} people")
    people = {}
    for name, entry in content.items():
        if not is_name(name):
            raise PeopleUnreadable(f"{file}: {quote(name)}: {NAME_RULE}")
        try:
            people[name] = _parse_entry(msgspec.convert(entry, _Entry))
        except ValueError as error:  # msgspec's errors are ValueErrors
            key, what = locate_mistake(error)
            place = f"{key}: " if key else ""
            raise PeopleUnreadable(f"{file}: [{name}]: {place}{what}") from error
    return people


def _parse_entry(entry: _Entry) -> Enrolled:
    """Raises ValueError."""
    if not entry.duties or len(set(entry.duties)) < len(entry.duties):
        raise ValueError("duties: name at least one, and each only once")
    cost = Cost(entry.n, entry.r, entry.p)
    if cost.objection is not None:
        raise ValueError(cost.objection)
    salt = _bytes("salt", entry.salt, SALT_BYTES)
    return Enrolled(entry.duties, PinHash(salt, _bytes("hash", entry.hash, HASH_BYTES), cost))


def _bytes(key: str, text: str, length: int) -> bytes:
    if not re.fullmatch(rf"[0-9a-f]{{{2 * length}}}", text):
        raise ValueError(f"{key}: {2 * length} hexadecimal digits are expected")
    return bytes.fromhex(text)


def _render_entry(name: str, person: Enrolled) -> str:
    duties = ", ".join(f'"{duty.value}"' for duty in person.duties)
    cost = person.pin.cost
    return (
        f"\n[{name}]\nduties = [{duties}]\nn = {cost.n}\nr = {cost.r}\np = {cost.p}\n"
        f'salt = "{person.pin.salt.hex()}"\nhash = "{person.pin.hash.hex()}"\n'
    )
