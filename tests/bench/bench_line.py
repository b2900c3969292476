"""The technician's line: bytes a key costs, ours beside prompt_toolkit's; and what noise costs."""

from collections.abc import Iterator, Mapping, Sequence

from console.technician.terminal.terminal import Escapes
from tests.bench.contenders import Contender, running
from tests.bench.figures import Figure, Goal
from tests.bench.line_typing import our_costs, their_costs
from tests.console.technician.terminal.session_keys import SESSION
from tests.console.technician.terminal.typist import BACKSPACE, LEFT, UP

BYTES_A_KEY = 40
"""Fewer, without completion: at 9600 baud 40 bytes take 42 ms."""

TYPED = (*"lamp 3 alert",)
KEYS: Mapping[str, tuple[Sequence[str], int]] = {
    "typed_at_the_end": (TYPED, len(TYPED)),
    "typed_in_the_middle": ((*TYPED, *[LEFT] * 6, *"12 "), 3),
    "backspace_at_the_end": ((*TYPED, *[BACKSPACE] * 6), 6),
    "backspace_in_the_middle": ((*TYPED, *[LEFT] * 6, *[BACKSPACE] * 3), 3),
    "arrow": ((*TYPED, *[LEFT] * 6), 6),
    "recalled": ([UP, UP, UP], 3),
}
"""A line's keys, and how many of them, from the last, are counted."""

BEFORE = ((*"status",), (*"watch panel",), (*"rail frames 12",))
"""Lines there are to be recalled."""

NOISE = 10_240_000
WIRE = 11_520
FLOOD = 1_000_000


def measure() -> Iterator[Figure]:
    """Bytes a key, of which the goal is the worst of a session; processor time and memory."""
    for name, (keys, counted) in KEYS.items():
        ours, theirs = (sum(costs[-counted:]) / counted for costs in _both([*BEFORE, keys]))
        more = {"dumb": sum(our_costs([*BEFORE, keys], Escapes.NEVER)[-counted:]) / counted}
        yield Figure(
            f"line.{name}",
            ours,
            "bytes per key",
            peers={"prompt_toolkit": theirs},
            ratios={"prompt_toolkit": ours / theirs},
            more={key: round(value, 2) for key, value in more.items()},
        )
    yield from _session()
    yield from _noise()


def _both(lines: Sequence[Sequence[str]]) -> tuple[list[int], list[int]]:
    return our_costs(lines, Escapes.ONCE_SENT), their_costs(lines)


def _session() -> Iterator[Figure]:
    ours, theirs = _both(SESSION)
    dumb = our_costs(SESSION, Escapes.NEVER)
    for name, of in (("average", lambda costs: sum(costs) / len(costs)), ("worst", max)):
        yield Figure(
            f"line.session.{name}",
            of(ours),
            "bytes per key",
            Goal(BYTES_A_KEY - 1),
            {"prompt_toolkit": of(theirs)},
            {"prompt_toolkit": of(ours) / of(theirs)},
            {"dumb": round(of(dumb), 2), "keys": len(ours)},
        )


def _noise() -> Iterator[Figure]:
    with running(flood=Contender("line_noise"), wire=Contender("line_noise")) as contenders:
        flood = contenders["flood"].ask(size=NOISE, rate=FLOOD)
        yield Figure(
            "line.noise.as_fast_as_taken",
            flood["s"],
            "s of processor for 10 MB",
            more={"grown_kb": flood["grown_kb"]},
        )
        wire = contenders["wire"].ask(size=NOISE // 10, rate=WIRE)
        yield Figure(
            "line.noise.at_115200_baud",
            wire["s"] / (NOISE / 10 / WIRE),
            "of a processor while it lasts",
            more={"grown_kb": wire["grown_kb"]},
        )
