"""What 200 browsers before the signs cost the table, and how soon they have a jackpot's change."""

import socket
from collections.abc import Iterator
from statistics import median

from tests.bench.contenders import Contender, running
from tests.bench.figures import Figure, Goal, percentile

VIEWERS = 200
TURNS = 20
PACED = {"presses": 60, "pause_ms": 6}
CHANGES = 100
AT_MOST = 1.2
REACHED_MS = 200.0
WALL_US = "us, edge to lamps"


def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        port: int = tried.getsockname()[1]
        return port


def measure() -> Iterator[Figure]:
    """Edges of one table without and with viewers in turn, beside one without pages."""
    port = free_port()
    with running(
        table=Contender("table_web", str(port)),
        without_pages=Contender("table_web", "0"),
        crowd=Contender("web_crowd", str(port)),
    ) as contenders:
        yield from _edges(contenders)
        yield _change(contenders)


def _edges(contenders: dict[str, Contender]) -> Iterator[Figure]:
    walls: dict[str, list[float]] = {"without_pages": [], "no_viewer": [], "viewers": []}
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
                walls[name] += times
    presses = len(walls["viewers"])
    for percent, goal in ((50, None), (99, Goal(AT_MOST, "no_viewer"))):
        told = {name: percentile(times, percent) for name, times in walls.items()}
        ours = told.pop("viewers")
        yield Figure(
            f"web.edge_to_lamps.wall_p{percent}.{VIEWERS}_viewers",
            ours,
            WALL_US,
            goal,
            told,
            {name: ours / theirs for name, theirs in told.items()},
            {"presses": presses, "messages": messages},
        )


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
