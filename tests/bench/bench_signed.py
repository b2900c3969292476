"""What a signed seal costs an act: a commit and an edge, beside the same with a seal as it was.

The seal's thread signs once a second; no act waits for it, but it uses the same processor.
"""

import random
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event
from time import perf_counter

from console.service.table_ledger import TableLedger
from jackpot.money.movements import stake
from tests.bench.bench_commit import PACE_S, WARM_UP
from tests.bench.bench_edge import BACK_TO_BACK, TIMES, UNIT
from tests.bench.contenders import ROOT, Contender, alternately, column, running
from tests.bench.figures import Figure, Goal, ratio
from tests.bench.sealed import counterparts_in
from tests.jackpot.money import SETTINGS, entry

GOAL = Goal(1.05, "unsigned")

COMMITS = 2_000
"""Each a token accepted."""


def time_commits() -> list[tuple[float, float]]:
    """The milliseconds of each commit with a signed seal, and of the same with a seal unsigned."""
    lot, pause, measured = random.Random(5), Event(), []
    with ExitStack() as opened:
        ledgers = [open_ledger(opened, signed=signed) for signed in (True, False)]
        for number in range(COMMITS + WARM_UP):
            accepted = entry(stake(SETTINGS, f"token {number}"), round=number)
            first = lot.randrange(2)
            spent = [0.0, 0.0]
            for which in (first, 1 - first):
                began = perf_counter()
                ledgers[which].commit([accepted])
                spent[which] = (perf_counter() - began) * 1000
            measured.append((spent[0], spent[1]))
            pause.wait(PACE_S)
    return measured[WARM_UP:]


def open_ledger(opened: ExitStack, *, signed: bool) -> TableLedger:
    """A new ledger on the real disk, until `opened` ends."""
    folder = Path(opened.enter_context(TemporaryDirectory(dir=ROOT / ".venv")))
    counterparts = counterparts_in(folder, signed=signed)
    ledger = opened.enter_context(
        closing(TableLedger(folder / "ledger", counterparts=counterparts, begins=True))
    )
    ledger.open()
    return ledger


def measure() -> Iterator[Figure]:
    """Commits, by the median of their pairs' ratios; an edge's processor time."""
    measured = time_commits()
    signed, unsigned = [one[0] for one in measured], [one[1] for one in measured]
    yield _figure("signed.commit", "ms", signed, unsigned)
    with running(
        signed=Contender("table_edge", "0", "signed"),
        unsigned=Contender("table_edge", "0", "unsigned"),
    ) as contenders:
        answers = alternately(contenders, TIMES, **BACK_TO_BACK)
    edges = [column(answers[name], "processor_us") for name in ("signed", "unsigned")]
    yield _figure("signed.edge", UNIT, *edges)


def _figure(name: str, unit: str, signed: list[float], unsigned: list[float]) -> Figure:
    others, ratios = {"unsigned": median(unsigned)}, {"unsigned": ratio(signed, unsigned)}
    return Figure(name, median(signed), unit, GOAL, others, ratios)
