"""Who is enrolled: names, duties and what is kept of their PINs, in one file of root's."""

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from console.configuration.named_files import (
    FileUnusable,
    describe_unreadable,
    parse_toml,
    read_open_file,
)
from console.configuration.whole_file import Owner, write_whole
from console.line.access.pins import HASH_BYTES, SALT_BYTES, Cost, PinHash
from console.rules.codes import Duty

PEOPLE_FILE = Path("/etc/banco/people.toml")
"""Where a table's people stand; a simulation has a file of this name in its folder."""

MOST_PEOPLE = 64
LONGEST_FILE = 64 * 1024
MODE = 0o640

NAME = re.compile(r"[a-z][a-z0-9-]{0,23}")
NAME_RULE = "a name is 1 to 24 of a to z, 0 to 9 and -, beginning with a letter"

HEADER = (
    "# Written by banco enrol. PINs cannot be read back from it, but guessed: keep it closed.\n"
)


class PeopleUnreadable(ValueError):
    """A file of people that cannot be used; the text names file and place."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What one person may do, and what the PIN must fit."""

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
    """Whether somebody can be enrolled under this name."""
    return NAME.fullmatch(text) is not None


def load_people(file: Path) -> People:
    """Everybody enrolled; nobody where there is no file. Raises PeopleUnreadable."""
    try:
        with file.open("rb") as opened:
            status = os.fstat(opened.fileno())
            text = read_open_file(opened, LONGEST_FILE)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise PeopleUnreadable(f"{file}: {describe_unreadable(error)}") from error
    except FileUnusable as error:
        raise PeopleUnreadable(f"{file}: {error}") from error
    doubt = mistrust(status.st_mode, status.st_uid, os.geteuid())
    if doubt is not None:
        raise PeopleUnreadable(f"{file}: {doubt}")
    return _read(file, text)


def mistrust(mode: int, owner: int, us: int) -> str | None:
    """Why a file's permissions make it worthless; None: only root or we can have written it."""
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others than its owner may write it (mode {stat.S_IMODE(mode):04o}): chmod 640"
    if owner not in (0, us):
        return f"it belongs to user {owner}, neither root nor who reads it: chown root:banco"
    return None


def save_people(file: Path, people: People, owner: Owner | None = None) -> None:
    """Write the file anew, whole. Raises OSError."""
    text = HEADER + "".join(_written(name, people[name]) for name in sorted(people))
    write_whole(file, text.encode(), mode=MODE, owner=owner)


def _read(file: Path, text: str) -> People:
    try:
        content = parse_toml(text)
    except FileUnusable as error:
        raise PeopleUnreadable(f"{file}: {error}") from error
    if len(content) > MOST_PEOPLE:
        raise PeopleUnreadable(f"{file}: holds more than {MOST_PEOPLE} people")
    people = {}
    for name, entry in content.items():
        if not is_name(name):
            raise PeopleUnreadable(f"{file}: {name[:30]!r}: {NAME_RULE}")
        try:
            people[name] = _enrolled(msgspec.convert(entry, _Entry))
        except ValueError as error:  # msgspec's own is one
            raise PeopleUnreadable(f"{file}: [{name}]: {error}") from error
    return people


def _enrolled(entry: _Entry) -> Enrolled:
    """Raises ValueError."""
    if not entry.duties or len(set(entry.duties)) < len(entry.duties):
        raise ValueError("duties: name each at least and at most once")
    cost = Cost(entry.n, entry.r, entry.p)
    if cost.objection is not None:
        raise ValueError(cost.objection)
    salt = _bytes("salt", entry.salt, SALT_BYTES)
    return Enrolled(entry.duties, PinHash(salt, _bytes("hash", entry.hash, HASH_BYTES), cost))


def _bytes(key: str, text: str, length: int) -> bytes:
    if not re.fullmatch(rf"[0-9a-f]{{{2 * length}}}", text):
        raise ValueError(f"{key}: {2 * length} hexadecimal digits are expected")
    return bytes.fromhex(text)


def _written(name: str, one: Enrolled) -> str:
    duties = ", ".join(f'"{duty.value}"' for duty in one.duties)
    cost = one.pin.cost
    return (
        f"\n[{name}]\nduties = [{duties}]\nn = {cost.n}\nr = {cost.r}\np = {cost.p}\n"
        f'salt = "{one.pin.salt.hex()}"\nhash = "{one.pin.hash.hex()}"\n'
    )
