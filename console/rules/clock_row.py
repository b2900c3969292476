"""The wire between a poker table and the row of its tournament's clock at the centre.

docs/reference/poker-rules.md, section 16; docs/dev/decisions/0012-tournaments.md.
"""

from msgspec import Struct

ASKED_EVERY_S = 0.2
LOST_AFTER_S = 5.0
"""Nothing answered for so long: the table counts on by itself."""


class ClockFace(Struct, frozen=True):
    """What all tables of a tournament have in common: the clock, and hand for hand.

    `paid`: the number of the go up to which hands have cost their time. `resumes_ms`: as in
    `TournamentClock`.
    """

    step: int
    left_ms: int
    running: bool
    held: bool
    hand_for_hand: bool
    owes: bool
    paid: int
    resumes_ms: int | None = None


class ClockRow(Struct, frozen=True):
    """The row, as the centre answers. `face` held `age_ms` ago; `go`: how many were sent.

    `n`: the last change of this table that was taken.
    """

    version: int
    face: ClockFace
    go: int
    n: int
    age_ms: int


class ClockCall(Struct, frozen=True):
    """A table asks for the row; with a new `n`, made from `version`, it would have it so.

    `playing`: a hand is played here. `go_asked`: a go is asked for. `players`: of this table.
    `entries`, `chips`: of the tournament, as they were declared here; 0: they were not.
    """

    tournament: str
    playing: bool
    version: int
    n: int
    face: ClockFace
    go_asked: bool
    players: int
    entries: int = 0
    chips: int = 0
