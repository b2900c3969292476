"""What a table costs while nothing happens: processor and wake-ups of each of its processes.

`service`: its boards and its display are another process, on pseudo-terminals, as a real table's
are on serial lines. `simulated`: they are in the service's process, as in a whole simulation.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic

from tests.bench.bench_start import BANCO
from tests.bench.contenders import ROOT
from tests.bench.figures import Figure, Goal
from tests.free_port import free_port

SETTLE_S = 20.0
"""Until what a start leaves behind is done."""

SPAN_S = 60.0

START_S = 30.0

END_S = 30.0

GOAL_PERCENT = 0.2
"""Of one core, for the service."""

BOARDS_THERE = b"ready\n"


@dataclass(frozen=True, slots=True)
class Spent:
    """Processor seconds, and how often a thread has fallen asleep, since the process began."""

    processor_s: float
    sleeps: int


def read_spent(process: int) -> Spent:
    """What the kernel says of all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    sleeps = 0
    for status in Path(f"/proc/{process}/task").glob("*/status"):
        lines = status.read_text("ascii").splitlines()
        sleeps += sum(int(line.split()[1]) for line in lines if line.startswith("voluntary"))
    return Spent(ticks / os.sysconf("SC_CLK_TCK"), sleeps)


def children_of(process: int) -> list[int]:
    """The processes that it has started."""
    return [
        int(child)
        for listing in Path(f"/proc/{process}/task").glob("*/children")
        for child in listing.read_text("ascii").split()
    ]


def measure() -> Iterator[Figure]:
    """With pages that nobody watches; both tables at the same time."""
    wait = Event().wait
    with (
        TemporaryDirectory() as folder,
        run_boards(Path(folder)),
        run_idle("-m", "tests.bench.table_idle", folder, str(free_port())) as service,
        run_idle("-c", BANCO, "run", "--sim", "--web", f"127.0.0.1:{free_port()}") as simulated,
    ):
        processes = {
            "service": service,
            "simulated": simulated,
            "pages": find_pages(service),
        }
        wait(SETTLE_S)
        before = {name: read_spent(process) for name, process in processes.items()}
        wait(SPAN_S)
        after = {name: read_spent(process) for name, process in processes.items()}
    for name in processes:
        seconds = after[name].processor_s - before[name].processor_s
        wakeups = (after[name].sleeps - before[name].sleeps) / SPAN_S
        yield Figure(
            f"idle.{name}",
            seconds / SPAN_S * 100,
            "% of one core",
            Goal(GOAL_PERCENT) if name == "service" else None,
            more={"wakeups_per_second": round(wakeups, 1)},
        )


@contextmanager
def run_boards(folder: Path) -> Iterator[None]:
    """Boards and display on pseudo-terminals in the folder."""
    boards = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.idle_boards", str(folder)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        if boards.stdout is None or boards.stdout.readline() != BOARDS_THERE:
            raise RuntimeError("the boards have not started")
        yield
    finally:
        boards.communicate(timeout=END_S)


@contextmanager
def run_idle(*arguments: str) -> Iterator[int]:
    """The process of a table's service."""
    with TemporaryDirectory() as folder:
        service = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**os.environ, "XDG_STATE_HOME": folder, "TMPDIR": folder},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield service.pid
        finally:
            service.terminate()
            service.communicate(timeout=END_S)


def find_pages(service: int) -> int:
    """The process of the pages, as soon as the service has started it."""
    until = monotonic() + START_S
    while not (children := children_of(service)):
        if monotonic() > until:
            raise TimeoutError(f"the service has started no pages within {START_S:.0f} s")
        Event().wait(0.05)
    return children[0]
