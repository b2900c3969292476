"""Frames, clean and hostile: ours beside pymodbus's RTU framer, on payloads of the same size."""

from collections.abc import Iterator, Mapping
from statistics import median

from tests.bench.contenders import Contender, alternately, column, python_of, running
from tests.bench.figures import Figure, Goal, ratio, round_figure

TIMES = 7
AT_LEAST = 3.0
CLEAN = ("encode", "decode")
HOSTILE = ("noise_between", "endless_run", "byte_at_a_time")
SIZES = (40_000, 80_000, 160_000)
LINEAR = 1.25
"""How much longer four times the bytes may take than four times the time: a shared machine."""


def measure() -> Iterator[Figure]:
    """Microseconds a frame; nanoseconds a byte of hostile input, and how they grow with it."""
    with running(
        banco=Contender("table_frames"),
        pymodbus=Contender("peer_pymodbus_frames", python=python_of("pymodbus")),
    ) as contenders:
        for what in CLEAN:
            answers = alternately(contenders, TIMES, what=what, size=2_000)
            ours, theirs = (column(answers[name], "us") for name in ("banco", "pymodbus"))
            yield _beside(f"frames.{what}", ours, theirs, "us per frame")
        for what in HOSTILE:
            yield from _hostile(contenders, what)


def _hostile(contenders: dict[str, Contender], what: str) -> Iterator[Figure]:
    ours: dict[int, list[float]] = {}
    theirs: dict[int, list[float]] = {}
    found: dict[str, float] = {}
    for size in SIZES:
        answers = alternately(contenders, TIMES, what=what, size=size)
        ours[size], theirs[size] = (column(answers[name], "us") for name in ("banco", "pymodbus"))
        found = {f"{name}_frames_found": given[-1]["found"] for name, given in answers.items()}
    shortest, _, longest = SIZES
    per_byte = 1000 / longest
    yield _beside(
        f"frames.{what}",
        [us * per_byte for us in ours[longest]],
        [us * per_byte for us in theirs[longest]],
        "ns per byte",
        found,
    )
    yield Figure(
        f"frames.{what}.growth",
        ratio(ours[longest], ours[shortest]),
        "times the time for 4 times the bytes",
        Goal(4 * LINEAR),
        {"pymodbus": ratio(theirs[longest], theirs[shortest])},
        more={"ms_at": {size: round_figure(median(us) / 1000) for size, us in ours.items()}},
    )


def _beside(
    name: str,
    ours: list[float],
    theirs: list[float],
    unit: str,
    found: Mapping[str, float] | None = None,
) -> Figure:
    return Figure(
        name,
        median(ours),
        unit,
        Goal(AT_LEAST, "pymodbus", at_least=True),
        {"pymodbus": median(theirs)},
        {"pymodbus": ratio(theirs, ours)},
        found or {},
    )
