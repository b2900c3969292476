"""The file of changes beside the file of people: what `banco enrol` and `banco pin` have done.

The service puts each on record. Nobody's PIN is in it.
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from console.configuration.whole_file import Owner, write_whole
from console.line.access.people import LONGEST_FILE, MODE
from console.rules.acts import PeopleChange, PeopleChanged
from console.rules.codes import Duty
from jackpot.named_files import open_regular

MOST_CHANGES = 256
"""The most changes kept; the table has all of them on record."""

LONGEST_CHANGES = MOST_CHANGES * 1024


def changes_beside(people: Path) -> Path:
    """The file of changes that belongs to a file of people: `people-changes.jsonl`."""
    return people.with_name(f"{people.stem}-changes.jsonl")


def read_changes(people: Path) -> tuple[PeopleChanged, ...]:
    """The changes of the list in this file, oldest first; none without a file.

    Raises OSError; ValueError for a damaged file.
    """
    try:
        with open_regular(changes_beside(people)) as opened:
            content = opened.read(LONGEST_CHANGES)
    except FileNotFoundError:
        return ()
    return tuple(
        msgspec.json.decode(line, type=PeopleChanged) for line in content.splitlines() if line
    )


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
    """Note a change that was just written. Raises OSError."""
    try:
        before = read_changes(people)
    except ValueError:  # damaged: the record has what was noted before
        before = ()
    number = before[-1].number + 1 if before else 1
    made = PeopleChanged(change, by, whom, tuple(duties), number, hash_people(people))
    lines = [msgspec.json.encode(one) for one in (*before, made)][-MOST_CHANGES:]
    file = changes_beside(people)
    write_whole(file, b"".join(line + b"\n" for line in lines), mode=MODE, owner=owner)
