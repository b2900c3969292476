"""From an edge on a pin to what it sets off: processor time and wall time, beside others."""

from collections.abc import Iterator
from statistics import median
from typing import Any

from tests.bench.contenders import Contender, alternately, column, python_of, running
from tests.bench.figures import Figure, Goal, percentile, ratio

TIMES = 7
PACED = {"presses": 60, "pause_ms": 6}
"""As at a table: everything has fallen asleep between two edges. The buttons settle in 5 ms."""

BACK_TO_BACK = {"presses": 500, "pause_ms": 0}
"""One press after the other: what the software takes when the processor is awake and warm."""

RECORDED = "mpf_seven_coils_and_record"
"""The peer: lamps of seven seats change with each press, and each press is on record first."""

GOALS = {"paced": Goal(1.2, RECORDED), "back_to_back": Goal(1.0, RECORDED)}
GOAL_UNWRITTEN = Goal(1.0, "mpf_seven_coils")
WALL_GOALS = {"paced": Goal(1.5, RECORDED), "back_to_back": None}
UNIT = "us per press and release"
Answers = dict[str, list[dict[str, Any]]]


def measure() -> Iterator[Figure]:
    """Ours as it ships and without the settling time; MPF's event path; gpiozero's own ways."""
    mpf = python_of("mpf")
    with running(
        as_it_ships=Contender("table_edge", "5"),
        without_settling=Contender("table_edge", "0"),
        without_ledger=Contender("table_edge", "0", "unwritten"),
        mpf=Contender("peer_mpf_edge", "s_one", python=mpf),
        mpf_seven_coils=Contender("peer_mpf_edge", "s_seven", python=mpf),
        **{RECORDED: Contender("peer_mpf_edge", "s_seven", "recorded", python=mpf)},
        gpiozero_events=Contender("peer_gpiozero_edge", "events"),
        gpiozero_source=Contender("peer_gpiozero_edge", "source"),
    ) as contenders:
        paced = alternately(contenders, TIMES, **PACED)
        for name in ("as_it_ships", "gpiozero_source"):  # the one waits 5 ms, the other up to 10
            del contenders[name]
        back_to_back = alternately(contenders, TIMES, **BACK_TO_BACK)
    yield _processor("paced", "as_it_ships", paced, GOALS["paced"])
    yield _processor("back_to_back", "without_settling", back_to_back, GOALS["back_to_back"])
    yield _processor("back_to_back", "without_ledger", back_to_back, GOAL_UNWRITTEN)
    for kind, answers in (("paced", paced), ("back_to_back", back_to_back)):
        walls = {
            name: [us for one in given for us in one["walls_us"]] for name, given in answers.items()
        }
        yield _wall(kind, walls, 50, None)
        yield _wall(kind, walls, 99, WALL_GOALS[kind])


def _processor(kind: str, ours: str, answers: Answers, goal: Goal) -> Figure:
    spent = {name: column(given, "processor_us") for name, given in answers.items()}
    others = [name for name in spent if name != ours]
    return Figure(
        f"edge_to_lamps.processor.{kind}.{ours}",
        median(spent[ours]),
        UNIT,
        goal,
        {name: median(spent[name]) for name in others},
        {name: ratio(spent[ours], spent[name]) for name in others},
    )


def _wall(kind: str, walls: dict[str, list[float]], percent: int, goal: Goal | None) -> Figure:
    at = {name: percentile(us, percent) for name, us in walls.items()}
    ours = at.pop("without_settling")
    return Figure(
        f"edge_to_lamps.wall_p{percent}.{kind}",
        ours,
        "us, without_settling",
        goal,
        at,
        {name: ours / theirs for name, theirs in at.items()},
        more={"presses": len(walls["without_settling"])},
    )
