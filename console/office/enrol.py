"""`banco enrol`, `banco pin`: write into the file of people who may do what on the table's line."""

import getpass
import grp
import os
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event

from msgspec import Struct

from console.configuration.whole_file import Owner
from console.line.access.people import (
    MOST_PEOPLE,
    NAME_RULE,
    PEOPLE_FILE,
    Enrolled,
    People,
    PeopleUnreadable,
    is_name,
    load_people,
    save_people,
)
from console.line.access.people_changes import add_change
from console.line.access.pins import hash_pin, make_unmatched_hash, objection
from console.office.questions import NoAnswer, ask_hidden
from console.office.table_of_ledger import is_real_tables_machine
from console.rules.codes import Duty
from console.rules.people_acts import PeopleChange
from console.service.supervision.process_end import describe_failure
from jackpot.failures import Refused
from jackpot.foreign_text import quote

DONE, UNUSABLE = 0, 2

LONGEST_USER = 32

WRONG_PAUSE_S = 2.0
"""The pause after a wrong present PIN."""

GROUP = "banco"
"""The service's group; besides root only this group may read the file."""


class NotEnrolled(Refused):
    """Nothing was changed; the text says why."""


class PeopleFile(Struct, frozen=True):
    """The file that is meant: `given`, the simulation's, or this machine's."""

    given: Path | None
    simulated: bool

    def find(self) -> Path:
        """Its path; the simulation's folder is made."""
        if self.simulated:
            from console.configuration.places import simulation_folder

            folder = simulation_folder()
            folder.mkdir(parents=True, exist_ok=True)
            return folder / PEOPLE_FILE.name
        return self.given or PEOPLE_FILE


def list_people(file: PeopleFile) -> int:
    """Print who is enrolled, and for what; the exit status."""
    return _change_or_tell(lambda: _list(file.find()))


def remove(file: PeopleFile, name: str | None) -> int:
    """Remove a person; the exit status."""

    def remove_named() -> None:
        path, who = file.find(), _require_name(name)
        _remove(path, who, _owner(path, file.simulated))

    return _change_or_tell(remove_named)


def enrol(file: PeopleFile, name: str | None, duties: tuple[Duty, ...]) -> int:
    """Enrol a person, or give a new PIN; the exit status. No duties: those of before."""

    def enrol_named() -> None:
        path, who = file.find(), _require_name(name)
        _enrol(path, who, duties, _owner(path, file.simulated))

    return _change_or_tell(enrol_named)


def change_own_pin(file: PeopleFile, name: str | None) -> int:
    """Give an enrolled person, who types the present PIN, another one; the exit status."""

    def change_named() -> None:
        path, who = file.find(), _require_name(name, "banco pin anna")
        _change_pin(path, who, _owner(path, file.simulated))

    return _change_or_tell(change_named)


def _require_name(name: str | None, example: str = "banco enrol anna --duty technician") -> str:
    if name is None:
        raise NotEnrolled(f"NAME is missing; example: {example}")
    return name


def _change_or_tell(do: Callable[[], None]) -> int:
    try:
        do()
    except (NotEnrolled, PeopleUnreadable, OSError) as error:
        print(describe_failure(error), file=sys.stderr)
        return UNUSABLE
    except NoAnswer:
        print("\nnothing was changed", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print("\nnothing was changed", file=sys.stderr, end="")
        raise
    return DONE


def _owner(file: Path, simulated: bool) -> Owner | None:
    """The file's owner; None: whoever runs the command. Raises NotEnrolled."""
    if os.geteuid() != 0:
        if file == PEOPLE_FILE or (not simulated and is_real_tables_machine()):
            raise NotEnrolled(f"only root writes {file}: give the command with sudo")
        return None
    if simulated:
        return None
    if file != PEOPLE_FILE and file.exists():  # a room's: its user's group may read it
        return Owner(0, file.stat().st_gid)
    try:
        return Owner(0, grp.getgrnam(GROUP).gr_gid)
    except KeyError:
        if file == PEOPLE_FILE:
            raise NotEnrolled(f"there is no group {GROUP}: install the table first") from None
        return None


def _list(file: Path) -> None:
    people = load_people(file)
    if not people:
        print(f"nobody is enrolled in {file}")
    for name in sorted(people):
        print(f"{name}: {_duty_list(people[name].duties)}")


def _remove(file: Path, name: str, owner: Owner | None) -> None:
    people = load_people(file)
    if name not in people:
        raise NotEnrolled(f"{name} is not enrolled in {file}")
    duties = people[name].duties
    save_people(file, {other: people[other] for other in people if other != name}, owner)
    add_change(file, PeopleChange.REMOVED, find_user(), name, duties, owner)
    print(f"{name} is no longer enrolled in {file}")


def _enrol(file: Path, name: str, duties: tuple[Duty, ...], owner: Owner | None) -> None:
    """Enrol a person, or give an enrolled one a new PIN and the new duties, if there are any."""
    people = load_people(file)
    one = people.get(name)
    duties = duties or (one.duties if one else ())
    _check(people, name, duties)
    pin = _pin_twice(name)
    entry = Enrolled(duties, hash_pin(pin))
    save_people(file, {**load_people(file), name: entry}, owner)  # others may have enrolled since
    change = PeopleChange.NEW_PIN if one else PeopleChange.ENROLLED
    add_change(file, change, find_user(), name, duties, owner)
    print(f"{name}, {_duty_list(duties)}, {'has a new PIN' if one else 'is enrolled'} in {file}")


def _change_pin(file: Path, name: str, owner: Owner | None) -> None:
    """One answer for an unknown name and a wrong PIN, after a pause: nobody tries PINs here."""
    people = load_people(file)
    one = people.get(name)
    present = ask_hidden(f"present PIN of {name}: ").strip()
    if not (one.pin if one is not None else make_unmatched_hash()).matches(present):
        Event().wait(WRONG_PAUSE_S)
        raise NotEnrolled(f"name or PIN is wrong: {quote(name)}")
    pin = _pin_twice(name)
    if pin == present:
        raise NotEnrolled("that is the present PIN")
    if one is not None:
        save_people(file, {**load_people(file), name: Enrolled(one.duties, hash_pin(pin))}, owner)
        add_change(file, PeopleChange.OWN_PIN, name, name, one.duties, owner)
        print(f"{name} has a new PIN in {file}")


def find_user() -> str:
    """The user of the machine who gives the command, by sudo as whoever: for the record."""
    user = os.environ.get("SUDO_USER") or getpass.getuser()
    return user[:LONGEST_USER] if user.isprintable() else "?"


def _check(people: People, name: str, duties: tuple[Duty, ...]) -> None:
    if not is_name(name):
        raise NotEnrolled(f"{name}: {NAME_RULE}")
    if not duties:
        raise NotEnrolled(f"for what? banco enrol {name} --duty {Duty.TECHNICIAN.value}")
    if name not in people and len(people) >= MOST_PEOPLE:
        raise NotEnrolled(f"{MOST_PEOPLE} people are enrolled already: remove one first")


def _pin_twice(name: str) -> str:
    """Ask twice for an acceptable PIN. Raises NotEnrolled, NoAnswer, KeyboardInterrupt."""
    pin = ask_hidden(f"PIN for {name}: ").strip()
    against = objection(pin)
    if against is not None:
        raise NotEnrolled(against)
    if ask_hidden("once more: ").strip() != pin:
        raise NotEnrolled("these are two different PINs")
    return pin


def _duty_list(duties: tuple[Duty, ...]) -> str:
    return ", ".join(duty.value for duty in duties)
