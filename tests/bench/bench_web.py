"""What 200 browsers before the signs cost the table, and how soon they have a jackpot's change."""

from collections.abc import Iterator
from itertools import chain
from statistics import median

from tests.bench.contenders import Contender, running
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
    counts = {"presses": PRESSES * TURNS, "messages": messages}
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
