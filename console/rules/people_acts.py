"""Changes of the people who may act on the line, as a table records them."""

from enum import Enum

from msgspec import Struct

from console.rules.codes import Duty


class PeopleChange(Enum):
    """What was changed."""

    ENROLLED = "enrolled"
    NEW_PIN = "new-pin"
    OWN_PIN = "own-pin"
    REMOVED = "removed"
    ERASED = "erased"
    """The name of somebody who is not enrolled any more; the number stays."""
    BY_HAND = "by-hand"
    """The file is another one, and no command of banco has written it."""


class PeopleChanged(Struct, frozen=True):
    """Somebody was enrolled or removed, or has another PIN.

    `by`: who confirmed it, or the user of the machine who did it, such as `uid 1000`. `whom`: the
    person's number. `number`: of the change in the file of changes. `sha256`: of the list
    afterwards.
    """

    change: PeopleChange
    by: str
    whom: str
    duties: tuple[Duty, ...]
    number: int
    sha256: str


class PinTooOld(Struct, frozen=True):
    """Somebody gave a right PIN that is too old, and was not let in; `uid`: as in `Entered`."""

    who: str
    uid: int | None = None


class PeopleMarks(Struct, frozen=True):
    """The last change on record: its number, and the list's SHA-256 after it."""

    number: int
    sha256: str
