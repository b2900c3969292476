"""`python -m tests.soak.hands`: 2,000 random hands of poker (docs/dev/soak.md).

Tables in virtual time lose their power; then tables in processes of their own are killed.

Prints a line of JSON for each table, and one of them all at the end. Exit status 1: something was
wrong; the table, its last acts and the seed are told.
"""

import argparse
import asyncio
import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.soak.poker_kills import FORMS, kill_table
from tests.soak.poker_night import TABLES, name_table, play_night

HANDS, KILLS = 2_000, 100
MOST = "most gained ms"


def sum_up(nights: list[Counter[str]]) -> dict[str, int]:
    """All nights together."""
    total = sum(nights, Counter[str]())
    return {**total, MOST: max((night[MOST] for night in nights), default=0)}


def plan_nights(
    seed: int, hands: int, kills: int
) -> Iterator[tuple[str, Callable[[Path], Counter[str]]]]:
    """Each night's name, and how it is played in a folder."""
    for settings in TABLES:
        yield name_table(settings), partial(play_night, settings, -(-hands // len(TABLES)), seed)
    for form in FORMS if kills else ():
        yield f"killed {form}", partial(_kill, form, -(-kills // len(FORMS)), seed)


def _kill(form: str, kills: int, seed: int, folder: Path) -> Counter[str]:
    return asyncio.run(kill_table(form, kills, seed, folder))


def main(arguments: list[str] | None = None) -> int:
    """Play; 1: something was wrong."""
    parser = argparse.ArgumentParser(description="random hands of poker, with power cuts")
    parser.add_argument("--hands", type=int, default=HANDS, help=f"in all (default: {HANDS})")
    parser.add_argument("--seed", type=int, default=None, help="default: another one each time")
    parser.add_argument("--kills", type=int, default=KILLS, help=f"then (default: {KILLS})")
    asked = parser.parse_args(arguments)
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    began, nights = time.monotonic(), list[Counter[str]]()
    for name, play in plan_nights(seed, asked.hands, asked.kills):
        with TemporaryDirectory(prefix="banco-hands-") as folder:
            try:
                night = play(Path(folder))
            except (AssertionError, TimeoutError) as error:
                print(
                    f"{name}: {type(error).__name__}: {error}\nagain: make hands SEED={seed}",
                    file=sys.stderr,
                )
                return 1
        nights.append(night)
        print(json.dumps({"table": name, **night}), file=sys.stderr, flush=True)
    seconds = round(time.monotonic() - began)
    print(json.dumps({"seed": seed, **sum_up(nights), "seconds": seconds}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
