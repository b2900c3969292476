"""`python -m tests.console.link.failover`: nights with a primary and a standby (docs/dev/soak.md).

Prints a line of JSON for each night. Exit status 1: something was wrong; the seed is told.
"""

import argparse
import json
import logging
import secrets
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from random import Random

from tests.console.link.failover.alone_by_patroni_page import follow_patroni_page
from tests.console.link.failover.dead_primary import kill_primary, kill_primary_in_crowd
from tests.console.link.failover.dead_primary_by_page import follow_page
from tests.console.link.failover.lost_standby import (
    break_wait,
    lose_standby,
    split_brain,
)
from tests.console.link.failover.many_restores import restore_often
from tests.console.link.failover.patroni_faults import fail_over
from tests.console.link.failover.raised_alarms import raise_alarms
from tests.console.link.failover.restored_backup import recover_backup, restore_backup
from tests.console.link.failover.upgraded_by_page import upgrade_by_page
from tests.console.link.failover.upgraded_under_patroni import upgrade_under_patroni
from tests.console.link.schedules import ScheduleFailed

TABLES = 40
CROWD = 1_000
FEW = 4
TOKENS = 20
RESTORES = 1_000
FAULTS = 2

Night = Callable[[int], Mapping[str, float]]
"""Played by its seed."""

NIGHTS: dict[str, Night] = {
    "dead-primary": lambda seed: kill_primary(TABLES, TOKENS, Random(seed)),
    "dead-primary-crowd": lambda seed: kill_primary_in_crowd(CROWD, Random(seed)),
    "lost-standby": lambda _: lose_standby(FEW),
    "split-brain": lambda _: split_brain(FEW),
    "restored-backup": lambda _: restore_backup(FEW),
    "recovered-backup": lambda _: recover_backup(),
    "restores": lambda seed: restore_often(seed, RESTORES),
    "centre": lambda _: follow_page(("db1", "db2")),
    "centre-of-three": lambda _: follow_page(("db1", "db2", "db3")),
    "alarms": lambda _: raise_alarms(),
    "patroni": lambda seed: fail_over(FAULTS, Random(seed)),
    "patroni-alone": lambda _: follow_patroni_page(),
    "upgrade": lambda _: upgrade_by_page(),
    "upgrade-patroni": lambda _: upgrade_under_patroni(),
    "no-standby-named": lambda _: break_wait(FEW, "synchronous_standby_names", ""),
    "no-wait-for-it": lambda _: break_wait(FEW, "synchronous_commit", "local"),
}


def play_night(name: str, night: Night, seed: int) -> bool:
    """Play one, and print what came of it; whether all was right."""
    began = time.monotonic()
    try:
        figures = night(seed)
    except (AssertionError, ScheduleFailed):
        traceback.print_exc()
        print(f"again: make failover NIGHT={name} SEED={seed}", file=sys.stderr)
        return False
    rounded = {what: round(value, 2) for what, value in figures.items()}
    seconds = round(time.monotonic() - began)
    print(json.dumps({"night": name, "seed": seed, **rounded, "seconds": seconds}), flush=True)
    return True


def main(arguments: list[str] | None = None) -> int:
    """Play; 1: something was wrong."""
    parser = argparse.ArgumentParser(description="primary and standby fail, members go on")
    parser.add_argument("--night", choices=NIGHTS, default=None, help="one only; default: all")
    parser.add_argument("--seed", type=int, default=None, help="default: another one each time")
    parser.add_argument("--restores", type=int, default=RESTORES, help=f"default: {RESTORES}")
    parser.add_argument("--faults", type=int, default=FAULTS, help=f"of each kind: {FAULTS}")
    asked = parser.parse_args(arguments)
    logging.disable(logging.WARNING)
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    nights = {
        **NIGHTS,
        "restores": lambda first: restore_often(first, asked.restores),
        "patroni": lambda first: fail_over(asked.faults, Random(first)),
    }
    names = list(nights) if asked.night is None else [asked.night]
    right = [play_night(name, nights[name], seed) for name in names]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
