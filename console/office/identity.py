"""Who gives a command while no service runs: an enrolled person's name, proved by the PIN.

Whoever can give such a command can read the file of people, and try PINs on it as fast as the
machine can: so wrong ones are neither counted nor delayed here.
"""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from console.configuration.places import PEOPLE_FILE
from console.configuration.sections import Configuration, TableKind
from console.line.access.people import People, describe_too_old, load_people, on_record
from console.line.access.pins import make_unmatched_hash
from console.office.questions import ask_hidden, ask_line
from console.office.table_of_ledger import (
    is_real_tables_ledger,
    is_real_tables_machine,
    read_pin_age,
)
from jackpot.failures import Refused


class IdentifiedPerson(Struct, frozen=True):
    """Somebody whose PIN was right."""

    name: str
    on_record: str
    """What a record calls the person."""


def load_enrolled(
    file: Path | None = None, of: Configuration | None = None, ledgers: Iterable[Path] = ()
) -> People:
    """The people in the file, or at this table. Raises Refused.

    At a real table only root's own list counts: with a file of one's own, one person would be two.
    `of`: the configuration of the table that the command is about, if it is known. `ledgers`: the
    copies of its ledger, which is a real table's wherever it lies.
    """
    real = of is not None and of.kind is TableKind.PRODUCTION
    if file is not None and (real or is_real_tables_machine() or is_real_tables_ledger(ledgers)):
        raise Refused(
            f"--people {file}: at a real table only {PEOPLE_FILE} counts, which root writes: "
            "leave the option out"
        )
    file = file or PEOPLE_FILE
    people = load_people(file)
    if not people:
        raise Refused(f"nobody is enrolled in {file}: banco enrol NAME --duty technician")
    return people


def identify(
    people: People, name: str | None, *, other_than: IdentifiedPerson | None = None
) -> IdentifiedPerson:
    """Ask for the name, unless it is given, and for its PIN; who it is.

    Raises Refused if a name or PIN is missing, wrong or too old, or a second person is the first.
    """
    name = name or ask_line("Name: ").strip()
    if other_than is not None and name == other_than.name:
        raise Refused(f"{name} is the first person: the second is another one")
    person = people.get(name)
    pin = ask_hidden(f"PIN of {name}: ").strip()
    if not (person.pin if person else make_unmatched_hash()).matches(pin) or person is None:
        raise Refused(f"name or PIN is wrong: {name!r:.40}")
    if read_pin_age().is_too_old(person):
        raise Refused(describe_too_old(name))
    return IdentifiedPerson(name, on_record(name, person))
