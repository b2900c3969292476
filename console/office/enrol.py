"""`banco enrol`, `banco pin`: write into the file of people who may do what on the table's line."""

import grp
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event

from msgspec import Struct

from console.configuration.person_names import (
    NAME_RULE,
    choose_number,
    is_name,
    load_names,
    names_beside,
    save_names,
)
from console.configuration.places import PEOPLE_FILE
from console.configuration.whole_file import NameNotSynced, Owner
from console.line.access.people import (
    ANY_AGE,
    MOST_PEOPLE,
    Enrolled,
    People,
    PinAge,
    add_change,
    load_people,
    save_people,
    today,
)
from console.line.access.pins import hash_pin, make_unmatched_hash, objection
from console.office.identity import identify
from console.office.questions import ask_hidden
from console.office.table_of_ledger import enrols_by_two, is_real_tables_machine, read_pin_age
from console.rules.acts import PeopleChange
from console.rules.codes import Duty
from console.rules.structs import replace
from console.service.supervision.process_end import describe_failure
from console.service.supervision.stop_signals import Signalled, note_signals
from jackpot.failures import Failure, Refused, Unavailable
from jackpot.foreign_text import quote

DONE, UNUSABLE = 0, 2

Write = Callable[[], str]
"""Writes the change that was decided, and notes it; says what was done. Raises Failure, OSError."""

WRONG_PAUSE_S = 2.0
"""The pause after a wrong present PIN."""

GROUP = "banco"
"""The service's group; besides root only this group may read the file."""

READERS = "banco-ledger"
"""The group that may read the ledger, and with it the names."""


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
    return _tell_failure(lambda: _list(file.find()))


def remove(file: PeopleFile, name: str | None) -> int:
    """Remove a person; the exit status."""

    def remove_named() -> Write:
        path, who = file.find(), _require_name(name)
        return _remove(path, who, _owner(path, file.simulated))

    return _change(remove_named)


def erase(file: PeopleFile, who: str | None) -> int:
    """Erase the name of somebody who is not enrolled any more; the exit status.

    `who`: the name, or the number.
    """

    def erase_named() -> Write:
        path, whom = file.find(), _require_name(who, "banco enrol --erase anna")
        return _erase(path, whom, _owner(path, file.simulated))

    return _change(erase_named)


def enrol(file: PeopleFile, name: str | None, duties: tuple[Duty, ...]) -> int:
    """Enrol a person, or give a new PIN; the exit status. No duties: those of before."""

    def enrol_named() -> Write:
        path, who = file.find(), _require_name(name)
        return _enrol(path, who, duties, _owner(path, file.simulated))

    return _change(enrol_named)


def change_own_pin(file: PeopleFile, name: str | None) -> int:
    """Give an enrolled person, who types the present PIN, another one; the exit status."""

    def change_named() -> Write:
        path, who = file.find(), _require_name(name, "banco pin anna")
        return _change_pin(path, who, _owner(path, file.simulated))

    return _change(change_named)


def _require_name(name: str | None, example: str = "banco enrol anna --duty technician") -> str:
    if name is None:
        raise Refused(f"NAME is missing; example: {example}")
    return name


def _change(decide: Callable[[], Write]) -> int:
    """Decide what is changed, asking for what is missing, then write it; the exit status.

    A signal that comes while it is written takes effect afterwards: what is changed is noted, too.
    """

    def decide_and_write() -> None:
        try:
            write = decide()
        except KeyboardInterrupt:
            print("\nnothing was changed", file=sys.stderr, end="")
            raise
        with note_signals() as came:
            done = write()
        print(done, flush=True)
        if came:
            raise Signalled(came[0])

    return _tell_failure(decide_and_write)


def _tell_failure(do: Callable[[], None]) -> int:
    try:
        do()
    except (Failure, OSError) as error:
        print(describe_failure(error), file=sys.stderr)
        return UNUSABLE
    return DONE


def _owner(file: Path, simulated: bool) -> Owner | None:
    """The file's owner; None: whoever runs the command. Raises Refused."""
    if os.geteuid() != 0:
        if file == PEOPLE_FILE or (not simulated and is_real_tables_machine()):
            raise Refused(f"only root writes {file}: give the command with sudo")
        return None
    if simulated:
        return None
    if file != PEOPLE_FILE and file.exists():  # a room's: its user's group may read it
        return Owner(0, file.stat().st_gid)
    try:
        return Owner(0, grp.getgrnam(GROUP).gr_gid)
    except KeyError:
        if file == PEOPLE_FILE:
            raise Refused(f"there is no group {GROUP}: install the table first") from None
        return None


def _owner_of_names(file: Path, owner: Owner | None) -> Owner | None:
    """As the people's; at a real table whoever may read the ledger reads the names, too."""
    if file != PEOPLE_FILE:
        return owner
    try:
        return Owner(0, grp.getgrnam(READERS).gr_gid)
    except KeyError:
        raise Refused(f"there is no group {READERS}: install the table first") from None


def _list(file: Path) -> None:
    people = load_people(file)
    if not people:
        print(f"nobody is enrolled in {file}")
    age = read_pin_age() if file == PEOPLE_FILE else ANY_AGE
    for name in sorted(people):
        number = f", number {one.number}" if (one := people[name]).number else ""
        print(f"{name}: {_duty_list(one.duties)}{number}, {_describe_pin(one, age)}")
    enrolled = {one.number for one in people.values()}
    for number, name in sorted(load_names(names_beside(file)).items()):
        if name and number not in enrolled:
            print(f"{name}: no longer enrolled, number {number}; --erase takes the name away")


def _describe_pin(one: Enrolled, age: PinAge) -> str:
    since = f"PIN of {one.pin_since}" if one.pin_since is not None else "PIN of unknown age"
    if age.is_too_old(one):
        return f"{since}, too old"
    last_day = age.last_day(one)
    return f"{since}, opens until {last_day}" if last_day is not None else since


def _remove(file: Path, name: str, owner: Owner | None) -> Write:
    people = load_people(file)
    if name not in people:
        raise Refused(f"{name} is not enrolled in {file}")

    def write() -> str:
        numbered = _number_people(file, people, owner)
        one = numbered[name]
        others = {other: numbered[other] for other in numbered if other != name}
        change = PeopleChange.REMOVED
        _save_and_note(
            partial(save_people, file, others, owner),
            partial(add_change, file, change, find_user(), one.number, one.duties, owner),
        )
        return f"{name} is no longer enrolled in {file}"

    return write


def _erase(file: Path, who: str, owner: Owner | None) -> Write:
    names = load_names(names_beside(file))
    numbers = [number for number, name in names.items() if name and who in (name, number)]
    enrolled = [name for name, one in load_people(file).items() if one.number in numbers]
    if enrolled:
        raise Refused(f"{enrolled[0]} is enrolled: first banco enrol --remove {enrolled[0]}")
    if len(numbers) != 1:
        several = f"; several have had it, name one: {', '.join(numbers)}" if numbers else ""
        raise Refused(f"{quote(who)} is no name to be erased in {names_beside(file)}{several}")

    def write() -> str:
        erased = {**names, numbers[0]: ""}
        _save_and_note(
            partial(save_names, names_beside(file), erased, _owner_of_names(file, owner)),
            partial(add_change, file, PeopleChange.ERASED, find_user(), numbers[0], (), owner),
        )
        return f"the name of {numbers[0]} is erased; records of banco 0.1.0 may hold it"

    return write


def _number_people(file: Path, people: People, owner: Owner | None) -> People:
    """Give a number to whoever has none, and keep each number's name in the file of names."""
    names = dict(load_names(names_beside(file)))
    numbered = {}
    for name, one in people.items():
        number = one.number or choose_number(names)
        numbered[name], names[number] = replace(one, number=number), name
    save_names(names_beside(file), names, _owner_of_names(file, owner))
    return numbered


def _confirm(file: Path, name: str) -> str:
    """Who stands for it that this person is enrolled, for the record. Raises Refused.

    At a table that asks for two, another person who is enrolled; while there is none, root alone.
    """
    others = {other: one for other, one in load_people(file).items() if other != name}
    if file != PEOPLE_FILE or not others or not enrols_by_two():
        return find_user()
    print("somebody who is enrolled confirms this:", file=sys.stderr)
    return identify(others, None).on_record


def _enrol(file: Path, name: str, duties: tuple[Duty, ...], owner: Owner | None) -> Write:
    """Enrol a person, or give an enrolled one a new PIN and the new duties, if there are any."""
    people = load_people(file)
    one = people.get(name)
    duties = duties or (one.duties if one else ())
    _check(people, name, duties)
    by = _confirm(file, name)
    entry = _make_entry(duties, _pin_twice(name))
    change = PeopleChange.NEW_PIN if name in people else PeopleChange.ENROLLED
    done = "has a new PIN" if name in people else "is enrolled"

    def write() -> str:
        _save_person(file, name, entry, change, by, owner)
        return f"{name}, {_duty_list(duties)}, {done} in {file}"

    return write


def _make_entry(duties: tuple[Duty, ...], pin: str) -> Enrolled:
    """What the list has of a person with this new PIN; the number is not chosen yet."""
    return Enrolled(duties, hash_pin(pin), pin_since=today())


def _save_person(
    file: Path, name: str, entry: Enrolled, change: PeopleChange, by: str, owner: Owner | None
) -> None:
    """Write a person with a new PIN, and everybody else as they are by now.

    `by`: who did it, for the record; "": the person.
    """
    people = load_people(file)
    number = people[name].number if name in people else ""
    people = _number_people(file, {**people, name: replace(entry, number=number)}, owner)
    number = people[name].number
    _save_and_note(
        partial(save_people, file, people, owner),
        partial(add_change, file, change, by or number, number, entry.duties, owner),
    )


def _save_and_note(save: Callable[[], None], note: Callable[[], None]) -> None:
    """Write a file, and note the change if the file then holds it. Raises Unavailable, OSError."""
    try:
        save()
    except NameNotSynced:
        _note(note)
        raise
    _note(note)


def _note(note: Callable[[], None]) -> None:
    """Note what is changed already. Raises NameNotSynced; Unavailable if it cannot be noted."""
    try:
        note()
    except NameNotSynced:
        raise
    except OSError as error:
        what = "it is changed, but by whom cannot be noted, and will not be on record"
        raise Unavailable(f"{what}: {describe_failure(error)}") from error


def _change_pin(file: Path, name: str, owner: Owner | None) -> Write:
    """One answer for an unknown name and a wrong PIN, after a pause: nobody tries PINs here."""
    people = load_people(file)
    one = people.get(name)
    present = ask_hidden(f"present PIN of {name}: ").strip()
    is_right = (one.pin if one is not None else make_unmatched_hash()).matches(present)
    if one is None or not is_right:
        Event().wait(WRONG_PAUSE_S)
        raise Refused(f"name or PIN is wrong: {quote(name)}")
    pin = _pin_twice(name)
    if pin == present:
        raise Refused("that is the present PIN")
    entry = _make_entry(one.duties, pin)

    def write() -> str:
        _save_person(file, name, entry, PeopleChange.OWN_PIN, "", owner)
        return f"{name} has a new PIN in {file}"

    return write


def find_user() -> str:
    """The user of the machine who gives the command, also by sudo, by number: for the record."""
    by_sudo = os.environ.get("SUDO_UID", "")
    return f"uid {by_sudo if by_sudo.isdecimal() else os.getuid()}"


def _check(people: People, name: str, duties: tuple[Duty, ...]) -> None:
    if not is_name(name):
        raise Refused(f"{name}: {NAME_RULE}")
    if not duties:
        raise Refused(f"for what? banco enrol {name} --duty {Duty.TECHNICIAN.value}")
    if name not in people and len(people) >= MOST_PEOPLE:
        raise Refused(f"{MOST_PEOPLE} people are enrolled already: remove one first")


def _pin_twice(name: str) -> str:
    """Ask twice for an acceptable PIN. Raises Refused, KeyboardInterrupt."""
    pin = ask_hidden(f"PIN for {name}: ").strip()
    against = objection(pin)
    if against is not None:
        raise Refused(against)
    if ask_hidden("once more: ").strip() != pin:
        raise Refused("these are two different PINs")
    return pin


def _duty_list(duties: tuple[Duty, ...]) -> str:
    return ", ".join(duty.value for duty in duties)
