"""The clock of a tournament: levels and breaks, and its row at the centre. Times in ms.

docs/reference/poker-rules.md, section 16; docs/dev/decisions/0012-tournaments.md.
"""

from msgspec import Struct

from console.rules.structs import replace

MINUTE_MS = 60_000
HAND_COSTS_MS = 2 * MINUTE_MS
"""What a hand costs, hand for hand."""


class Blinds(Struct, frozen=True):
    """The blinds of a level, and its ante."""

    small: int
    big: int
    ante: int = 0

    def __str__(self) -> str:
        """As people write them: `200/400/50`."""
        ante = f"/{self.ante}" if self.ante else ""
        return f"{self.small}/{self.big}{ante}"


class Step(Struct, frozen=True, omit_defaults=True):
    """A level, or without blinds a break. `goes_on`: the level before the break, once more."""

    ms: int
    blinds: Blinds | None = None
    goes_on: bool = False

    @property
    def is_new_level(self) -> bool:
        """Whether a level begins with it."""
        return self.blinds is not None and not self.goes_on


Steps = tuple[Step, ...]
"""A structure: its first step is a level, and so is its last one, which has no end."""


def end_with_level(steps: Steps) -> Steps:
    """After a break that is the last step the last level goes on, without end."""
    if not steps or steps[-1].blinds is not None:
        return steps
    last = [step for step in steps if step.blinds is not None][-1]
    return (*steps, Step(0, last.blinds, goes_on=True))


class TournamentClock(Struct, frozen=True):
    """Where the clock stands: `left_ms` of the step at the time `at`.

    `running`: as it was declared. `held`: hand for hand, which stops a level and no break.
    `resumes_ms`: what the step has left after an extra break, whose `left_ms` it is; None: no such
    break.
    """

    step: int = 0
    left_ms: int = 0
    running: bool = False
    held: bool = False
    at: int = 0
    resumes_ms: int | None = None

    def is_break(self, steps: Steps) -> bool:
        """Whether it is a break's clock."""
        return self.resumes_ms is not None or steps[self.step].blinds is None

    def ticks(self, steps: Steps) -> bool:
        """Whether time passes: not while it is stopped, nor in a level played hand for hand."""
        return self.running and (not self.held or self.is_break(steps))

    def reckon_left(self, steps: Steps, now: int) -> int:
        """What the step has left."""
        passed = now - self.at if self.ticks(steps) else 0
        return max(0, self.left_ms - passed)


def begin_clock(steps: Steps) -> TournamentClock:
    """The clock before the tournament: the first level whole, not running."""
    return TournamentClock(left_ms=steps[0].ms)


def lengths_of(steps: Steps) -> tuple[int, ...]:
    """How long each step is, in ms."""
    return tuple(step.ms for step in steps)


def name_steps(steps: Steps) -> tuple[str, ...]:
    """The blinds of each level as people write them; of a break ""."""
    return tuple(str(step.blinds or "") for step in steps)


def level_at(steps: Steps, step: int) -> int:
    """The level of a step; of a break, the one before it."""
    return sum(1 for one in steps[: step + 1] if one.is_new_level)


def step_of(steps: Steps, level: int) -> int | None:
    """The step of a level; None if there is no such level."""
    levels = [place for place, step in enumerate(steps) if step.is_new_level]
    return levels[level - 1] if 1 <= level <= len(levels) else None


def advance_clock(clock: TournamentClock, steps: Steps, now: int) -> TournamentClock:
    """Begin the next level or break once the time of the one before is over.

    The last one does not end.
    """
    last = len(steps) - 1
    while clock.ticks(steps) and now - clock.at >= clock.left_ms:
        if clock.resumes_ms is None and clock.step == last:
            break
        clock = _end_part(replace(clock, at=clock.at + clock.left_ms), steps)
    return clock


def _end_part(clock: TournamentClock, steps: Steps) -> TournamentClock:
    """The next level or break; after an extra break what was left of the level."""
    if clock.resumes_ms is not None:
        return replace(clock, left_ms=clock.resumes_ms, resumes_ms=None)
    return replace(clock, step=clock.step + 1, left_ms=steps[clock.step + 1].ms)


def skip_break(clock: TournamentClock, steps: Steps) -> TournamentClock:
    """The clock at the end of the break that it shows; in a level the same."""
    while clock.is_break(steps):
        clock = _end_part(clock, steps)
    return clock


def mark_clock(clock: TournamentClock, steps: Steps, now: int) -> TournamentClock:
    """The same clock, with what it has left now."""
    return replace(clock, left_ms=clock.reckon_left(steps, now), at=now)


def add_break(clock: TournamentClock, steps: Steps, now: int, ms: int) -> TournamentClock:
    """An extra break begins; another one makes it longer."""
    clock = mark_clock(clock, steps, now)
    if clock.resumes_ms is not None:
        return replace(clock, left_ms=clock.left_ms + ms)
    return replace(clock, left_ms=ms, resumes_ms=clock.left_ms)


def run_clock(clock: TournamentClock, steps: Steps, now: int, *, running: bool) -> TournamentClock:
    """It runs from now on, or stands."""
    return replace(mark_clock(clock, steps, now), running=running)


def hold_clock(clock: TournamentClock, steps: Steps, now: int, *, held: bool) -> TournamentClock:
    """Its levels stand from now on, or run again as was declared."""
    return replace(mark_clock(clock, steps, now), held=held)


def take_hand(clock: TournamentClock, steps: Steps, now: int) -> TournamentClock:
    """Take what a hand costs, hand for hand. What a level lacks comes off the next one.

    A break that is so reached begins whole.
    """
    clock = mark_clock(clock, steps, now)
    left, step = clock.left_ms - HAND_COSTS_MS, clock.step
    while left <= 0 and step < len(steps) - 1:
        step += 1
        if steps[step].blinds is None:
            left = steps[step].ms
            break
        left += steps[step].ms
    return replace(clock, step=step, left_ms=max(0, left))


ASKED_EVERY_S = 0.2
"""How often a table asks for the row."""

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
