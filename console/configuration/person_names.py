"""The names of people, in a file of their own: a record names a person by number (decision 0013).

Whoever erases a name here erases it from everything that is shown; no record changes.
"""

import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from console.configuration.named_files import FileUnusable, parse_toml, read_open_file
from console.configuration.places import PEOPLE_FILE
from console.configuration.whole_file import Owner, write_whole
from console.rules.structs import replace
from jackpot.failures import LedgerUnavailable
from jackpot.foreign_text import quote
from jackpot.ledger.journal import Record
from jackpot.named_files import open_regular

NAME = r"[a-z][a-z0-9-]{0,23}"
NAME_RULE = "a name is 1 to 24 of a to z, 0 to 9 and -, beginning with a letter"

NUMBER = r"[1-9][0-9]{7}"
NUMBER_RULE = "a number is eight digits, the first of them not 0"

LONGEST_FILE = 1024 * 1024
MODE = 0o640

HEADER = (
    "# Written by banco enrol. Records name people by these numbers; an erased name is empty.\n"
)

IN_RECORDS = ("who", "second", "by", "whom")
"""The facts of acts and decisions that name people."""

PersonNames = Mapping[str, str]
"""Names by number, as text; "" is an erased one, whose number is not given again."""


def is_name(text: str) -> bool:
    """Return whether this is a valid name."""
    return re.fullmatch(NAME, text) is not None


def is_number(text: str) -> bool:
    """Return whether a record may name a person by this."""
    return re.fullmatch(NUMBER, text) is not None


def names_beside(people: Path) -> Path:
    """The file of names that belongs to a file of people: `people-names.toml`."""
    return people.with_name(f"{people.stem}-names.toml")


def load_names(file: Path) -> PersonNames:
    """Read the names; none without a file. Raises LedgerUnavailable."""
    try:
        with open_regular(file) as opened:
            content = parse_toml(read_open_file(opened, LONGEST_FILE))
    except FileNotFoundError:
        return {}
    except (OSError, FileUnusable) as error:
        raise LedgerUnavailable(f"{file}: {error}") from error
    for number, name in content.items():
        if not is_number(number):
            raise LedgerUnavailable(f"{file}: {quote(number)}: {NUMBER_RULE}")
        if name != "" and not is_name(str(name)):
            raise LedgerUnavailable(f"{file}: {number}: {quote(str(name))}: {NAME_RULE}")
    return content


def save_names(file: Path, names: PersonNames, owner: Owner | None) -> None:
    """Replace the file as a whole. Raises OSError, as `write_whole` does."""
    text = HEADER + "".join(f'{number} = "{names[number]}"\n' for number in sorted(names))
    write_whole(file, text.encode(), mode=MODE, owner=owner)


def choose_number(names: PersonNames) -> str:
    """A number that nobody has had.

    It is drawn, not counted: the people of two tables, or of a list begun anew, have other ones.
    """
    while (number := str(10_000_000 + secrets.randbelow(90_000_000))) in names:
        pass
    return number


def names_of_ledger(ledger: Path) -> PersonNames:
    """The names for the records in this folder.

    They lie in it (an auditor's copy), beside it (a simulation) or in this machine's /etc/banco.
    Who may not read the file has none. Raises LedgerUnavailable.
    """
    name = PEOPLE_FILE.name
    for people in (ledger / name, ledger.parent / name, PEOPLE_FILE):
        file = names_beside(people)
        if os.access(file, os.R_OK):
            return load_names(file)
    return {}


def name_people(records: Iterable[Record], ledger: Path) -> Iterator[Record]:
    """The records of this folder for people to read: names where there are any, else numbers.

    They are not held against their hashes any more. Raises LedgerUnavailable.
    """
    names = names_of_ledger(ledger)
    for record in records:
        yield name_people_in(record, names)


def name_people_in(record: Record, names: PersonNames) -> Record:
    """One record, with these names in place of their numbers."""
    if not names:
        return record
    body = dict(record.body)
    if isinstance(act := body.get("act"), Mapping):
        body["act"] = _with_names(act, names)
    if isinstance(decisions := body.get("decisions"), list):
        body["decisions"] = [
            _with_names(one, names) if isinstance(one, Mapping) else one for one in decisions
        ]
    return replace(record, body=body)


def _with_names(facts: Mapping[str, Any], names: PersonNames) -> dict[str, Any]:
    named = {
        fact: names.get(str(facts[fact])) or facts[fact] for fact in IN_RECORDS if fact in facts
    }
    return {**facts, **named}
