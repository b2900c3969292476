"""`python -m tests.console.link`: random schedules over the model of the centre (docs/dev/soak.md).

Prints a line of JSON. Exit status 1: something was wrong; the seed is told that repeats it.
"""

import argparse
import json
import os
import secrets
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed

from tests.console.link.centres import make_model
from tests.console.link.schedules import ScheduleFailed, play_schedule

SCHEDULES = 10_000
A_PORTION = 100
FAULTS = (
    "call lost",
    "answer lost",
    "restarts",
    "clones woken",
    "LINK_FENCED",
    "LINK_GAP",
    "promotions",
    "restores",
)


def play_portion(seeds: range) -> tuple[Counter[str], list[str]]:
    """Schedules, in a process of its own: what happened, and what was wrong."""
    counts, failures = Counter[str](), []
    for seed in seeds:
        try:
            counts += play_schedule(make_model, seed)
        except ScheduleFailed as failed:
            failures.append(str(failed))
    return counts, failures


def portions(first: int, schedules: int) -> list[range]:
    """The seeds, a portion for each turn of a process."""
    end = first + schedules
    return [range(one, min(one + A_PORTION, end)) for one in range(first, end, A_PORTION)]


def main(arguments: list[str] | None = None) -> int:
    """Play; 1: something was wrong."""
    parser = argparse.ArgumentParser(description="random schedules of linked tables")
    parser.add_argument("--schedules", type=int, default=SCHEDULES, help=f"default: {SCHEDULES}")
    parser.add_argument("--seed", type=int, default=None, help="default: another one each time")
    asked = parser.parse_args(arguments)
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    began, counts, failures = time.monotonic(), Counter[str](), list[str]()
    with ProcessPoolExecutor(os.cpu_count() or 1) as processes:
        for portion in as_completed(
            processes.submit(play_portion, seeds) for seeds in portions(seed, asked.schedules)
        ):
            more, wrong = portion.result()
            counts += more
            failures += wrong
    for failure in failures:
        print(f"{failure}\n  again: make links SEED=<its seed> SCHEDULES=1", file=sys.stderr)
    report = {
        "seed": seed,
        "schedules": asked.schedules,
        "faults": sum(counts[kind] for kind in FAULTS),
        "awards": counts["awards"],
        "shared": counts["shared"],
        "losses": len(failures),
        "by kind": dict(sorted(counts.items())),
        "seconds": round(time.monotonic() - began),
    }
    print(json.dumps(report))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
