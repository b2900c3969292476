"""The release that a table runs: what its start found, and the last ten changes of it.

docs/reference/rules.md, section 7; docs/reference/release-list.md. A checkout is no release, and a
simulation does not look for one: neither has marks.
"""

from collections.abc import Mapping

from msgspec import Struct

from devices.boards import BoardImage

MOST_CHANGES = 10
"""The changes that a table keeps."""


class ReleaseFound(Struct, frozen=True):
    """What a start found: the release that its list names, and what is not as the list says.

    `digest`: SHA-256 of the list; `key`: of the public key whose signature it has. Both are "" for
    a list that is not signed or missing. `problem`: "" if all is right. `at`: the time's label.
    `boards`: the digest of each kind's image, by the kind as its boards name it.
    """

    version: str
    digest: str
    key: str
    at: str
    problem: str = ""
    boards: Mapping[str, str] = {}


class ProgramChanged(Struct, frozen=True):
    """An act: a later look has found that the program is not as its list says."""

    why: str


class ReleaseChange(Struct, frozen=True):
    """A release that was started for the first time after another one."""

    version: str
    digest: str
    at: str


class ReleaseMarks(Struct, frozen=True):
    """`key`: whose signature the table believes. `problem`: of this run, "" if all is right.

    `changes`: the newest last. `boards`: as in `ReleaseFound`. `images`: what the board of each
    device has said in this run.
    """

    key: str
    changes: tuple[ReleaseChange, ...] = ()
    problem: str = ""
    boards: Mapping[str, str] = {}
    images: Mapping[str, BoardImage] = {}

    def after(self, found: ReleaseFound) -> "ReleaseMarks":
        """The marks after a start that found this."""
        changes = self.changes
        if found.digest and (not changes or changes[-1].digest != found.digest):
            new = ReleaseChange(found.version, found.digest, found.at)
            changes = (*changes, new)[-MOST_CHANGES:]
        return ReleaseMarks(found.key or self.key, changes, found.problem, found.boards)
