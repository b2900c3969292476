"""`python -m tests.soak`: tables killed at random instants (docs/dev/soak.md).

Prints a line of JSON as each night ends, and one of them all at the end. Exit status 1: something
was wrong; its night's folder is kept, and the command is told that repeats it.
"""

import argparse
import asyncio
import json
import os
import secrets
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from tests.soak.night import Night
from tests.soak.soaking import Failure, NightFailed, Order, again, one_night

KILLS = 2_000
KILLS_A_NIGHT = 50
TABLES_A_PROCESSOR = 2
"""A table that is killed waits for most of its life."""

Counts = Counter[str]


def orders(seed: int, kills: int) -> Iterator[Order]:
    """The nights that are killed so often in all."""
    for number, begun in enumerate(range(0, kills, KILLS_A_NIGHT)):
        yield Order(seed, number, min(KILLS_A_NIGHT, kills - begun))


def soak(order: Order, work: Path) -> tuple[Counts, Failure | None]:
    """One night, in a process of its own; its folder goes where nothing was wrong."""
    folder = work / f"night-{order.number}"
    try:
        night = asyncio.run(one_night(order, folder))
    except NightFailed as failed:
        kept = Path(mkdtemp(prefix="banco-soak-")) / "night"
        shutil.copytree(folder, kept, ignore=shutil.ignore_patterns("line"))
        failure = replace(failed.failure, kept=str(kept))
        return count_results(failed.night, failure.kill + 1, failure), failure
    shutil.rmtree(folder)
    return count_results(night, order.kills, None), None


def count_results(night: Night, kills: int, failure: Failure | None) -> Counts:
    """What came of it. A cycle is a start and how it ended: by a kill, or in order at the end."""
    return Counter(
        cycles=kills + (failure is None),
        kills=kills,
        told=night.lines_compared,
        records=night.seq,
        tokens=len(night.stakes),
        awards=night.awards,
        losses=int(failure is not None and failure.loss),
        failed=int(failure is not None and not failure.loss),
    )


def repeat(kept: Path, times: int) -> int:
    """Repeat a life that went wrong; 1 if it does again."""
    for number in range(times):
        with TemporaryDirectory() as work:
            try:
                asyncio.run(again(kept, Path(work, "night")))
            except NightFailed as failed:
                print(f"wrong again at try {number + 1}: {failed}", file=sys.stderr)
                return 1
    print(f"right {times} times: what was wrong hangs on the instant of the kill", file=sys.stderr)
    return 0


def complain(failure: Failure) -> None:
    """Say what was wrong, and how it is repeated."""
    order = failure.order
    print(
        f"night {order.number}, kill {failure.kill}: {failure.error}\n"
        f"  its acts: {', '.join(failure.log)}\n"
        f"  kept in {failure.kept}\n"
        f"  this life again: make soak AGAIN={failure.kept}\n"
        f"  all of it again: make soak SEED={order.seed}",
        file=sys.stderr,
        flush=True,
    )


def main(arguments: list[str] | None = None) -> int:
    """Soak; 1: something was wrong."""
    parser = argparse.ArgumentParser(description="tables killed at random instants")
    parser.add_argument("--kills", type=int, default=KILLS, help=f"in all (default: {KILLS})")
    parser.add_argument("--seed", type=int, default=None, help="default: another one each time")
    at_once = TABLES_A_PROCESSOR * (os.cpu_count() or 1)
    parser.add_argument("--tables", type=int, default=at_once, help=f"at once: {at_once}")
    parser.add_argument("--again", type=Path, help="repeat the life that this folder was kept of")
    parser.add_argument("--times", type=int, default=20, help="with --again (default: 20)")
    asked = parser.parse_args(arguments)
    if asked.again is not None:
        return repeat(asked.again, asked.times)
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    began, sum_of_all = time.monotonic(), Counter[str]()
    with TemporaryDirectory() as work, ProcessPoolExecutor(asked.tables) as tables:
        nights = [tables.submit(soak, order, Path(work)) for order in orders(seed, asked.kills)]
        for night in as_completed(nights):
            counts, failure = night.result()
            sum_of_all.update(counts)
            so_far = {"seed": seed, **sum_of_all, "seconds": round(time.monotonic() - began)}
            print(json.dumps(so_far), file=sys.stderr, flush=True)
            if failure is not None:
                complain(failure)
    print(json.dumps({"seed": seed, **sum_of_all, "seconds": round(time.monotonic() - began)}))
    return 1 if sum_of_all["losses"] or sum_of_all["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
