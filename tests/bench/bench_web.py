"""What 200 browsers before the signs cost the table, and how soon they have a jackpot's change.

Table and pages have the weights of their units, each in a control group of its own, where this user
may make some; the browsers are in a third one that is idle, because they are other computers.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from statistics import median

from tests.bench.contenders import ROOT, Contender, running
from tests.bench.figures import Figure, Goal, percentile, ratio
from tests.free_port import free_port

VIEWERS = 200
TURNS = 15
PRESSES = 200
PACED = {"presses": PRESSES, "pause_ms": 6}
CHANGES = 100
AT_MOST = 1.2
REACHED_MS = 200.0
WALL_US = "us, edge to lamps"

CPU_GROUPS = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")
"""Of cgroup v1, where systemd's 100 is 1,024 shares, and of v2."""

POLICY = os.SCHED_IDLE
"""Of pages and viewers, as banco-web.service has it: a busy machine may never run them."""

UNITS = {"table": "banco.service", "pages": "banco-web.service", "crowd": "banco-web.service"}


def measure() -> Iterator[Figure]:
    """Edges of one table without and with viewers in turn, beside one without pages."""
    port = free_port()
    with (
        groups_of_units() as groups,
        running(
            table=Contender("table_web", str(port), groups["table"], groups["pages"], str(POLICY)),
            without_pages=Contender("table_web", "0", groups["table"], "", str(POLICY)),
            crowd=Contender("web_crowd", str(port), groups["crowd"], str(POLICY)),
        ) as contenders,
    ):
        yield from _edges(contenders, bool(groups["table"]))
        yield _change(contenders)


@contextmanager
def groups_of_units() -> Iterator[dict[str, str]]:
    """Control groups with the units' CPUWeight=; "" for each where none can be made."""
    parent = next((path for path in CPU_GROUPS if (path / "cpu.stat").exists()), CPU_GROUPS[-1])
    groups = {name: parent / f"banco-bench-{name}" for name in UNITS}
    try:
        try:
            for name, group in groups.items():
                group.mkdir(exist_ok=True)
                _weigh(group, UNITS[name])
        except OSError:
            groups = {}
        yield {name: str(groups.get(name, "")) for name in UNITS}
    finally:
        for name in UNITS:
            with suppress(FileNotFoundError):
                (parent / f"banco-bench-{name}").rmdir()


def _weigh(group: Path, unit: str) -> None:
    """Give a group what a unit's CPUWeight= gives to its own. Raises OSError."""
    (weight,) = re.findall(r"(?m)^CPUWeight=(\w+)$", (ROOT / "systemd" / unit).read_text("utf-8"))
    if weight == "idle":
        (group / "cpu.idle").write_text("1", "ascii")
    elif (group / "cpu.shares").exists():
        (group / "cpu.shares").write_text(str(int(weight) * 1024 // 100), "ascii")
    else:
        (group / "cpu.weight").write_text(weight, "ascii")


def _edges(contenders: dict[str, Contender], weighed: bool) -> Iterator[Figure]:
    walls: dict[str, list[list[float]]] = {"without_pages": [], "no_viewer": [], "viewers": []}
    table, crowd = contenders["table"], contenders["crowd"]
    messages = 0
    for turn in range(TURNS + 1):
        asked = {"without_pages": contenders["without_pages"].ask(**PACED)["walls_us"]}
        crowd.ask(viewers=0)
        asked["no_viewer"] = table.ask(**PACED)["walls_us"]
        before = crowd.ask(viewers=VIEWERS)["messages"]
        asked["viewers"] = table.ask(**PACED)["walls_us"]
        if turn:  # the first is warm-up
            messages += crowd.ask(viewers=VIEWERS)["messages"] - before
            for name, times in asked.items():
                walls[name].append(times)
    counts = {"presses": PRESSES * TURNS, "messages": messages, "weights_of_units": weighed}
    yield _wall(50, walls, counts, None)
    yield _wall(99, walls, counts, Goal(AT_MOST, "no_viewer"))


def _wall(
    percent: int, walls: dict[str, list[list[float]]], counts: dict[str, int], goal: Goal | None
) -> Figure:
    """Of all presses; the ratios are medians of turns that came one after the other."""
    turns = {name: [percentile(one, percent) for one in asked] for name, asked in walls.items()}
    whole = {name: percentile(list(chain(*asked)), percent) for name, asked in walls.items()}
    ours, of_all = turns.pop("viewers"), whole.pop("viewers")
    ratios = {name: ratio(ours, theirs) for name, theirs in turns.items()}
    name = f"web.edge_to_lamps.wall_p{percent}.{VIEWERS}_viewers"
    return Figure(name, of_all, WALL_US, goal, whole, ratios, counts)


def _change(contenders: dict[str, Contender]) -> Figure:
    table, crowd = contenders["table"], contenders["crowd"]
    crowd.ask(viewers=VIEWERS)
    took = []
    for _ in range(CHANGES):
        changed = table.ask()
        seen = crowd.ask(amount=changed["amount"])
        took.append((seen["last"] - changed["at"]) * 1000)
    return Figure(
        f"web.jackpot_to_{VIEWERS}_signs",
        max(took),
        "ms, until the last sign has it, the slowest of all changes",
        Goal(REACHED_MS),
        more={"p50": round(median(took), 1), "changes": CHANGES},
    )
